"""No process of an engine is left, whatever ends us; tests run on a fake process tree."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from session_processes import session_of

from tco.errors import EngineError, InputError
from tco.measure import engine_process, launch, readiness
from tco.measure.engine import running_engine
from tco.measure.engine_record import end_abandoned, end_abandoned_and_kept, records

OWNER = """
import signal, sys, time
from pathlib import Path
import tco.cli
from tco.measure import engine_process
from tco.measure.engine import running_engine
from tco.scenario import Scenario
engine_process._TERM_GRACE_S = float(sys.argv[2])
signal.signal(signal.SIGTERM, tco.cli._raise_interrupt)
scenario = Scenario.model_validate_json(sys.stdin.read())
with running_engine(scenario, log_path=Path(sys.argv[1]), on_progress=lambda message: None):
    print("ready", flush=True)
    time.sleep(600)
"""


def quiet(message):
    del message


def wait_until(holds):
    """A signal is delivered a moment after it is sent."""
    for _ in range(100):
        if holds():
            return
        time.sleep(0.05)


@pytest.fixture
def owner(fake_scenario, tmp_path):
    """Return a starter of a process that owns a running fake engine, and the engine's leader."""
    started = []

    def start(mode="serves", term_grace_s=20):
        argv = [sys.executable, "-c", OWNER, str(tmp_path / "log"), str(term_grace_s)]
        process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        process.stdin.write(fake_scenario(mode).model_dump_json(by_alias=True))
        process.stdin.close()
        assert process.stdout.readline() == "ready\n"
        (record,) = records()
        assert len(session_of(record.leader.pid)) == 3
        return process, record.leader.pid

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
    end_abandoned_and_kept(quiet)


def test_serves_and_leaves_no_process(fake_scenario, tmp_path):
    said = []
    with running_engine(fake_scenario(), log_path=tmp_path / "log", on_progress=said.append) as one:
        assert one.is_alive()
        assert (one.served_model, one.facts.version, one.facts.name) == ("tiny", "9.9.9", "vllm")
        assert one.facts.settings == {"block_size": "16"}
        assert one.facts.model_is_dummy
        assert len(session_of(one.pid)) == 3
        leader = one.pid
    assert session_of(leader) == []
    assert records() == ()
    assert said[0].startswith("starting: ")


def test_key_is_random_and_written_nowhere(fake_scenario, tmp_path):
    keys = set()
    for _ in range(2):
        with running_engine(fake_scenario(), log_path=tmp_path / "log", on_progress=quiet) as one:
            written = [p.read_text() for p in tmp_path.rglob("*") if p.is_file()]
            command = psutil.Process(one.pid).cmdline()
            assert one.api_key not in repr((written, command, one, one.facts.model_dump()))
            keys.add(one.api_key)
    assert len(keys) == 2


def test_exception_in_the_block_ends_the_engine(fake_scenario, tmp_path):
    leaders = []

    def fail(engine):
        leaders.append(engine.pid)
        raise ZeroDivisionError

    with (
        pytest.raises(ZeroDivisionError),
        running_engine(fake_scenario(), log_path=tmp_path / "log", on_progress=quiet) as one,
    ):
        fail(one)
    assert session_of(leaders[0]) == []
    assert records() == ()


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_signal_to_the_owner_ends_the_engine(owner, signum):
    process, leader = owner()
    process.send_signal(signum)
    assert process.wait(timeout=60) != 0
    assert session_of(leader) == []
    assert records() == ()


def test_second_interrupt_kills_an_engine_that_ignores_term(owner):
    process, leader = owner("stubborn", term_grace_s=600)
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert session_of(leader)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    assert session_of(leader) == []
    assert records() == ()


def test_engine_that_ignores_term_is_killed(fake_scenario, tmp_path, monkeypatch):
    monkeypatch.setattr(engine_process, "_TERM_GRACE_S", 0.3)
    scenario = fake_scenario("stubborn")
    with running_engine(scenario, log_path=tmp_path / "log", on_progress=quiet) as one:
        leader = one.pid
    assert session_of(leader) == []


def test_engine_of_a_killed_owner_is_ended_later(owner):
    process, leader = owner()
    process.kill()
    process.wait()
    assert len(session_of(leader)) == 3
    assert [record.leader.pid for record in end_abandoned(quiet)] == [leader]
    assert session_of(leader) == []
    assert records() == ()


