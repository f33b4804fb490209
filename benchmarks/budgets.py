"""What a person waits for, against the budgets of the design: `tco --help`, and a PDF report."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tco.units import MS_PER_S


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


def timed(name: str, argv: list[str], runs: int, budget_ms: float | None) -> Timed:
    """Run a command `runs` times."""
    times = []
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(argv, check=True, capture_output=True)
        times.append((time.perf_counter() - begun) * MS_PER_S)
    return Timed(name, runs, statistics.median(times[1:]), min(times[1:]), budget_ms)
