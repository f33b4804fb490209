"""Judges a point by the scenario's service level: quantiles against limits, and goodput."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from tco.measure.point import Tokens, Window, is_chosen, is_unfinished_arrival
from tco.measure.trace import Trace
from tco.measurement import ServiceLevel, SloTerm
from tco.quantiles import needed
from tco.service_limit import ServiceLimit, all_hold, limits_of
from tco.units import MS_PER_S, NS_PER_S

Floats = npt.NDArray[np.float64]

_NS_PER_MS = NS_PER_S / MS_PER_S
_UNFINISHED = "aborted"


def requests_needed(slo: Mapping[str, float]) -> int:
    """Return how many requests the quantiles of a service level need, gaps of ITL apart."""
    return max(
        (needed(limit.quantile) for limit in limits_of(slo) if limit.latency != "itl"), default=0
    )


def judge(
    slo: Mapping[str, float],
    trace: Trace,
    tokens: Tokens,
    window: Window,
    *,
    is_open: bool = False,
) -> ServiceLevel | None:
    """Return whether the window kept the service level, and its goodput; None without one.

    Judged are the good requests that ended in the window (open loop: that arrived in it). Of
    an open loop's requests that had not ended when the run did, the time they had taken so far
    counts, since leaving them out would flatter. A quantile with too few values is not told.

    Goodput counts the requests that keep every limit by themselves, an ITL limit by the
    request's own quantile of gaps; those that failed or did not end keep none.
    """
    if not slo:
        return None
    values = _Values(trace, tokens, window, is_open=is_open)
    limits = limits_of(slo)
    terms = tuple(_term(limit, values.pooled(limit)) for limit in limits)
    keeps = np.logical_and.reduce([values.own(limit) <= limit.limit_ms for limit in limits])
    good = int((keeps & values.is_good).sum())
    return ServiceLevel(
        holds=all_hold(terms),
        terms=terms,
        goodput_requests_per_s=good / window.length_s,
        goodput_share=good / values.asked if values.asked else 0.0,
    )


def _term(limit: ServiceLimit, values_ms: Floats) -> SloTerm:
    if len(values_ms) < needed(limit.quantile):
        return limit.judged(None)
    return limit.judged(float(np.quantile(values_ms, limit.quantile)))


class _Values:
    """Latencies (ms) of the requests judged; `asked` counts those that should have kept them."""

    def __init__(self, trace: Trace, tokens: Tokens, window: Window, *, is_open: bool) -> None:
        good = is_chosen(trace, tokens, window, is_open=is_open)
        rows = good | is_unfinished_arrival(trace, window) if is_open else good
        times = trace.intended_ns if is_open else trace.end_ns
        has_failed = (trace.failure != "") & (trace.failure != _UNFINISHED)
        self.asked = int(rows.sum()) + int((has_failed & window.holds(times)).sum())
        self.is_good = good[rows]
        self._trace, self._tokens, self._rows = trace, tokens, rows
        intended, end = trace.intended_ns[rows], trace.end_ns[rows]
        first, last = tokens.first_ns[rows], np.where(self.is_good, tokens.last_ns[rows], end)
        later = (tokens.total - tokens.in_first)[rows]
        with np.errstate(invalid="ignore", divide="ignore"):
            tpot = np.where(later > 0, (tokens.last_ns[rows] - first) / later, 0.0)
        self._ms = {
            "ttft": (np.where(first > 0, first, end) - intended) / _NS_PER_MS,
            "tpot": tpot / _NS_PER_MS,
            "e2e": (last - intended) / _NS_PER_MS,
        }
        self._has_later = later > 0

    def pooled(self, limit: ServiceLimit) -> Floats:
        """Return the values whose quantile is limited; of ITL all gaps."""
        if limit.latency == "itl":
            return self._gaps()[0]
        values = self._ms[limit.latency]
        return values[self._has_later] if limit.latency == "tpot" else values

    def own(self, limit: ServiceLimit) -> Floats:
        """Return each request's own value; 0 where it has none to keep."""
        if limit.latency != "itl":
            return self._ms[limit.latency]
        gaps, places = self._gaps()
        values = np.zeros(len(self.is_good))
        for place, chunk in _chunks(gaps, places):
            values[place] = np.quantile(chunk, limit.quantile)
        return values

    def _gaps(self) -> tuple[Floats, npt.NDArray[np.int64]]:
        """Return every gap (ms) and the place of its request among those judged."""
        request = self._trace.event_request
        same = (request[1:] == request[:-1]) & self._rows[request[1:]]
        place = np.cumsum(self._rows) - 1
        return np.diff(self._trace.event_ns)[same] / _NS_PER_MS, place[request[1:][same]]


def _chunks(gaps: Floats, places: npt.NDArray[np.int64]) -> Iterator[tuple[int, Floats]]:
    order = np.argsort(places, kind="stable")
    found, starts = np.unique(places[order], return_index=True)
    yield from zip(found.tolist(), np.split(gaps[order], starts[1:]), strict=True)
