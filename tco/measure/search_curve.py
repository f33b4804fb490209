"""The closed-loop curve of a search: concurrency doubles until more brings nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tco.measure.tried import Tried

FIRST_STREAMS: Final = 8
LEAST_GAIN: Final = 0.02
UNKNOWN_NOISE: Final = 0.03
MOST_NOISE: Final = 0.1
REFINEMENTS: Final = 2
_LEAST_RATIO = 1.25  # of two neighbours with room for a point between them


def curve_of(tried: Sequence[Tried]) -> list[Tried]:
    """Return the closed loops in order of their streams."""
    closed = [one for one in tried if one.load.streams is not None]
    return sorted(closed, key=_streams)


def best_of(tried: Sequence[Tried]) -> Tried:
    """Return the closed loop of the highest rate."""
    return max(curve_of(tried), key=lambda one: one.requests_per_s)


def next_streams(tried: Sequence[Tried], *, has_slo: bool, most: int) -> int | None:
    """Return the concurrency to hold next; None where the curve is done.

    It doubles while the rate gains more than the noise and the service level is kept, up to
    `most`; where that breaks at the first load, the lightest one is held. Without a service
    level the neighbours of the best are looked at between.
    """
    curve = curve_of(tried)
    if not curve:
        return min(FIRST_STREAMS, most)
    last = curve[-1]
    if has_slo and any(one.keeps is False for one in curve):
        lightest = curve[0]
        return 1 if lightest.keeps is False and _streams(lightest) > 1 else None
    if len(_rising(tried)) == len(tried) and _streams(last) < most and _gains(curve):
        return min(2 * _streams(last), most)
    is_cut_off = last is best_of(curve) and _streams(last) == most
    return None if has_slo or is_cut_off else _between(tried, curve)


def _streams(one: Tried) -> int:
    return one.load.streams or 0


def _rising(tried: Sequence[Tried]) -> list[Tried]:
    """Return the points that were each the highest concurrency so far."""
    return [one for i, one in enumerate(tried) if one is curve_of(tried[: i + 1])[-1]]


def _gains(curve: Sequence[Tried]) -> bool:
    """Say whether the last load served more than the best before, or may have.

    Where a rate's noise is not known one load without gain may be chance; two in a row are not.
    """
    if len(curve) == 1 or _has_gained(curve):
        return True
    is_known = all(one.noise_share is not None for one in curve[-2:])
    return not is_known and _has_gained(curve[:-1])


def _has_gained(curve: Sequence[Tried]) -> bool:
    """Say whether the last rate is above the best before by more than the noise."""
    if len(curve) == 1:
        return True
    best, last = best_of(curve[:-1]), curve[-1]
    noise = [min(MOST_NOISE, one.noise_share or UNKNOWN_NOISE) for one in (best, last)]
    least = max(LEAST_GAIN, math.hypot(*noise))
    return last.requests_per_s > best.requests_per_s * (1 + least)


def _between(tried: Sequence[Tried], curve: list[Tried]) -> int | None:
    """Return the middle between the best and a neighbour, the faster one first."""
    if len(tried) - len(_rising(tried)) >= REFINEMENTS:
        return None
    at = curve.index(best_of(curve))
    beside = [curve[i] for i in (at - 1, at + 1) if 0 <= i < len(curve)]
    for other in sorted(beside, key=lambda one: -one.requests_per_s):
        low, high = sorted((_streams(curve[at]), _streams(other)))
        if high >= _LEAST_RATIO**2 * low:
            return round(math.sqrt(low * high))
    return None
