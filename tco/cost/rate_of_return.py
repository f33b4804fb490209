"""The internal rate of return: the rates at which a cash flow is worth nothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.cost.finance import CashFlow
from tco.cost.number import FloatArray, Number, as_number

# x = 1/(1+r) from a return of a billion times the sum a year down to a loss of all but a trace.
_X_GRID = np.geomspace(1e-12, 1e4, 8001)
_HALVINGS = 64  # of the whole grid, in logarithms: finer than a double can tell
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
    all crossings are looked for. Points that share their times are solved together.
    """
    times, flows = flow.net()
    points, length = flows.shape[:-1], flows.shape[-1]
    rows = flows.reshape(-1, length)
    rate, roots = np.empty(len(rows)), np.empty(len(rows))
    schedules, group = np.zeros((1, length)), np.zeros(len(rows), dtype=int)
    if times.ndim == 1:
        schedules[0] = times
    else:
        schedules, group = np.unique(times.reshape(-1, length), axis=0, return_inverse=True)
    for index, schedule in enumerate(schedules):
        mine = group == index
        rate[mine], roots[mine] = _of_schedule(rows[mine], schedule)
    return RateOfReturn(as_number(rate.reshape(points)), as_number(roots.reshape(points)))


def irr(flow: CashFlow) -> Number:
    """Return the rate of return alone; NaN where there is none, or several."""
    return rate_of_return(flow).rate


def _of_schedule(flows: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    scale = np.max(np.abs(flows), axis=-1, keepdims=True)
    flows = flows / np.where(scale > 0, scale, 1.0)
    low, high = np.full(len(flows), _X_GRID[0]), np.full(len(flows), _X_GRID[-1])
    changes = _sign_changes(flows)
    roots = (changes == 1) & (_sign(low, flows, times) * _sign(high, flows, times) < 0)
    roots = roots.astype(float)
    often = np.flatnonzero(changes > 1)
    for first in range(0, len(often), _AT_ONCE):
        some = often[first : first + _AT_ONCE]
        roots[some], low[some], high[some] = _crossings(flows[some], times)
    rate = np.full(len(flows), np.nan)
    one = roots == 1
    rate[one] = 1 / _halved(low[one], high[one], flows[one], times) - 1
    return rate, roots


def _sign_changes(flows: FloatArray) -> NDArray[np.int_]:
    changes = np.zeros(len(flows), dtype=int)
    last = np.zeros(len(flows))
    for sign in np.sign(flows).T:
        changes += sign * last < 0
        last = np.where(sign != 0, sign, last)
    return changes


def _powers(x: FloatArray, times: FloatArray) -> FloatArray:
    """Discount factors in units of the last one where that exceeds 1: same sign, no overflow."""
    at = x[:, None]
    powers: FloatArray = at ** np.where(at > 1, times - times[-1], times)
    return powers


def _sign(x: FloatArray, flows: FloatArray, times: FloatArray) -> FloatArray:
    return np.asarray(np.sign(np.sum(flows * _powers(x, times), axis=-1)))


def _crossings(flows: FloatArray, times: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Count where the value crosses or meets 0 on the grid, and return the first bracket."""
    signs = np.sign(flows @ _powers(_X_GRID, times).T)
    crossed = np.concatenate([signs[:, :-1] * signs[:, 1:] < 0, signs[:, -1:] == 0], axis=-1)
    met = signs == 0
    met[:, -1] = False
    first = np.argmax(crossed | met, axis=-1)
    low = _X_GRID[first]
    after = np.where(np.take_along_axis(met, first[:, None], axis=-1)[:, 0], first, first + 1)
    high = _X_GRID[np.minimum(after, len(_X_GRID) - 1)]
    return (crossed | met).sum(axis=-1).astype(float), low, high


def _halved(low: FloatArray, high: FloatArray, flows: FloatArray, times: FloatArray) -> FloatArray:
    """Return the root between; by halves of the logarithm, since the range spans 16 powers of 10.

    scipy.optimize would take 0.4 s to import for these few lines.
    """
    lower, upper = np.log(low), np.log(high)
    sign_low = _sign(low, flows, times)
    for _ in range(_HALVINGS):
        middle = (lower + upper) / 2
        same = _sign(np.exp(middle), flows, times) == sign_low
        lower, upper = np.where(same, middle, lower), np.where(same, upper, middle)
    return np.asarray(np.exp((lower + upper) / 2))
