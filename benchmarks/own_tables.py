"""tco's own figures as tables: its ceiling, and its budgets."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.budgets import Swept, Timed
from benchmarks.ceiling import Step
from benchmarks.tables import Table, number


def ceiling_table(steps: Sequence[Step]) -> Table:
    """Return how exact the client is at each number of streams."""
    heads = (
        "streams", "events/s", "stamp p50 ms", "stamp p99 ms", "server late p99 ms", "÷ possible",
        "client's share of a core", "verdict",
    )  # fmt: skip
    return heads, [
        (
            str(step.streams),
            number(step.events_per_s, 0),
            number(step.lag_p50_ms, 2),
            number(step.lag_p99_ms, 2),
            number(step.server_late_p99_ms, 2),
            number(step.served_share, 3),
            number(step.cpu_share, 2),
            _verdict(step),
        )
        for step in steps
    ]


def _verdict(step: Step) -> str:
    if step.is_exact:
        return "exact"
    return "server at its limit" if step.is_server_late else "client late"


def budget_table(timed: Sequence[Timed]) -> Table:
    """Return what each command takes and may take."""
    heads = ("command", "median ms", "lowest ms", "runs", "budget ms")
    return heads, [
        (
            each.name,
            number(each.median_ms, 0),
            number(each.lowest_ms, 0),
            str(each.runs),
            number(each.budget_ms, 0),
        )
        for each in timed
    ]


def sweep_table(swept: Swept) -> Table:
    """Return what a sweep takes and may take."""
    heads = ("sweep", "rows", "CPU ms", "budget ms", "peak MiB", "budget MiB")
    cells = (
        "to an Arrow table",
        f"{swept.rows:,}",
        number(swept.cpu_ms, 0),
        number(swept.cpu_budget_ms, 0),
        number(swept.peak_mib, 0),
        number(swept.peak_budget_mib, 0),
    )
    return heads, [cells]