def test_workers_of_a_killed_leader_and_owner_are_ended_later(owner):
    process, leader = owner()
    process.kill()
    process.wait()
    os.kill(leader, signal.SIGKILL)
    wait_until(lambda: leader not in session_of(leader))
    assert len(session_of(leader)) == 2
    assert end_abandoned(quiet)
    assert session_of(leader) == []


def test_workers_of_a_killed_leader_are_ended_by_the_owner(fake_scenario, tmp_path):
    with running_engine(fake_scenario(), log_path=tmp_path / "log", on_progress=quiet) as one:
        os.kill(one.pid, signal.SIGKILL)
        leader = one.pid
    assert session_of(leader) == []


def test_engine_of_a_living_owner_is_left_alone(owner):
    _, leader = owner()
    assert end_abandoned_and_kept(quiet) == ()
    assert len(session_of(leader)) == 3


def test_start_ends_what_an_earlier_run_left(owner, fake_scenario, tmp_path):
    process, leader = owner()
    process.kill()
    process.wait()
    with running_engine(fake_scenario(), log_path=tmp_path / "log2", on_progress=quiet):
        assert session_of(leader) == []


def test_engine_started_to_stay_lives_until_it_is_stopped(fake_scenario, tmp_path):
    one = launch.start_launched_to_stay(
        fake_scenario(), log_path=tmp_path / "log", api_key=None, on_progress=quiet
    )
    assert end_abandoned(quiet) == ()
    assert len(session_of(one.pid)) == 3
    assert len(end_abandoned_and_kept(quiet)) == 1
    assert session_of(one.pid) == []


@pytest.mark.parametrize(
    ("mode", "sentence"),
    [
        ("dies_loading", "ended while loading: RuntimeError: no memory for the cache"),
        ("dies_at_completion", "failed its first request: TypeError: 'function' object"),
        ("error_under_200", "failed its first request: HTTP 200: no kernel for this"),
    ],
)
def test_failing_engine_is_named_by_its_cause(fake_scenario, tmp_path, monkeypatch, mode, sentence):
    monkeypatch.setattr(readiness, "_LAST_WORDS_S", 1)
    with (
        pytest.raises(EngineError, match=sentence) as caught,
        running_engine(fake_scenario(mode), log_path=tmp_path / "log", on_progress=quiet),
    ):
        pass
    assert caught.value.exit_code == 3
    assert caught.value.log_tail
    assert records() == ()


def test_unknown_flag_is_named(fake_scenario, tmp_path):
    scenario = fake_scenario(args={"served-model-name": "tiny", "no-such-flag": True})
    with (
        pytest.raises(EngineError, match="unrecognized arguments: --no-such-flag"),
        running_engine(scenario, log_path=tmp_path / "log", on_progress=quiet),
    ):
        pass


def test_another_server_on_the_port_does_not_pass_for_ours(
    fake_scenario, running_server, tmp_path, monkeypatch
):
    port = running_server("serves", "tiny")
    monkeypatch.setattr(launch, "free_port", lambda: port)
    with (
        pytest.raises(EngineError, match=f"not ready within 2 s .another server .* port {port}"),
        running_engine(
            fake_scenario("hangs"), log_path=tmp_path / "log", on_progress=quiet, timeout_s=2
        ),
    ):
        pass
    assert records() == ()


def test_engine_that_hangs_is_given_up(fake_scenario, tmp_path):
    scenario = fake_scenario("hangs")
    with (
        pytest.raises(EngineError, match="was not ready within 1 s"),
        running_engine(scenario, log_path=tmp_path / "log", on_progress=quiet, timeout_s=1),
    ):
        pass
    assert records() == ()


def test_log_that_cannot_be_written_starts_nothing(fake_scenario, tmp_path):
    (tmp_path / "file").write_text("")
    with (
        pytest.raises(InputError, match="log cannot be written"),
        running_engine(fake_scenario(), log_path=tmp_path / "file" / "log", on_progress=quiet),
    ):
        pass
    assert records() == ()


def test_scenario_without_an_engine_is_refused(fake_scenario, tmp_path):
    scenario = fake_scenario().model_copy(update={"engine": None})
    with (
        pytest.raises(InputError, match="no engine to measure"),
        running_engine(scenario, log_path=tmp_path / "log", on_progress=quiet),
    ):
        pass
