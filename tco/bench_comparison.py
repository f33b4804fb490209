"""A BenchComparison is what two measurements say of each other: B by A, figure by figure.

Its JSON (`tco.bench_comparison/1`) is what `tco bench --compare A B --json` prints.
"""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field

from tco.finding import Finding
from tco.measurement import Figure, Interval, Origin, Record

Verdict = Literal["better", "worse", "undecided"]


class ComparedRun(Record):
    """One of the two: which file, what was measured, and at which load.

    `starts` counts the engine starts that held the load of its capacity point.
    """

    file: str
    sha256: str
    created_at: dt.datetime
    origin: Origin
    engine: str | None
    model: str | None
    host: str | None
    load: str
    starts: int


class Ratio(Record):
    """One figure of B by that of A.

    Attributes:
        figure: `output_tok_per_s`, `goodput_requests_per_s` or such as `ttft_p95_ms`.
        higher_is_better: of a rate; not of a latency.
        a: of A's capacity point; of its engine starts the geometric mean, where the interval is
            across them.
        b: of B, likewise.
        ratio: b ÷ a; None where A has 0.
        interval: of the ratio, and what it covers; its `level` is None where it is the
            range that two searches left open.
        verdict: of B; undecided where the interval holds 1, or there is none.
        reason: why there is no interval.
    """

    figure: str
    higher_is_better: bool
    a: Figure
    b: Figure
    ratio: Figure | None
    interval: Interval | None
    verdict: Verdict
    reason: str | None = None


class BenchComparison(Record):
    """Two measurements of the same request, compared at their capacity."""

    schema_: Literal["tco.bench_comparison/1"] = Field(
        alias="schema", default="tco.bench_comparison/1"
    )
    tool_version: str
    a: ComparedRun
    b: ComparedRun
    ratios: tuple[Ratio, ...]
    findings: tuple[Finding, ...] = ()
