"""Overload: requests in flight that grow over a window, because more arrive than are answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from tco.measurement import Interval
from tco.units import NS_PER_S

LEVEL: Final = 0.95
PARTS: Final = 20
_MOST_CORRELATION = 0.9
_LEAST_DEGREES = 3.0

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Growth:
    """The slope of requests in flight, per second, with its 95 % interval."""

    slope_per_s: float
    low: float
    high: float

    @property
    def is_overload(self) -> bool:
        """Say whether the whole interval is above 0."""
        return self.low > 0

    @property
    def interval(self) -> Interval:
        """The interval as a measurement keeps it."""
        return Interval(low=self.low, high=self.high, level=LEVEL)


def in_flight(start_ns: Ints, end_ns: Ints, edges_ns: Floats) -> Floats:
    """Return the mean number of requests in flight between each two edges."""

    def before(times: Ints) -> Floats:
        """Integrate the number of times passed, up to each edge (s)."""
        ordered = np.sort(times).astype(np.float64)
        sums = np.concatenate([[0.0], np.cumsum(ordered)])
        count = np.searchsorted(ordered, edges_ns)
        return np.asarray((count * edges_ns - sums[count]) / NS_PER_S)

    lengths_s = np.diff(edges_ns) / NS_PER_S
    return np.asarray(np.diff(before(start_ns) - before(end_ns)) / lengths_s)


def growth(numbers: Floats, part_s: float) -> Growth:
    """Return the slope of a line through equally spaced means of requests in flight.

    Least squares; what is left over depends on itself from part to part, so the slope's
    variance is raised by (1 + r) ÷ (1 − r), r its first autocorrelation, and the degrees of
    freedom are lowered alike (Box, Jenkins et al., Time Series Analysis, 5th ed., section 2.1.3,
    for the variance of a mean of an AR(1) process).

    Args:
        numbers: means of parts that follow each other, at least 6.
        part_s: length of a part.
    """
    count = len(numbers)
    x = (np.arange(count) - (count - 1) / 2) * part_s
    slope = float((x * numbers).sum() / (x * x).sum())
    rest = numbers - numbers.mean() - slope * x
    power = float((rest**2).sum())
    r = float((rest[1:] * rest[:-1]).sum()) / power if power > 0 else 0.0
    r = min(max(r, 0.0), _MOST_CORRELATION)
    inflation = (1 + r) / (1 - r)
    degrees = max(_LEAST_DEGREES, count / inflation - 2)
    error = (power / (count - 2) / float((x * x).sum()) * inflation) ** 0.5
    half = float(stdtrit(degrees, (1 + LEVEL) / 2)) * error
    return Growth(slope, slope - half, slope + half)


def growth_over(start_ns: Ints, end_ns: Ints, window: tuple[int, int]) -> Growth:
    """Return the growth of requests in flight over a window (ns), from their times (ns)."""
    edges = np.linspace(window[0], window[1], PARTS + 1)
    return growth(in_flight(start_ns, end_ns, edges), float(edges[1] - edges[0]) / NS_PER_S)
