"""A fake engine (a process tree with a server) and what tests ask of it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tco.scenario import Scenario

FAKE = Path(__file__).with_name("fake_engine.py")


@pytest.fixture(autouse=True)
def engine_records(tmp_path, monkeypatch):
    """Keep the records of these tests apart from the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def model_folder(tmp_path):
    """A folder that passes for a model without weights."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    return folder


@pytest.fixture
def fake_scenario(model_folder):
    """Return a maker of scenarios whose engine is the fake one, in a mode."""

    def make(mode="serves", **launch):
        engine = {
            "command": [sys.executable, str(FAKE)],
            "model": str(model_folder),
            "args": {"served-model-name": "tiny", "mode": mode},
            **launch,
        }
        return scenario_of({"launch": engine})

    return make


def scenario_of(engine):
    """Return a scenario with that engine."""
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "fake",
            "traffic": {"shape": {"input_tokens": 8, "output_tokens": 8}},
            "engine": engine,
            "hardware": {"rent": {"usd_per_hour": 1.0}},
        }
    )


@pytest.fixture
def attach_scenario():
    """Return a maker of scenarios that attach to a URL."""
    return lambda url, model="tiny", **more: scenario_of(
        {"attach": {"url": url, "model": model, **more}}
    )


@pytest.fixture
def running_server(model_folder):
    """Return a starter of fake servers that tco did not start; they are ended afterwards."""
    started = []

    def start(mode="serves", name="tiny", env=None):
        port = unused_port()
        argv = [sys.executable, str(FAKE), str(model_folder), "--host", "127.0.0.1"]
        argv += ["--port", str(port), "--served-model-name", name, "--mode", mode]
        process = subprocess.Popen(argv, env=env, stdout=subprocess.DEVNULL)
        started.append(process)
        wait_for(lambda: answers(port))
        return port

    yield start
    for process in started:
        family = [process, *psutil.Process(process.pid).children(recursive=True)]
        for member in family:
            member.kill()
        process.wait()


def unused_port():
    """Return a port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    """Say whether a server answers on a port."""
    try:
        httpx.get(f"http://127.0.0.1:{port}/health", trust_env=False)
    except httpx.HTTPError:
        return False
    return True


def wait_for(condition, limit_s=30):
    """Wait until a condition holds; fail if it does not in time."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, "the condition did not come true in time"
        time.sleep(0.05)


@pytest.fixture
def unused_tcp_port():
    """A port of the loopback without a server."""
    return unused_port()


@contextlib.contextmanager
def _paced_server(*options):
    script = Path(__file__).parent / "paced_server.py"
    process = subprocess.Popen(
        [sys.executable, str(script), "0", *options], stdout=subprocess.PIPE, text=True
    )
    try:
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


@pytest.fixture(scope="session")
def paced():
    """A context manager that runs the server of known pace with options, and gives its URL."""
    return _paced_server
