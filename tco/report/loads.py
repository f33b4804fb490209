"""One load of a measurement in words, and the latency and verdict that a reader looks up."""

from __future__ import annotations

from typing import Literal

from tco.measurement import LoadPoint, Measurement, SloTerm
from tco.plural import several
from tco.report.capacity import interval_words
from tco.report.numbers import number
from tco.report.service import ms_words, quantile_name

_PERCENT = 100
_SAID = ("ttft", "tpot", "e2e")
_QUANTILES = (0.95, 0.9, 0.5)


def load_name(point: LoadPoint) -> str:
    """Return what was asked of the engine: `16 streams`, `4.2 requests/s`, `32 sessions`."""
    if point.loop == "open":
        offered = point.offered_requests_per_s
        return "rate not stated" if offered is None else f"{number(offered)} requests/s"
    if point.sessions is not None:
        return several(point.sessions.concurrent_asked, "session")
    if point.concurrency_asked is None:
        return "streams not stated"
    return several(point.concurrency_asked, "stream")


def state_of(point: LoadPoint) -> Literal["kept", "broken", "untold", "unjudged"]:
    """Return the verdict on the service level; `untold` where a quantile is missing."""
    if point.service_level is None:
        return "unjudged"
    holds = point.service_level.holds
    return "untold" if holds is None else "kept" if holds else "broken"


def terms_of(point: LoadPoint) -> tuple[SloTerm, ...]:
    """Return the limits that the load was judged by."""
    return point.service_level.terms if point.service_level is not None else ()


def latency_ms(point: LoadPoint, name: str, quantile: float) -> float | None:
    """Return a latency's quantile in ms: as judged, else as listed; None where there is none."""
    for term in terms_of(point):
        if (term.latency, term.quantile) == (name, quantile):
            return term.seen_ms
    values = getattr(point.latency, name)
    found: float | None = getattr(values, f"p{quantile * _PERCENT:.0f}_ms", None)
    return found


def only_load_words(measurement: Measurement) -> str | None:
    """Return the figures of the one load there is, where a chart would be a single dot."""
    if len(measurement.points) != 1:
        return None
    point = measurement.points[0]
    rate = f"{number(point.rates.output_tok_per_s)} output tokens a second"
    interval = interval_words(point.rates.output_tok_per_s_interval)
    seen = list(filter(None, (_highest_quantile(point, name) for name in _SAID)))
    latencies = f"; {', '.join(seen)}" if seen else "; no quantile of a latency is known"
    return f"One load was held, {load_name(point)}: {rate}, {interval}{latencies}."


def _highest_quantile(point: LoadPoint, name: str) -> str | None:
    """The p95 of a latency in words, or the next lower quantile that could be told."""
    for quantile in _QUANTILES:
        if (found := latency_ms(point, name, quantile)) is not None:
            return f"{quantile_name(name, quantile)} {ms_words(found)}"
    return None
