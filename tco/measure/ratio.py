"""The interval of a ratio of two measured figures, each with an uncertainty of its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tco.measure.interval import ACROSS, LEAST_STARTS, LEVEL, students_t
from tco.measurement import Interval

_NEAR_ZERO: Final = 1e-6  # an end so far below its figure knows nothing of it


@dataclass(frozen=True, slots=True)
class Ranged:
    """A figure above 0 and its interval."""

    value: float
    interval: Interval


def ratio_of_ranged(a: Ranged, b: Ranged) -> Interval | None:
    """Return the interval of b ÷ a; None where one of them may be 0.

    From the two intervals alone, on the scale of logarithms, where each side's half towards a
    bound counts with the other's half away from it (Zou and Donner, Construction of confidence
    limits about effect measures: a general approach, Statistics in Medicine 27, 2008). Where an
    interval is a range that bounds the figure, so is that of the ratio: from end to end.
    """
    if any(side.interval.low <= _NEAR_ZERO * side.value for side in (a, b)):
        return None
    ratio = b.value / a.value
    down = math.log(b.value / b.interval.low), math.log(a.interval.high / a.value)
    up = math.log(b.interval.high / b.value), math.log(a.value / a.interval.low)
    is_range = a.interval.level is None or b.interval.level is None
    low, high = (sum(halves) if is_range else math.hypot(*halves) for halves in (down, up))
    return Interval(
        low=ratio * math.exp(-low),
        high=ratio * math.exp(high),
        level=None if is_range else LEVEL,
        covers=_covers(a.interval, b.interval),
    )


def _covers(a: Interval, b: Interval) -> str:
    return a.covers if a.covers == b.covers else f"A: {a.covers}; B: {b.covers}"


def ratio_of_starts(a: Sequence[float], b: Sequence[float]) -> Interval | None:
    """Return the interval of mean b ÷ mean a over engine starts, geometric means.

    Welch's t on logarithms (Welch, The generalization of Student's problem when several
    different population variances are involved, Biometrika 34, 1947). None below three starts
    on a side, or where a value is not above 0.
    """
    if min(len(a), len(b)) < LEAST_STARTS or min(*a, *b) <= 0:
        return None
    sides = [np.log(np.asarray(side, dtype=np.float64)) for side in (a, b)]
    errors = [float(side.var(ddof=1)) / len(side) for side in sides]
    middle = float(sides[1].mean() - sides[0].mean())
    if sum(errors) == 0:
        half = 0.0
    else:
        shares = sum(e**2 / (len(s) - 1) for e, s in zip(errors, sides, strict=True))
        half = students_t(sum(errors) ** 2 / shares) * sum(errors) ** 0.5
    return Interval(
        low=math.exp(middle - half), high=math.exp(middle + half), level=LEVEL, covers=ACROSS
    )
