"""The internal rate of return: the rates at which a cash flow is worth nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.cost.finance import CashFlow
from tco.cost.number import FloatArray, Number, as_number

# x = 1/(1+r) from a return of a billion times the sum a year down to a loss of all but a trace.
_X_GRID = np.geomspace(1e-12, 1e4, 8001)
_EVERY = 16  # of the grid's points, those that say between which of them no root can lie
_MARGIN = 1 + 1e-6  # more than any rounding of a sum of flows
_STEPS = 100  # of a search that at worst halves the whole grid: finer than a double can tell
_NEAR = 1e-14  # of a step of Newton's, whose error is then far smaller
_AT_ONCE = 512  # points on the grid at a time, which keeps the table of values small


@dataclass(frozen=True, slots=True)
class RateOfReturn:
    """The rate above -1 at which NPV is 0.

    Attributes:
        rate: a share a year; NaN unless exactly one rate does it.
        roots: how many do.
    """

    rate: Number
    roots: Number


def rate_of_return(flow: CashFlow) -> RateOfReturn:
    """Return the IRR (Brealey, Myers & Allen, Principles of Corporate Finance).

    Flows with one change of sign have one rate (Descartes); where they change more often,
    all crossings are looked for. Points that share their times are then solved together.
    """
    times, flows = flow.net()
    points, length = flows.shape[:-1], flows.shape[-1]
    flows = flows.reshape(-1, length)
    times = np.broadcast_to(times, (*points, length)).reshape(-1, length)
    scale = np.max(np.abs(flows), axis=-1, keepdims=True)
    flows = flows / np.where(scale > 0, scale, 1.0)
    low, high = np.full(len(flows), _X_GRID[0]), np.full(len(flows), _X_GRID[-1])
    changes = _sign_changes(flows)
    one = changes == 1
    roots = np.zeros(len(flows))
    roots[one] = _sign(low[one], flows[one], times[one]) != _sign(high[one], flows[one], times[one])
    often = np.flatnonzero(changes > 1)
    for some in _by_schedule(often, times):
        roots[some], low[some], high[some] = _crossings(flows[some], times[some[0]])
    rate = np.full(len(flows), np.nan)
    one = roots == 1
    rate[one] = np.expm1(-_root(np.log(low[one]), np.log(high[one]), flows[one], times[one]))
    return RateOfReturn(as_number(rate.reshape(points)), as_number(roots.reshape(points)))


def _by_schedule(places: NDArray[np.intp], times: FloatArray) -> Iterator[NDArray[np.intp]]:
    """Yield the places of points that share their times, so many at once."""
    if not len(places):
        return
    _, group = np.unique(times[places], axis=0, return_inverse=True)
    for each in range(int(group.max()) + 1):
        mine = places[group == each]
        for first in range(0, len(mine), _AT_ONCE):
            yield mine[first : first + _AT_ONCE]


def irr(flow: CashFlow) -> Number:
    """Return the rate of return alone; NaN where there is none, or several."""
    return rate_of_return(flow).rate


def _sign_changes(flows: FloatArray) -> NDArray[np.int_]:
    changes = np.zeros(len(flows), dtype=int)
    last = np.zeros(len(flows))
    for sign in np.sign(flows).T:
        changes += sign * last < 0
        last = np.where(sign != 0, sign, last)
    return changes


def _powers(log_x: FloatArray, times: FloatArray) -> FloatArray:
    """Discount factors in units of the last one where that exceeds 1: same sign, no overflow."""
    at = log_x[:, None]
    powers: FloatArray = np.exp(at * np.where(at > 0, times - times[..., -1:], times))
    return powers


def _sign(x: FloatArray, flows: FloatArray, times: FloatArray) -> FloatArray:
    return np.asarray(np.sign(np.sum(flows * _powers(np.log(x), times), axis=-1)))


def _crossings(flows: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Count where the value crosses or meets 0 on the grid, and return the first bracket."""
    grid = _X_GRID[_where_roots_may_be(flows, times)]
    values = flows @ _powers(np.log(grid), times).T
    is_above, met = values > 0, values == 0
    crossed = (is_above[:, :-1] ^ is_above[:, 1:]) & ~met[:, :-1] & ~met[:, 1:]
    last = met[:, -1:].copy()
    met[:, -1] = False
    crossed = np.concatenate([crossed, last], axis=-1)
    found = crossed | met
    first = np.argmax(found, axis=-1)
    after = np.where(met[np.arange(len(met)), first], first, first + 1)
    high = grid[np.minimum(after, len(grid) - 1)]
    return found.sum(axis=-1).astype(float), grid[first], high


def _where_roots_may_be(flows: FloatArray, times: FloatArray) -> slice:
    """Return the part of the grid outside of which none of these flows has a value of 0.

    What comes in and what goes out each rise all along between two points of the grid (and fall
    where x is above 1 and they are in units of the last factor), so that where the less of one is
    above the more of the other there is no root.
    """
    log_x = np.log(_X_GRID[::_EVERY])
    powers = _powers(log_x, times).T
    gained, paid = np.maximum(flows, 0) @ powers, np.maximum(-flows, 0) @ powers
    more = gained * _MARGIN, paid * _MARGIN
    is_clear = np.zeros(len(log_x) - 1, dtype=bool)
    falls_from = int(np.searchsorted(log_x, -_NEAR))  # x = 1 is a point of the grid
    for part, less_at, more_at in (
        (slice(0, falls_from), 0, 1),
        (slice(falls_from, len(log_x) - 1), 1, 0),
    ):
        less_end = slice(part.start + less_at, part.stop + less_at)
        more_end = slice(part.start + more_at, part.stop + more_at)
        gains = gained[:, less_end] > more[1][:, more_end]
        pays = paid[:, less_end] > more[0][:, more_end]
        is_clear[part] = (gains | pays).all(axis=0)
    may = np.flatnonzero(~is_clear)
    first, last = (may[0], may[-1] + 1) if len(may) else (0, 1)
    return slice(int(first) * _EVERY, int(last) * _EVERY + 1)


def _root(low: FloatArray, high: FloatArray, flows: FloatArray, times: FloatArray) -> FloatArray:
    """Return log x of the root between, by Newton's steps on log(gained ÷ paid), else by halves.

    That ratio's logarithm is nearly a straight line in log x: its slope is by how much later, on
    average, what comes in is than what goes out (Macaulay durations). scipy.optimize would take
    0.4 s to import for these few lines.
    """
    gained, paid = np.maximum(flows, 0), np.maximum(-flows, 0)
    at: FloatArray = np.clip(0.0, low, high)
    rises = _sign(np.exp(high), flows, times) > 0
    for _ in range(_STEPS):
        powers = _powers(at, times)
        more, less = gained * powers, paid * powers
        sums = more.sum(axis=-1), less.sum(axis=-1)
        is_below = (sums[0] < sums[1]) == rises
        low, high = np.where(is_below, at, low), np.where(is_below, high, at)
        with np.errstate(divide="ignore", invalid="ignore"):
            slope = (more * times).sum(axis=-1) / sums[0] - (less * times).sum(axis=-1) / sums[1]
            step = at - np.log(sums[0] / sums[1]) / slope
        inside = (step >= low) & (step <= high)
        after = np.where(inside, step, (low + high) / 2)
        moved = np.abs(after - at)
        at = after
        if np.all(moved <= _NEAR * np.maximum(1.0, np.abs(at))):
            break
    return at
