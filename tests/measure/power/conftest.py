"""A real Prometheus that scrapes a replayed DCGM exporter, several times a second."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tco.scenario import Scenario

RECORDED = (Path(__file__).parents[2] / "data" / "dcgm_exporter.txt").read_text(encoding="utf-8")
ENERGY = re.compile(
    r"^(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION\{gpu=\"(\d)\".*\}) (\d+)$", re.MULTILINE
)
WATTS = {"0": 652.418, "1": 347.582}
CONFIG = """\
global: {{scrape_interval: 200ms, scrape_timeout: 200ms}}
scrape_configs:
  - job_name: dcgm
    static_configs: [{{targets: [{targets}]}}]
"""


class Exporter(ThreadingHTTPServer):
    """Replays the exporter's page; counters go on at the watts that the page shows."""

    daemon_threads = True

    def __init__(self, *, counters=True):
        super().__init__(("127.0.0.1", 0), _Page)
        self.counters, self.begun = counters, time.time()
        self.instance = f"127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *arguments):
        """Say nothing: a Prometheus that is ended hangs up."""

    def page(self):
        elapsed_s = time.time() - self.begun

        def moved(match):
            return f"{match[1]} {int(match[3]) + round(1000 * WATTS[match[2]] * elapsed_s)}"

        return ENERGY.sub(moved if self.counters else "", RECORDED)


class _Page(BaseHTTPRequestHandler):
    def do_GET(self):
        body = self.server.page().encode() if self.path == "/metrics" else b"no page"
        self.send_response(200 if self.path == "/metrics" else 404)
        self.send_header("Content-Type", "text/plain; version=0.0.4")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="session")
def prometheus_program():
    """The path of a Prometheus: of PATH, or the distribution's package, unpacked into our cache."""
    if found := shutil.which("prometheus"):
        return Path(found)
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(cache) / "tco" / "tools"
    program = folder / "usr" / "bin" / "prometheus"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not program.exists():
            _unpack("prometheus", folder)
    return program


def _unpack(package, folder):
    """Fetch a Debian package and unpack it; needs no root, nor package lists."""
    apt_get, dpkg = shutil.which("apt-get"), shutil.which("dpkg")
    if apt_get is None or dpkg is None:
        pytest.fail("these tests need a `prometheus` on PATH, or Debian's apt-get to fetch one")

    def apt(*arguments):
        return subprocess.run([apt_get, "-qq", *arguments], cwd=folder, check=False).returncode == 0

    own = ["-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache"]
    if not apt("download", package):
        for directory in ("lists/partial", "cache/archives/partial"):
            (folder / directory).mkdir(parents=True, exist_ok=True)
        assert apt(*own, "update")
        assert apt(*own, "download", package)
    (archive,) = folder.glob(f"{package}_*.deb")
    subprocess.run([dpkg, "-x", str(archive), str(folder)], check=True)
    archive.unlink()


@pytest.fixture(scope="module")
def exporters():
    """Two machines' exporters: one with energy counters, one with power alone."""
    both = Exporter(), Exporter(counters=False)
    yield both
    for exporter in both:
        exporter.shutdown()
        exporter.server_close()


@pytest.fixture(scope="module")
def prometheus(prometheus_program, exporters, tmp_path_factory):
    """The URL of a running Prometheus that has scraped both for a while."""
    folder = tmp_path_factory.mktemp("prometheus")
    targets = ", ".join(f'"{exporter.instance}"' for exporter in exporters)
    (folder / "prometheus.yml").write_text(CONFIG.format(targets=targets))
    port = _unused_port()
    process = subprocess.Popen(
        [
            str(prometheus_program),
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=error",
        ],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=(folder / "log").open("w"),
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for_samples(url, process, folder / "log")
        yield url
    finally:
        process.terminate()
        process.wait()


def _unused_port():
    with ThreadingHTTPServer(("127.0.0.1", 0), _Page) as probe:
        return probe.server_address[1]


def _wait_for_samples(url, process, log, wanted=4, limit_s=30):
    query = {"query": "min(count_over_time(DCGM_FI_DEV_POWER_USAGE[1m]))"}
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        assert process.poll() is None, log.read_text()
        try:
            reply = httpx.get(f"{url}/api/v1/query", params=query, trust_env=False)
            result = reply.json()["data"]["result"]
        except (httpx.HTTPError, ValueError, KeyError):
            result = []
        if result and float(result[0]["value"][1]) >= wanted:
            return
        time.sleep(0.1)
    pytest.fail(f"Prometheus scraped nothing in {limit_s} s: {log.read_text()}")


@pytest.fixture
def metered_scenario():
    """A maker of scenarios with that meter, and with any section more."""

    def make(meter, **more):
        return Scenario.model_validate(
            {
                **more,
                "schema": "tco.scenario/1",
                "name": "metered",
                "traffic": {"shape": {"input_tokens": 8, "output_tokens": 8}},
                "bench": {"meter": meter},
                "hardware": {"rent": {"usd_per_hour": 1.0}},
            }
        )

    return make
