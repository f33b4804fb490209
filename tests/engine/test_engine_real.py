"""Real vLLM, started and ended by us: none of its processes is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import psutil
import pytest
from session_processes import session_of

from tco.errors import EngineError
from tco.measure.engine import running_engine
from tco.measure.engine_record import end_abandoned_and_kept, records
from tco.measure.tiny_model import ensure_tiny_model

pytestmark = pytest.mark.engine

OWNER = """
import sys, time
from pathlib import Path
from tco.measure.engine import running_engine
from tco.scenario import Scenario
scenario = Scenario.model_validate_json(sys.stdin.read())
with running_engine(scenario, log_path=Path(sys.argv[1]), on_progress=lambda message: None):
    print("ready", flush=True)
    time.sleep(600)
"""


def test_starts_answers_and_leaves_no_process(real_engine_scenario, tmp_path):
    said = []
    log = tmp_path / "engine.log"
    with running_engine(real_engine_scenario, log_path=log, on_progress=said.append) as engine:
        assert engine.is_alive()
        assert engine.served_model == "tiny"
        assert engine.facts.name == "vllm"
        assert engine.facts.version.startswith("0.")
        assert engine.facts.model_is_dummy
        assert engine.facts.settings["enable_prefix_caching"] == "False"
        assert len(session_of(engine.pid)) >= 3
        leader, key = engine.pid, engine.api_key
        assert [record.leader.pid for record in records()] == [leader]
        written = log.read_text() + json.dumps(engine.facts.model_dump(mode="json"))
        written += "".join(said) + "".join(p.read_text() for p in tmp_path.rglob("*.json"))
        assert key not in written
    assert session_of(leader) == []
    assert records() == ()
    assert said[0].startswith("starting: ")


def test_engine_of_a_killed_owner_is_ended_by_engine_stop(real_engine_scenario, tmp_path):
    owner = subprocess.Popen(
        [sys.executable, "-c", OWNER, str(tmp_path / "engine.log")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    owner.stdin.write(real_engine_scenario.model_dump_json(by_alias=True))
    owner.stdin.close()
    assert owner.stdout.readline() == "ready\n"
    owner.stdout.close()
    (record,) = records()
    # Nor does it help that vLLM's parent is gone, too: its workers live on.
    owner.kill()
    owner.wait()
    os.kill(record.leader.pid, signal.SIGKILL)
    psutil.wait_procs([p for p in psutil.process_iter() if p.pid == record.leader.pid], timeout=10)
    assert session_of(record.leader.pid)

    ended = end_abandoned_and_kept(print)

    assert [one.start_id for one in ended] == [record.start_id]
    assert session_of(record.leader.pid) == []
    assert records() == ()


def test_flag_that_vllm_does_not_know_is_named(real_engine, tmp_path):
    scenario = real_engine.scenario(args={"no-such-flag": True})
    with (
        pytest.raises(EngineError, match="unrecognized arguments: --no-such-flag") as caught,
        running_engine(scenario, log_path=tmp_path / "log", on_progress=print),
    ):
        pass
    assert caught.value.log_tail
    assert records() == ()


@pytest.mark.parametrize(("kind", "model_type"), [("attention", "qwen2"), ("hybrid", "nemotron_h")])
def test_tiny_model_is_made_of_the_same_bytes_each_time(kind, model_type, real_engine, tmp_path):
    made = [ensure_tiny_model(tmp_path / name, real_engine.python, kind) for name in ("a", "b")]
    first, second = ({p.name: p.read_bytes() for p in folder.iterdir()} for folder in made)
    assert first == second
    assert json.loads(first["config.json"])["model_type"] == model_type
    (made[0] / "config.json").write_text("kept")
    ensure_tiny_model(made[0], real_engine.python)
    assert (made[0] / "config.json").read_text() == "kept"
