"""The search for a capacity: from the points so far, the next load to hold, or why to stop.

Pure: the same points give the same loads, so that an interrupted search can be taken up.
Closed loops of rising concurrency come first (`search_curve`). Without a service level the
best of them is the capacity. With one they say about where it breaks, and open loops narrow
that down (`search_bracket`) to the last rate that kept it and the first that did not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tco.measure.search_bracket import bracket_of, first_guess, is_narrow, next_rate
from tco.measure.search_curve import best_of, curve_of, next_streams
from tco.measure.tried import Load, Tried

MOST_STREAMS: Final = 4096
_LEFT_FOR_OPEN = 3

Reason = Literal["found", "at_bound", "kept_nowhere", "undecided", "out_of_points"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What a search may do.

    Attributes:
        has_slo: whether the capacity is that at a service level.
        most_streams: bound of the concurrency.
        points_left: how many more points the time allows.
    """

    has_slo: bool
    most_streams: int = MOST_STREAMS
    points_left: int = 1000


@dataclass(frozen=True, slots=True)
class Stop:
    """Why the search ends."""

    reason: Reason


@dataclass(frozen=True, slots=True)
class Found:
    """The capacity so far: the index of its point, and the bracket of its rate.

    `low` is the highest rate (requests/s) that kept the service level, `high` the lowest that
    did not; both None without a service level, either None where no such rate is known.
    `keeps` says whether the point kept it (True where there is none).
    """

    index: int
    low: float | None
    high: float | None
    keeps: bool


def next_load(tried: Sequence[Tried], rules: Rules) -> Load | Stop:
    """Return the load to hold next."""
    opened = [one for one in tried if one.load.is_open]
    if not opened:
        streams = next_streams(tried, has_slo=rules.has_slo, most=rules.most_streams)
        keeps = any(one.keeps is not False for one in tried)
        is_short = rules.has_slo and keeps and rules.points_left <= _LEFT_FOR_OPEN
        if streams is not None and not is_short:
            return _within(rules, Load(streams=streams))
    if not rules.has_slo:
        best = best_of(tried)
        return Stop("at_bound" if best.load.streams == rules.most_streams else "found")
    if not opened:
        guess = first_guess(tried)
        return Stop("kept_nowhere") if guess is None else _within(rules, _open(guess))
    return _narrower(tried, opened, rules)


def _narrower(tried: Sequence[Tried], opened: Sequence[Tried], rules: Rules) -> Load | Stop:
    if opened[-1].keeps is None:
        return Stop("undecided")
    rate = next_rate(opened, curve_of(tried))
    if rate is not None:
        return _within(rules, _open(rate))
    low, high = bracket_of(opened)
    if low is None:
        return Stop("kept_nowhere")
    return Stop("found" if is_narrow(low, high) else "at_bound")


def _open(rate: float) -> Load:
    return Load(requests_per_s=float(f"{rate:.4g}"))


def _within(rules: Rules, load: Load) -> Load | Stop:
    return load if rules.points_left > 0 else Stop("out_of_points")


def found(tried: Sequence[Tried], rules: Rules) -> Found:
    """Return the capacity by the points so far; there must be one.

    Where no open loop kept the service level, the fastest closed loop that did stands for it, of
    a rate below all that failed; where there is none, the point of the lowest rate.
    """
    if not rules.has_slo:
        return Found(tried.index(best_of(tried)), None, None, keeps=True)
    opened = [one for one in tried if one.load.is_open]
    low, high = bracket_of(opened) if opened else (None, None)
    if low is not None:
        at_low = [one for one in opened if one.load.requests_per_s == low and one.keeps]
        return Found(tried.index(at_low[-1]), low, high, keeps=True)
    closed = [one for one in curve_of(tried) if one.keeps]
    below = [one for one in closed if high is None or one.requests_per_s < high]
    if below:
        return Found(tried.index(best_of(below)), None, high, keeps=True)
    lowest = min(opened or tried, key=lambda one: one.requests_per_s)
    return Found(tried.index(lowest), None, high, keeps=False)
