"""What a reader must know of an open loop, and of a point that is to keep a service level."""

from __future__ import annotations

from typing import Final

from tco.finding import Finding
from tco.measure.on_measurement import on_measurement
from tco.measurement import OpenLoop, ServiceLevel

RATE_CHANGE: Final = 0.01
RATE_GROSS_CHANGE: Final = 0.05
AT_THE_EDGES: Final = 4.0  # requests


def overloaded(loop: OpenLoop, *, is_search: bool) -> Finding | None:
    """Look for requests in flight that grew; to a search that is an answer, and no fault."""
    if not loop.is_overloaded:
        return None
    return on_measurement(
        "overloaded",
        "info" if is_search else "invalid",
        f"at {loop.offered_requests_per_s:.4g} requests/s the requests in flight grew by "
        f"{loop.in_flight_slope_per_s:.3g} a second: more arrived than were answered",
        "offer less, or find the capacity by a search",
        value=loop.in_flight_slope_per_s,
        limit=0.0,
    )


def rate_not_as_asked(loop: OpenLoop, window_s: float) -> Finding | None:
    """Look for another rate of requests sent than was asked for: the point then failed.

    A few requests may have been due on one side of the window's edge and sent on the other.
    """
    change = abs(loop.sent_requests_per_s / loop.offered_requests_per_s - 1)
    if change <= RATE_CHANGE + AT_THE_EDGES / (loop.offered_requests_per_s * window_s):
        return None
    return on_measurement(
        "rate_not_as_asked",
        "invalid" if change > RATE_GROSS_CHANGE else "warn",
        f"{loop.sent_requests_per_s:.4g} requests/s were sent where "
        f"{loop.offered_requests_per_s:.4g} were asked for",
        "see whether the client was late or starved, and whether connections were refused",
        value=change,
        limit=RATE_CHANGE,
    )


def too_few_for_slo(level: ServiceLevel, completed: int, wanted: int) -> Finding | None:
    """Look for quantiles of the service level that too few requests carry."""
    if completed >= wanted or all(term.holds is not None for term in level.terms):
        return None
    return on_measurement(
        "too_few_requests_for_slo",
        "warn",
        f"{completed} requests are too few to tell a quantile of the service level",
        "measure longer (bench.window_s, bench.max_minutes)",
        value=completed,
        limit=wanted,
    )


def level_not_kept(level: ServiceLevel, what: str) -> Finding | None:
    """Look for a load that was to keep the service level, and did not, or cannot be told to.

    Args:
        level: the verdict.
        what: the load in words: "the load to verify", …
    """
    if level.holds:
        return None
    if level.holds is None:
        return on_measurement(
            "slo_unknown",
            "warn",
            f"whether {what} keeps the service level cannot be told: too few requests",
            "measure longer (bench.window_s, bench.max_minutes)",
            value=None,
            limit=1.0,
        )
    broken = [term for term in level.terms if term.holds is False and term.seen_ms is not None]
    worst = max(broken, key=lambda term: (term.seen_ms or 0.0) / (term.limit_ms or 1e-9))
    return on_measurement(
        "slo_not_kept",
        "invalid",
        f"{what} does not keep the service level: {worst.latency.upper()} "
        f"p{worst.quantile * 100:g} was {worst.seen_ms:,.4g} ms, the limit is "
        f"{worst.limit_ms:,.4g} ms",
        "lower the load, or relax the service level",
        value=worst.seen_ms,
        limit=worst.limit_ms,
    )
