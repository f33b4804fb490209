"""How the command line ends: its exit codes, and what an error looks like."""

import json
import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import click
import pytest

from tco import cli
from tco.errors import EngineError, InputError


@pytest.fixture
def command(monkeypatch):
    """Put a function in the place of `tco compare`."""

    def install(body):
        module = types.SimpleNamespace(
            command=click.Command("compare", callback=body, params=[click.Option(["--json"])])
        )
        module.command.params[0].is_flag = True
        monkeypatch.setattr(cli.importlib, "import_module", lambda _name: module)

    return install


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main(list(arguments))
    return ended.value.code


def raising(error):
    def body(**_):
        raise error

    return body


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InputError("bad"), 2),
        (EngineError("dead"), 3),
        (KeyboardInterrupt(), 130),
    ],
)
def test_an_error_ends_with_the_code_the_contract_gives_it(command, error, code):
    command(raising(error))
    assert run("compare") == code


def test_a_command_that_returns_a_code_ends_with_it(command):
    command(lambda **_: 4)
    assert run("compare") == 4


def test_a_command_that_returns_nothing_ends_with_zero(command):
    command(lambda **_: None)
    assert run("compare") == 0


def test_an_error_is_one_sentence_with_place_and_remedy_and_no_traceback(command, capsys):
    error = InputError("must be in (0, 1], got 66", remedy="write 0.66", file="s.yaml", line=7)
    command(raising(error))
    run("compare")
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "tco: s.yaml:7: must be in (0, 1], got 66; write 0.66\n"


def test_an_engine_error_shows_the_last_lines_of_the_log(command, capsys):
    command(raising(EngineError("it died", log_tail=("first", "second"))))
    run("compare")
    assert capsys.readouterr().err.splitlines()[-2:] == ["  first", "  second"]


def test_with_json_an_error_is_one_document_on_stdout(command, capsys):
    command(raising(InputError("bad", remedy="mend", file="s.yaml", line=3, key="a.b")))
    run("compare", "--json")
    assert json.loads(capsys.readouterr().out) == {
        "schema": "tco.error/1",
        "exit_code": 2,
        "kind": "input",
        "file": "s.yaml",
        "line": 3,
        "key": "a.b",
        "message": "bad",
        "remedy": "mend",
    }


def test_debug_shows_the_traceback(command):
    command(raising(InputError("bad")))
    with pytest.raises(InputError):
        cli.main(["compare", "--debug"])


@pytest.mark.parametrize("arguments", [["nope"], ["--nope"], ["compare", "--nope"]])
def test_a_wrong_word_on_the_command_line_is_bad_input(command, arguments, capsys):
    command(lambda **_: None)
    assert run(*arguments) == 2
    assert "nope" in capsys.readouterr().err


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_being_ended_is_an_interrupt(command, signum):
    command(lambda **_: os.kill(os.getpid(), signum))
    assert run("compare") == 130


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_has_a_help_with_an_example(name):
    done = subprocess.run(
        [sys.executable, "-c", "from tco.cli import main; main()", name, "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"tco {name}" in done.stdout.split("xample", 1)[1]


def test_what_the_system_refuses_is_one_sentence_with_the_file(command, capsys):
    command(raising(OSError(36, "File name too long", "x" * 300)))
    assert run("compare", "--json") == 2
    document = json.loads(capsys.readouterr().out)
    assert document["file"] == "x" * 300
    assert document["message"] == "the system refuses this: file name too long"


def test_a_full_disk_behind_stdout_is_said_on_stderr(tmp_path):
    trace = tmp_path / "t.csv"
    trace.write_text("input_tokens,output_tokens\n5,1\n", encoding="utf-8")
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "tco", "workload", "show", str(trace), "--json"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert ended.returncode == 2
    assert b"no space left" in ended.stderr
    assert b"Traceback" not in ended.stderr
