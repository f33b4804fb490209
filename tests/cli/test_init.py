"""`tco init` on the command line."""

import pytest

from tco.cli import main
from tco.scenario_file import load_scenario


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(["init", *arguments])
    return ended.value.code


def test_without_arguments_it_writes_a_scenario_that_loads(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run() == 0
    assert load_scenario(tmp_path / "scenario.yaml").scenario.measurement is not None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("preset", "then"), [("cline-512x512x256", "tco compare"), ("demo", "tco run")]
)
def test_it_says_which_command_comes_next(tmp_path, capsys, preset, then):
    path = tmp_path / "a.yaml"
    assert run(str(path), "--preset", preset) == 0
    assert capsys.readouterr().err == f"wrote {path}; edit it, then: {then} {path}\n"


def test_options_fill_the_file(tmp_path):
    path = tmp_path / "a.yaml"
    assert run(str(path), "--preset", "demo", "--model", "m", "--hardware", "h100-sxm-runpod") == 0
    scenario = load_scenario(path).scenario
    assert scenario.engine.launch.model == "m"
    assert scenario.hardware.rent.usd_per_hour.value == 2.69


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--preset", "nope"], "there is no preset `nope`"),
        (["--hardware", "nope"], "there is no hardware row `nope`"),
        (["--model", "a\nb"], "a model's name must be printable text"),
    ],
)
def test_bad_options_are_one_sentence_and_nothing_is_written(tmp_path, capsys, arguments, says):
    assert run(str(tmp_path / "a.yaml"), *arguments) == 2
    printed = capsys.readouterr().err
    assert says in printed
    assert printed.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_wants_force(tmp_path, capsys):
    path = tmp_path / "a.yaml"
    path.write_text("mine", encoding="utf-8")
    assert run(str(path)) == 2
    assert "--force" in capsys.readouterr().err
    assert run(str(path), "--force") == 0
