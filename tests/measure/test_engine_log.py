from __future__ import annotations

import pytest

from tco.measure.engine_log import cause, ending, last_phase, log_tail

PREFIX = "(EngineCore pid=77) ERROR 12-02 06:01:33 [core.py:700] "


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["usage: vllm serve", "vllm: error: unrecognized arguments: --no-such-flag"],
            "unrecognized arguments: --no-such-flag",
        ),
        (
            ["vllm serve: error: argument --max-num-seqs: invalid int value: 'abc'"],
            "argument --max-num-seqs: invalid int value: 'abc'",
        ),
        (
            [
                "huggingface_hub.errors.LocalEntryNotFoundError: Cannot find a cached folder.",
                "(APIServer pid=1) INFO 12-02 06:01:33 [x.py:1] shutting down",
            ],
            "LocalEntryNotFoundError: Cannot find a cached folder",
        ),
        (
            [
                "pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig",
                "  Value error, max_model_len (999999) is greater than 4096 [type=value_error, x]",
            ],
            "max_model_len (999999) is greater than 4096",
        ),
        (
            [
                PREFIX + "RuntimeError: Worker failed with error 'too little memory'",
                "RuntimeError: Engine core initialization failed. See root cause above.",
            ],
            "RuntimeError: Worker failed with error 'too little memory'",
        ),
        (["INFO 12-02 06:01:33 [x.py:1] all is well"], None),
        ([], None),
    ],
)
def test_cause_is_the_last_error_that_follows_from_no_other(lines, expected):
    assert cause(tuple(lines)) == expected


def test_phase_is_the_last_line_without_its_stamp(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(b"first\n(Worker pid=7) INFO 12-02 06:01:33 [w.py:7] \x1b[1mLoading\x1b[0m\n\n")
    assert last_phase(log) == "Loading"
    assert last_phase(tmp_path / "none") == ""


def test_tail_is_short_lines_of_plain_text(tmp_path):
    log = tmp_path / "log"
    log.write_bytes(b"".join(b"\xffline %d %s\n" % (n, b"x" * 5000) for n in range(1000)))
    tail = log_tail(log)
    assert "line 999" in tail[-1]
    assert len(tail) < 30
    assert all(len(line) <= 300 for line in tail)


def test_a_kill_is_said_to_be_memory():
    assert "memory ran out" in ending(-9)
    assert ending(-15) == "it was ended by signal 15"
    assert "exit code 3" in ending(3)
