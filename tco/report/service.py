"""The service level in words: its limits, whether it is kept, and what was seen."""

from __future__ import annotations

from collections.abc import Iterable

from tco.comparison import Comparison, ServiceVerdict
from tco.measurement import SloTerm
from tco.report.numbers import NBSP, exact, number

LATENCY_NAMES = {"ttft": "TTFT", "tpot": "TPOT", "itl": "ITL", "e2e": "e2e"}
_KEPT = {True: "yes", False: "no", None: "not shown"}
SEEN_AT = {"target": "at the load to verify", "capacity": "at capacity"}
_MS_PER_S = 1000
_PERCENT = 100


def at_service_level(comparison: Comparison) -> str:
    """Return ` and the service level TTFT p95 ≤ 2 s (kept at capacity: yes)`, or that none is."""
    verdict = comparison.service
    if verdict is None:
        return ", with no service level"
    holds = shown_to_hold(comparison)
    seen_at = None if holds is None else verdict.seen_at
    where = "" if seen_at is None else f" {SEEN_AT[seen_at]}"
    return (
        f" and the service level {limits_words(verdict.terms)} (kept{where}: {kept_words(holds)})"
    )


def shown_to_hold(comparison: Comparison) -> bool | None:
    """Return whether the service level is kept; an invalid measurement shows neither."""
    verdict = comparison.service
    return None if verdict is None or comparison.is_invalid() else verdict.holds


def limits_words(terms: Iterable[SloTerm]) -> str:
    """Return every limit: `TTFT p95 ≤ 2 s, TPOT p95 ≤ 50 ms`."""
    return ", ".join(f"{term_name(term)} ≤{NBSP}{limit_words(term.limit_ms)}" for term in terms)


def seen_words(verdict: ServiceVerdict) -> str:
    """Return what was seen of each limit: `TTFT p95 78 ms, TPOT p95 not told`."""
    return ", ".join(
        f"{term_name(term)} {'not told' if term.seen_ms is None else ms_words(term.seen_ms)}"
        for term in verdict.terms
    )


def term_name(term: SloTerm) -> str:
    """Return a limit's latency and quantile: `TTFT p95`."""
    return quantile_name(term.latency, term.quantile)


def quantile_name(latency: str, quantile: float) -> str:
    """Return `TTFT p95` of `ttft` and 0.95."""
    return f"{LATENCY_NAMES[latency]} p{quantile * _PERCENT:g}"


def limit_words(limit_ms: float) -> str:
    """Return a limit as it would be said: `2 s`, `50 ms`."""
    if limit_ms >= _MS_PER_S:
        return f"{exact(limit_ms / _MS_PER_S)}{NBSP}s"
    return f"{exact(limit_ms)}{NBSP}ms"


def ms_words(seen_ms: float) -> str:
    """Return a latency that was seen: `77.8 ms`, `1,240 ms`."""
    return f"{number(seen_ms, 3 if seen_ms < _MS_PER_S else 4)}{NBSP}ms"


def kept_words(holds: bool | None) -> str:  # noqa: FBT001  a verdict, not a switch
    """Return `yes`, `no` or `not shown`."""
    return _KEPT[holds]
