"""From the runs of a client to its figures: pure."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.load import NOTHING, Spread
from benchmarks.side_by_side import Row
from benchmarks.trial import Trial


@dataclass(frozen=True, slots=True)
class Figures:
    """One client: medians over the rounds; None: not measured, or not in its result.

    Attributes:
        missing: why there are no figures.
        cpu_us_per_event: start-up not counted, parsing included; beside it the lowest and the
            highest round.
        run_cpu_us_per_event: between first request and last event only.
        cpu_ratio: to the baseline's, the median of the rounds' ratios.
        served_share: tokens a second that the server sent ÷ those of a client that loses no time.
        reported_share: the rate it reports ÷ the one the server sent.
        ttft_error, gap_error: quantiles it reports − those of the server.
        stamp_lag: its time of each event − the server's send.
        next_request: from the end of an answer to the request that takes its place.
    """

    client: str
    missing: str | None = None
    rounds: int = 0
    cpu_us_per_event: float | None = None
    lowest_us_per_event: float | None = None
    highest_us_per_event: float | None = None
    run_cpu_us_per_event: float | None = None
    cpu_ratio: float | None = None
    served_tok_per_s: float | None = None
    served_share: float | None = None
    reported_share: float | None = None
    ttft_error: Spread = NOTHING
    gap_error: Spread = NOTHING
    stamp_lag: Spread = NOTHING
    next_request: Spread = NOTHING
    server_late: Spread = NOTHING
    load_average: float | None = None


def figures_of(row: Row, baseline: Row | None, possible_tok_per_s: float) -> Figures:
    """Return a client's figures, its CPU relative to the baseline's in the same rounds."""
    if not row.pairs:
        return Figures(row.client, missing=row.missing or "no run")
    costs = [pair.cpu_us_per_event for pair in row.pairs]
    others = [pair.cpu_us_per_event for pair in baseline.pairs] if baseline else []
    full = [pair.full for pair in row.pairs]
    served = statistics.median(trial.truth.served_tok_per_s for trial in full)
    return Figures(
        client=row.client,
        missing=row.missing,
        rounds=len(costs),
        cpu_us_per_event=statistics.median(costs),
        lowest_us_per_event=min(costs),
        highest_us_per_event=max(costs),
        run_cpu_us_per_event=statistics.median(p.run_cpu_us_per_event for p in row.pairs),
        cpu_ratio=middle(own / other for own, other in zip(costs, others, strict=False)),
        served_tok_per_s=served,
        served_share=served / possible_tok_per_s,
        reported_share=middle(t.reported.output_tok_per_s / t.truth.served_tok_per_s for t in full),
        ttft_error=_over(full, lambda t: difference(t.reported.ttft, t.truth.ttft)),
        gap_error=_over(full, lambda t: difference(t.reported.gaps, t.truth.gaps)),
        stamp_lag=_over(full, lambda t: t.lag or NOTHING),
        next_request=_over(full, lambda t: t.truth.turnaround),
        server_late=_over(full, lambda t: t.truth.late),
        load_average=middle(t.load_average for t in full),
    )


def difference(seen: Spread, true: Spread) -> Spread:
    """Return reported − true of each quantile."""
    return Spread(
        _minus(seen.p50_ms, true.p50_ms),
        _minus(seen.p99_ms, true.p99_ms),
        _minus(seen.max_ms, true.max_ms),
    )


def middle(values: Iterable[float | None]) -> float | None:
    """Return the median of what is there."""
    there = [value for value in values if value is not None]
    return statistics.median(there) if there else None


def _minus(seen: float | None, true: float | None) -> float | None:
    return None if seen is None or true is None else seen - true


def _over(trials: Sequence[Trial], spread: Callable[[Trial], Spread]) -> Spread:
    spreads = [spread(trial) for trial in trials]
    return Spread(
        middle(s.p50_ms for s in spreads),
        middle(s.p99_ms for s in spreads),
        middle(s.max_ms for s in spreads),
    )
