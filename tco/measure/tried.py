"""A Load to hold on an engine, and what a search needs to know of one that was tried."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from tco.measurement import LoadPoint
from tco.plural import several

FAILED_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Load:
    """A closed loop of `streams`, or an open loop of `requests_per_s`; an import may tell neither.

    `is_replay` says that the open loop's requests come at a trace's own times.
    """

    streams: int | None = None
    requests_per_s: float | None = None
    is_replay: bool = False

    @property
    def is_open(self) -> bool:
        """Say whether requests come at their own times."""
        return self.requests_per_s is not None

    def words(self) -> str:
        """Return the load as a reader calls it."""
        if self.requests_per_s is not None:
            rate = f"{self.requests_per_s:,.4g} requests/s"
            return f"the trace's own times, {rate}" if self.is_replay else rate
        return (
            "a load that is not told" if self.streams is None else several(self.streams, "stream")
        )

    @classmethod
    def of(cls, point: LoadPoint) -> Self:
        """Return the load that a point held."""
        return cls(point.concurrency_asked, point.offered_requests_per_s)


@dataclass(frozen=True, slots=True)
class Tried:
    """A load, and how the engine took it.

    Attributes:
        requests_per_s: delivered.
        noise_share: half the width of the rate's interval, as a share; None: not known.
        keeps: whether the service level was kept; None: not known, or none was asked for.
        strain: the worst of seen ÷ limit over the service level; None: not known.
    """

    load: Load
    requests_per_s: float
    noise_share: float | None = None
    keeps: bool | None = None
    strain: float | None = None


def tried_of(point: LoadPoint) -> Tried:
    """Return what a search needs of a point.

    An open loop that is overloaded, or with more than 1 % of its requests failed, keeps no
    service level. Of a closed loop with too few requests for the quantiles, the share of
    requests that kept every limit stands for the verdict: it only guides.
    """
    level, rates = point.service_level, point.rates
    interval, rate = rates.output_tok_per_s_interval, rates.output_tok_per_s
    noise = (interval.high - interval.low) / 2 / rate if interval and rate else None
    load, keeps = Load.of(point), level.holds if level else None
    strains = (
        [t.seen_ms / t.limit_ms for t in level.terms if t.seen_ms and t.limit_ms] if level else []
    )
    if point.loop == "open":
        if level and (point.is_overloaded or point.failures.share > FAILED_SHARE):
            return Tried(load, rates.requests_per_s, noise, keeps=False, strain=None)
    elif level and keeps is None:
        keeps = level.goodput_share >= max(term.quantile for term in level.terms)
    return Tried(load, rates.requests_per_s, noise, keeps, max(strains, default=None))
