"""Latencies of a result file as Quantiles, each only where enough values stand behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tco.importers.node import Node, number_at
from tco.measurement import Quantiles
from tco.quantiles import needed
from tco.units import MS_PER_S

_SHARES: Final = {"p50_ms": 0.50, "p90_ms": 0.90, "p95_ms": 0.95, "p99_ms": 0.99}
COUNTS_ALIKE: Final = 0.01
"""A tool's own count of tokens and the server's usage may differ by this share."""
_LONGER: Final = 1.001  # rounding of the file


@dataclass(frozen=True, slots=True)
class Names:
    """Where a format keeps a latency's figures, from its own mapping downwards."""

    mean: str = "mean"
    p50: str = "median"
    p90: str = "p90"
    p95: str = "p95"
    p99: str = "p99"
    most: str = "max"


def summarised(
    node: Node, names: Names, *, count: int, to_ms: float, longest_s: float
) -> Quantiles | None:
    """Return a latency that the file gives as mean and quantiles; None with no value.

    Args:
        node: the mapping that holds the figures.
        names: dotted keys in it.
        count: how many values there were; a quantile that needs more is left out.
        to_ms: factor from the file's unit to ms.
        longest_s: no latency of the run can be longer on average.

    Raises:
        InputError: a figure is no number, or longer than the run (a wrong unit), or a quantile
            is below a lower one.
    """
    mean = number_at(node, *names.mean.split("."))
    if mean is None or count == 0:
        return None
    places = (names.p50, names.p90, names.p95, names.p99)
    longest = longest_s / to_ms * MS_PER_S
    _check(node, (names.mean,), longest, longest_s)
    _check(node, (*places, names.most), longest, longest_s)
    quantiles = {
        name: _scaled(node, place, to_ms) if count >= needed(share) else None
        for (name, share), place in zip(_SHARES.items(), places, strict=True)
    }
    most = _scaled(node, names.most, to_ms) if names.most else None
    return Quantiles(count=count, mean_ms=mean * to_ms, max_ms=most, **quantiles)


def _check(node: Node, places: Sequence[str], longest: float, longest_s: float) -> None:
    """See that the figures at these places, as far as there are any, rise and fit into the run."""
    before = 0.0
    for name in filter(None, places):
        value = number_at(node, *name.split("."))
        if value is None:
            continue
        if value > longest * _LONGER:
            problem = f"is {value:g}, which is longer than the whole run of {longest_s:g} s"
        elif value * _LONGER < before:
            problem = f"is {value:g}, which is below a lower quantile of {before:g}"
        else:
            before = value
            continue
        remedy = "see the unit; give the file as the tool wrote it"
        raise node.at(*name.split(".")).fault(problem, remedy)


def _scaled(node: Node, name: str, to_ms: float) -> float | None:
    value = number_at(node, *name.split("."))
    return None if value is None else value * to_ms


def in_flight(e2e: Quantiles | None, window_s: float) -> float | None:
    """Return the mean number of requests in flight: the sum of latencies ÷ time (Little's law)."""
    return None if e2e is None else e2e.count * e2e.mean_ms / MS_PER_S / window_s
