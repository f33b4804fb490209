"""What a person waits for, against the budgets of the design: help, a PDF report, a sweep."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tco.scenario_template import scenario_text
from tco.units import MS_PER_S

KIB_PER_MIB = 1024


@dataclass(frozen=True, slots=True)
class Timed:
    """A command's wall time over several runs (ms), and what it may take."""

    name: str
    runs: int
    median_ms: float
    lowest_ms: float
    budget_ms: float | None


def budgets() -> Iterator[Timed]:
    """Time each command in a process of its own, after one run that fills the caches."""
    tco = [sys.executable, "-m", "tco"]
    installed = Path(sys.executable).with_name("tco")
    if installed.exists():
        tco = [str(installed)]
    yield timed("an empty Python program", [sys.executable, "-c", "pass"], 10, None)
    yield timed("tco --help", [*tco, "--help"], 10, 150.0)
    with tempfile.TemporaryDirectory() as folder:
        scenario = str(Path(folder) / "my.yaml")
        subprocess.run([*tco, "init", scenario], check=True, capture_output=True)
        report = [*tco, "report", scenario, "--format", "pdf", "--force", "-o", f"{folder}/out"]
        yield timed("tco report to PDF", report, 5, 3000.0)
        workbook = ["xlsx" if word == "pdf" else word for word in report]
        yield timed("tco report to a workbook", workbook, 5, None)


def timed(name: str, argv: list[str], runs: int, budget_ms: float | None) -> Timed:
    """Run a command `runs` times."""
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(argv, check=True, capture_output=True)
        times.append((time.perf_counter() - begun) * MS_PER_S)
    return Timed(name, runs, statistics.median(times[1:]), min(times[1:]), budget_ms)


# Imports, and the comparison that the draws are added to, are not in.
_DRAWS = """
import sys, time
from pathlib import Path
from tco import __version__, compare, load_case, with_uncertainty
case = load_case(Path(sys.argv[1]), sets=sys.argv[2:])
parts = case.loaded.scenario, case.measurement, case.tables
hashes = {"scenario_sha256": "", "measurement_sha256": None, "tool_version": __version__}
comparison = compare(*parts, date=case.date, **hashes)
with_uncertainty(comparison, *parts, date=case.date, draws=10)
begun = time.perf_counter()
found = with_uncertainty(comparison, *parts, date=case.date)
print(time.perf_counter() - begun, found.uncertainty.draws)
"""
RANGES = (
    "traffic.target_utilisation={value: 0.5, low: 0.25, high: 0.8}",
    "measurement.published.output_tok_per_s={value: 11840, low: 6058}",
    "hardware.purchase.price_usd={value: 96996, low: 85000, high: 113299, shape: triangular}",
    "hardware.purchase.life_years={value: 3, low: 2, high: 5}",
    "power.usd_per_kwh={value: 0.1437, low: 0.09, high: 0.2}",
)


def _printed(code: str, arguments: Sequence[str], runs: int) -> list[list[str]]:
    """Return what each run, a process of its own, prints on the scenario of `tco init`."""
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "my.yaml"
        scenario.write_text(scenario_text(), encoding="utf-8")
        argv = [sys.executable, "-c", code, str(scenario), *arguments]
        return [
            subprocess.run(argv, check=True, capture_output=True, text=True).stdout.split()
            for _ in range(runs)
        ]


def drawn(runs: int = 5) -> Timed:
    """Time 100,000 draws of the ranges of the scenario that `tco init` writes, and of more."""
    done = _printed(_DRAWS, RANGES, runs)
    times = [float(seconds) * MS_PER_S for seconds, _ in done]
    name = f"{int(done[0][1]):,} draws of seven ranges"
    return Timed(name, runs, statistics.median(times), min(times), 300.0)


# Run in a process of its own, whose peak is then the sweep's; imports and validation are not in.
_SWEEP = """
import resource, sys, time
from pathlib import Path
from tco import load_what_if, sweep
what_if = load_what_if(Path(sys.argv[1]))
small = ["traffic.target_utilisation=0.5", "hardware.purchase.life_years=2,3"]
sweep(what_if, small)
begun = time.process_time()
rows = sweep(what_if, sys.argv[2:]).num_rows
cpu_s = time.process_time() - begun
print(rows, cpu_s, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_MILLION = (
    "traffic.target_utilisation=0.001:1:0.001",
    "hardware.purchase.life_years=1.001:2:0.001",
)


@dataclass(frozen=True, slots=True)
class Swept:
    """A sweep of a million points: processor time (ms) and peak memory, of several runs the median.

    Attributes:
        peak_mib: of the whole process.
    """

    rows: int
    cpu_ms: float
    cpu_budget_ms: float
    peak_mib: float
    peak_budget_mib: float


def swept(runs: int = 5) -> Swept:
    """Sweep a million points of the scenario that `tco init` writes, to an Arrow table."""
    done = _printed(_SWEEP, _MILLION, runs)
    rows, cpu_s, peak_kib = (
        statistics.median(float(each[column]) for each in done) for column in range(3)
    )
    return Swept(int(rows), cpu_s * MS_PER_S, 1000.0, peak_kib / KIB_PER_MIB, 1024.0)
