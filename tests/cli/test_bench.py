"""`tco bench`: where it writes, what it refuses, how it ends."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from tco.cli.bench import _live_line, exit_code, refuse_overwriting
from tco.errors import InputError
from tco.measure.progress import Progress
from tco.measure.summary import progress_text

SCENARIO = """
schema: tco.scenario/1
name: A name, with Ünusual / parts
traffic: {shape: {input_tokens: 8, output_tokens: 8}}
engine: {attach: {url: "http://127.0.0.1:1", model: m}}
hardware: {rent: {usd_per_hour: 2}}
"""


def tco(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-c", "from tco.cli import main; main()", *arguments],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_an_existing_measurement_is_kept_unless_forced(tmp_path):
    target = tmp_path / "m.json"
    refuse_overwriting(target, force=False)
    target.touch()
    refuse_overwriting(target, force=True)
    with pytest.raises(InputError, match="exists already"):
        refuse_overwriting(target, force=False)


@pytest.mark.parametrize(("severity", "code"), [("info", 0), ("warn", 0), ("invalid", 4)])
def test_only_an_invalid_finding_makes_the_exit_code_4(severity, code):
    finding = SimpleNamespace(severity=severity)
    assert exit_code(SimpleNamespace(all_findings=lambda: (finding,))) == code


@pytest.mark.parametrize("stated", [(), ("--set", "engine.concurrency=2")])
def test_a_url_without_a_server_is_exit_3_and_nothing_written(tmp_path, stated):
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    done = tco(tmp_path, "bench", "s.yaml", *stated)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["s.yaml"]


def test_a_folder_is_no_output_even_by_force(tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "out").mkdir()
    stated = ("bench", "s.yaml", "-o", "out", "--set", "engine.concurrency=2")
    for done in (tco(tmp_path, *stated), tco(tmp_path, *stated, "--force")):
        assert done.returncode == 2
        assert "is a folder" in done.stderr


def test_a_key_at_fault_is_named_with_file_and_line(tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    stated = ("--set", "engine.concurrency=2", "--set", "bench.window_s=999")
    done = tco(tmp_path, "bench", "s.yaml", *stated)
    assert done.stderr.startswith(
        "tco: --set bench.window_s=999: bench.window_s: a window of 999 s"
    )


def test_a_live_line_shows_brackets_as_they_are_and_keeps_the_engines_command(capsys):
    with _live_line() as show:
        show(Progress("engine", "loading, 5 s: [/core.py:7] [bold]"))
        show(Progress("engine", "starting: vllm [/x]"))
    assert "starting: vllm [/x]" in capsys.readouterr().err


def test_progress_says_the_point_its_load_and_the_time_of_all():
    said = Progress(
        "window", "8 in flight", 1234.5, 7.2, point=3, of_points=8, load="64 streams",
        bench_left_s=600,
    )  # fmt: skip
    assert progress_text(said) == (
        "point 3 of about 8, 64 streams: window: 8 in flight, 1,234 output tok/s, 7 s left, "
        "at most 10 min in all"
    )


def test_progress_says_rate_and_time_left():
    assert progress_text(Progress("window", "8 in flight", 1234.5, 7.2)) == (
        "window: 8 in flight, 1,234 output tok/s, 7 s left"
    )
    assert progress_text(Progress("drain", "2 in flight", None, 60)).endswith("at most 60 s left")
