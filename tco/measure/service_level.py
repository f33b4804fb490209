"""Judges a point by the scenario's service level: quantiles against limits, and goodput."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

import numpy as np
import numpy.typing as npt

from tco.measure.point import Tokens, Window, is_chosen, is_unfinished_arrival
from tco.measure.trace import Trace
from tco.measurement import ServiceLevel, SloTerm
from tco.quantiles import needed
from tco.units import MS_PER_S, NS_PER_S

Floats = npt.NDArray[np.float64]
LatencyName = Literal["ttft", "tpot", "itl", "e2e"]

_NS_PER_MS = NS_PER_S / MS_PER_S
_KEY: Final = re.compile(r"(ttft|tpot|itl|e2e)_p(\d+)_ms")
_PERCENT = 100
_UNFINISHED = "aborted"


@dataclass(frozen=True, slots=True)
class Limit:
    """One limit of a service level: a latency, its quantile (0 to 1), and the most it may be."""

    latency: LatencyName
    quantile: float
    limit_ms: float


def limits_of(slo: Mapping[str, float]) -> tuple[Limit, ...]:
    """Return the limits of keys like `ttft_p95_ms`.

    Raises:
        ValueError: another key.
    """
    found = []
    for key, limit_ms in slo.items():
        match = _KEY.fullmatch(key)
        if match is None:
            raise ValueError(f"no latency's quantile: {key}")
        name = cast("LatencyName", match[1])
        found.append(Limit(name, int(match[2]) / _PERCENT, limit_ms))
    return tuple(found)


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
        holds=_all_hold(terms),
        terms=terms,
        goodput_requests_per_s=good / window.length_s,
        goodput_share=good / values.asked if values.asked else 0.0,
    )


def _all_hold(terms: tuple[SloTerm, ...]) -> bool | None:
    if any(term.holds is False for term in terms):
        return False
    return None if any(term.holds is None for term in terms) else True


def _term(limit: Limit, values_ms: Floats) -> SloTerm:
    seen = None
    if len(values_ms) >= needed(limit.quantile):
        seen = float(np.quantile(values_ms, limit.quantile))
    return SloTerm(
        latency=limit.latency,
        quantile=limit.quantile,
        limit_ms=limit.limit_ms,
        seen_ms=seen,
        holds=None if seen is None else seen <= limit.limit_ms,
    )


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

    def pooled(self, limit: Limit) -> Floats:
        """Return the values whose quantile is limited; of ITL all gaps."""
        if limit.latency == "itl":
            return self._gaps()[0]
        values = self._ms[limit.latency]
        return values[self._has_later] if limit.latency == "tpot" else values

    def own(self, limit: Limit) -> Floats:
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
