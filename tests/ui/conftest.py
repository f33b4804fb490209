"""The page of `tco ui` as a person has it: the real command, and a real Chromium."""

import contextlib
import signal
import subprocess
import sys

import pytest

from tco.scenario_template import scenario_text


@pytest.fixture(scope="session")
def scenario(tmp_path_factory):
    path = tmp_path_factory.mktemp("ui") / "my.yaml"
    path.write_text(scenario_text(), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def serve():
    """Return what starts `tco ui` with arguments, and ends it by Ctrl-C after the block."""

    @contextlib.contextmanager
    def started(*arguments):
        argv = [sys.executable, "-m", "tco", "ui", *map(str, arguments), "--no-open"]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            try:
                yield process, process.stdout.readline().decode().strip()
            finally:
                process.send_signal(signal.SIGINT)
                process.wait(10)

    return started


@pytest.fixture(scope="session")
def address(serve, scenario):
    with serve(scenario) as (_, at):
        yield at
