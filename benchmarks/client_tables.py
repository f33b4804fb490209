"""The side-by-side figures as tables."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.figures import Figures
from benchmarks.load import Spread
from benchmarks.tables import ABSENT, Table, number

_NOT_MEASURED = "not measured"


def cost_table(all_figures: Sequence[Figures]) -> Table:
    """Return what a client costs and what load it really made."""
    heads = (
        "client", "CPU µs/event", "rounds", "÷ vllm's", "while running", "served tok/s",
        "÷ possible", "reported ÷ served",
    )  # fmt: skip
    rows = [
        (
            f.client,
            number(f.cpu_us_per_event, 1),
            f"{number(f.lowest_us_per_event, 1)}..{number(f.highest_us_per_event, 1)}",
            number(f.cpu_ratio, 2),
            number(f.run_cpu_us_per_event, 1),
            number(f.served_tok_per_s, 0),
            number(f.served_share, 3),
            number(f.reported_share, 3),
        )
        if f.rounds
        else (f.client, _NOT_MEASURED, *[ABSENT] * (len(heads) - 2))
        for f in all_figures
    ]
    return heads, rows


def time_table(all_figures: Sequence[Figures]) -> Table:
    """Return by how much a client's times are wrong (ms)."""
    heads = (
        "client", "TTFT p50", "TTFT p99", "gap p50", "gap p99", "gap max", "stamp p50",
        "stamp p99", "next request p50", "next request p99",
    )  # fmt: skip
    rows = [
        (
            f.client,
            *_cells(f.ttft_error, 2),
            *_cells(f.gap_error, 3),
            *_cells(f.stamp_lag, 2),
            *_cells(f.next_request, 2),
        )
        if f.rounds
        else (f.client, _NOT_MEASURED, *[ABSENT] * (len(heads) - 2))
        for f in all_figures
    ]
    return heads, rows


def _cells(spread: Spread, count: int) -> tuple[str, ...]:
    values = (spread.p50_ms, spread.p99_ms, spread.max_ms)
    return tuple(number(value, 2) for value in values[:count])
