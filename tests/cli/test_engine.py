from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from tco.cli.engine import command
from tco.errors import InputError

FAKE = Path(__file__).parents[1] / "measure" / "fake_engine.py"
SCENARIO = """
schema: tco.scenario/1
name: fake
traffic: {{shape: {{input_tokens: 8, output_tokens: 8}}}}
hardware: {{rent: {{usd_per_hour: 1}}}}
{engine}
"""


def test_stop_says_that_there_is_nothing_to_end(tmp_path):
    result = CliRunner(env={"XDG_STATE_HOME": str(tmp_path)}).invoke(command, ["stop"])
    assert result.exit_code == 0
    assert result.stdout == ""
    assert result.stderr == "no engine to end\n"


def test_every_command_teaches_by_example():
    for name in ("install", "start", "stop"):
        result = CliRunner().invoke(command, [name, "--help"])
        assert f"tco engine {name}" in result.stdout


def test_started_engine_stays_until_stop(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("TCO_ENGINE_API_KEY", "my own")
    (tmp_path / "config.json").write_text("{}")
    file = tmp_path / "scenario.yaml"
    launch = f"{{command: [{sys.executable}, {FAKE}], model: {tmp_path}}}"
    file.write_text(SCENARIO.format(engine=f"engine: {{launch: {launch}}}"))
    log = str(tmp_path / "log")
    runner = CliRunner()
    started = runner.invoke(command, ["start", str(file), "--log", log], catch_exceptions=False)
    stopped = runner.invoke(command, ["stop"], catch_exceptions=False)
    assert started.stdout.startswith("http://127.0.0.1:")
    assert "api_key_env: TCO_ENGINE_API_KEY" in started.stderr
    assert "my own" not in started.output
    assert stopped.stderr.endswith("ended 1 engine\n")


def test_start_without_an_engine_is_bad_input(tmp_path):
    file = tmp_path / "scenario.yaml"
    file.write_text(SCENARIO.format(engine=""))
    with pytest.raises(InputError, match="no engine to start"):
        CliRunner().invoke(
            command, ["start", str(file)], standalone_mode=False, catch_exceptions=False
        )
