"""A ServiceLimit is one limit of a service level, and how what was seen of it is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal, cast

from tco.measurement import SloTerm

LatencyName = Literal["ttft", "tpot", "itl", "e2e"]

_KEY: Final = re.compile(r"(ttft|tpot|itl|e2e)_p(\d+)_ms")
_PERCENT: Final = 100


@dataclass(frozen=True, slots=True)
class ServiceLimit:
    """A latency, its quantile (0 to 1), and the most that may be."""

    latency: LatencyName
    quantile: float
    limit_ms: float

    def judged(self, seen_ms: float | None) -> SloTerm:
        """Return what was seen of it beside its verdict; None: it could not be told."""
        return SloTerm(
            latency=self.latency,
            quantile=self.quantile,
            limit_ms=self.limit_ms,
            seen_ms=seen_ms,
            holds=None if seen_ms is None else seen_ms <= self.limit_ms,
        )


def limits_of(slo: Mapping[str, float]) -> tuple[ServiceLimit, ...]:
    """Return the limits (ms) of keys like `ttft_p95_ms`.

    Raises:
        ValueError: another key.
    """
    found = []
    for key, limit_ms in slo.items():
        match = _KEY.fullmatch(key)
        if match is None:
            raise ValueError(f"no latency's quantile: {key}")
        name = cast("LatencyName", match[1])
        found.append(ServiceLimit(name, int(match[2]) / _PERCENT, limit_ms))
    return tuple(found)


def all_hold(terms: Iterable[SloTerm]) -> bool | None:
    """Return whether every limit is kept; None where none is broken and one cannot be told."""
    verdicts = {term.holds for term in terms}
    if False in verdicts:
        return False
    return None if None in verdicts else True
