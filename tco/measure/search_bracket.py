"""The bracket of a search: the highest rate that kept the service level, the lowest that did not.

Where a service level's quantile stands to its limit (the strain) is roughly a power of the
rate between two near rates, so the capacity is guessed on a line through their logarithms.
The next rate is put so that its verdict closes the bracket if the guess is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from tco.measure.tried import Tried

TOLERANCE: Final = 0.05
_STEP = 1.048  # two rates this far apart are a bracket narrow enough
_FAR_STEP = 1.12
_FAR_STRAIN = 1.25
_OPEN_SHARE = 0.95  # of a closed loop's rate: arrivals by chance queue where streams do not
_SATURATED_SHARE = 0.95
_EDGE = 0.15  # the guess stays so far from both ends of the bracket
_MANY_SINCE = 3
_JUMP = 1.3
_MOST_STEP = 2.0
_MOST_OPEN = 16
_LOW, _HIGH = 0, 1  # the ends of a bracket
_LOWEST_SHARE = 0.5  # of the lightest closed loop's rate


def is_narrow(low: float | None, high: float | None) -> bool:
    """Say whether the bracket is within 5 %."""
    return low is not None and high is not None and high <= low * (1 + TOLERANCE)


def bracket_of(opened: Sequence[Tried]) -> tuple[float | None, float | None]:
    """Return the highest rate that kept the service level below the lowest that did not.

    A rate measured again counts by its last verdict. A rate above one that failed is no
    evidence: chance let it pass.
    """
    verdicts = {_rate(one): one.keeps for one in opened if one.keeps is not None}
    high = min((rate for rate, keeps in verdicts.items() if not keeps), default=None)
    kept = [rate for rate, keeps in verdicts.items() if keeps and (high is None or rate < high)]
    return max(kept, default=None), high


def _rate(one: Tried) -> float:
    return one.load.requests_per_s or 0.0


def first_guess(curve: Sequence[Tried]) -> float | None:
    """Return the open-loop rate to begin with, by the closed loops; None if none kept it."""
    kept = [one for one in curve if one.keeps is not False]
    broke = [one for one in curve if one.keeps is False]
    if not kept:
        return None
    low = max(kept, key=lambda one: one.requests_per_s)
    if not broke:
        return _SATURATED_SHARE * low.requests_per_s
    high = min(broke, key=lambda one: one.load.streams or 0)
    if high.requests_per_s <= low.requests_per_s:
        return _OPEN_SHARE * high.requests_per_s
    share = _crossing(low.strain, high.strain)
    rise = high.requests_per_s / low.requests_per_s
    return _OPEN_SHARE * low.requests_per_s * math.pow(rise, share)


def _crossing(low: float | None, high: float | None) -> float:
    """Return where between two strains the limit lies, 0 to 1 on the log scale."""
    if not low or not high or not low < 1 < high:
        return 0.5
    share = -math.log(low) / (math.log(high) - math.log(low))
    return min(1 - _EDGE, max(_EDGE, share))


def next_rate(opened: Sequence[Tried], curve: Sequence[Tried]) -> float | None:
    """Return the rate to offer next (requests/s); None where the search ends."""
    low, high = bracket_of(opened)
    if len(opened) >= _MOST_OPEN:
        return None
    if low is None:
        return _lower(opened, curve)
    if high is None:
        return _higher(opened, curve, low)
    if is_narrow(low, high):
        return _doubtful(opened, low, high)
    return _between(opened, low, high)


def _between(opened: Sequence[Tried], low: float, high: float) -> float:
    if high <= low * _STEP * 1.01:
        return math.sqrt(low * high)
    strains = [_last_at(opened, rate).strain for rate in (low, high)]
    guess = low * math.pow(high / low, _crossing(*strains))
    if high <= low * _STEP**2 or guess <= low * _STEP:
        return low * _STEP
    return high / _STEP if guess >= high / _STEP else guess / math.sqrt(_STEP)


def _lower(opened: Sequence[Tried], curve: Sequence[Tried]) -> float | None:
    """Return a rate below all that failed; None below half of the lightest load's."""
    lowest = min(opened, key=_rate)
    lightest = min((one.requests_per_s for one in curve), default=0.0)
    if len(opened) > 1 and _rate(lowest) <= _LOWEST_SHARE * lightest:
        return None
    is_near = lowest.strain is not None and lowest.strain < _FAR_STRAIN
    return _rate(lowest) / _step(opened, _LOW, is_near=is_near)


def _higher(opened: Sequence[Tried], curve: Sequence[Tried], low: float) -> float:
    """Return a rate above all that kept it, not far above the fastest closed loop."""
    strain = _last_at(opened, low).strain or 0.0
    higher = low * _step(opened, _HIGH, is_near=strain > 1 / _FAR_STRAIN)
    most = _STEP * max((one.requests_per_s for one in curve), default=0.0)
    return min(higher, most) if low * _STEP <= most else higher


def _step(opened: Sequence[Tried], end: int, *, is_near: bool) -> float:
    """Return a factor that grows with every verdict in a row that left this end unknown.

    Those by which a bracket was narrowed do not count, should its end turn out to be chance.
    """
    in_a_row = 1
    while in_a_row < len(opened) and bracket_of(opened[:-in_a_row])[end] is None:
        in_a_row += 1
    return float(min(_MOST_STEP, (_STEP if is_near else _FAR_STEP) ** (2 ** (in_a_row - 1))))


def _last_at(opened: Sequence[Tried], rate: float) -> Tried:
    return next(one for one in reversed(opened) if _rate(one) == rate)


def _doubtful(opened: Sequence[Tried], low: float, high: float) -> float | None:
    """Return the end of a narrow bracket that one unlucky window may have put in its place.

    It is measured once more: the upper end where the strain jumps or the queue grew there, and
    either end where all of many later verdicts fell on its other side.
    """
    for rate, other in ((high, True), (low, False)):
        at = [i for i, one in enumerate(opened) if _rate(one) == rate]
        since = [one.keeps for one in opened[at[-1] + 1 :]]
        is_alone = len(since) >= _MANY_SINCE and all(keeps is other for keeps in since)
        if len(at) == 1 and (is_alone or (other and _jumps(opened, low, high))):
            return rate
    return None


def _jumps(opened: Sequence[Tried], low: float, high: float) -> bool:
    below, above = (_last_at(opened, rate).strain for rate in (low, high))
    return above is None or (below is not None and above > _JUMP * below)
