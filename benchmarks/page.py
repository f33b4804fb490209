"""How long a person waits for the page of `tco ui` to follow a slider: its server's answers."""

from __future__ import annotations

import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from benchmarks.budgets import RANGES, Timed
from tco.scenario_template import scenario_text
from tco.units import MS_PER_S

_ANSWERS = 40
_DEMAND = (
    "traffic.target_utilisation=null",
    (
        "traffic.demand={requests_per_day: {value: 900000, low: 400000, high: 1500000}, "
        "peak_to_average: 2.5, target_peak_utilisation: 0.8, spares: 1}"
    ),
    *RANGES[1:],
)


def page_answers() -> Iterator[Timed]:
    """Time answers to a slider that moves, of the plain scenario and of one with all to reckon."""
    yield _answered("page: scenario of tco init", ())
    yield _answered("page: a demand, seven ranges", _DEMAND)


def _answered(name: str, sets: Sequence[str]) -> Timed:
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "my.yaml"
        scenario.write_text(scenario_text(), encoding="utf-8")
        given = [part for each in sets for part in ("--set", each)]
        argv = [sys.executable, "-m", "tco", "ui", str(scenario), "--no-open", *given]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
            try:
                assert server.stdout is not None  # noqa: S101  a pipe was asked for
                times = list(_times(server.stdout.readline().decode().strip()))
            finally:
                server.send_signal(signal.SIGINT)
    return Timed(name, len(times), statistics.median(times), min(times), 100.0)


def _times(address: str) -> Iterator[float]:
    """Yield the time of each answer [ms], after the first few."""
    parts = urlsplit(address)
    headers = {
        "origin": f"{parts.scheme}://{parts.netloc}",
        "content-type": "application/x-www-form-urlencoded",
    }
    with httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        for step in range(-4, _ANSWERS):
            body = f"hardware.purchase.price_usd={100_000 + 500 * step}"
            begun = time.perf_counter()
            client.post("answer", content=body).raise_for_status()
            if step >= 0:
                yield (time.perf_counter() - begun) * MS_PER_S
