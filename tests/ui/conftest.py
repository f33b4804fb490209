"""The page of `tco ui` as a person has it: the real command, and a real Chromium."""

import contextlib
import shutil
import signal
import subprocess
import sys

import pytest
from playwright.sync_api import sync_playwright

from tco.scenario_template import scenario_text

_QUIET = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


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


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    program = shutil.which("chromium")
    assert program, "these tests need Chromium on PATH (make test installs it where it may)"
    profile = tmp_path_factory.mktemp("profile")
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            profile, executable_path=program, args=_QUIET, accept_downloads=True
        )
        yield context
        context.close()


@pytest.fixture
def page(browser):
    """A tab that collects what its console says and whom it asks."""
    tab = browser.new_page()
    tab.said, tab.asked = [], []
    tab.on("console", lambda message: tab.said.append(message.text))
    tab.on("pageerror", lambda error: tab.said.append(str(error)))
    tab.on("request", lambda request: tab.asked.append(request.url))
    yield tab
    tab.close()
