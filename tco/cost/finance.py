"""Money over the years: NPV, payback and levelised saving of a cash flow.

Purchases at the start of their time, flows at year ends, rates nominal. The last axis of
every array is time and the axes before it are points, so that one point and a million are
the same code; NaN is "none".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.cost.number import FloatArray, Number, as_number

# Two times that differ by less are one, and a sum this near 0 beside its terms is 0.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class CashFlow:
    """Flows of owning against an API, after tax where there is one.

    Attributes:
        year_ends: 1, 2, …, n; the last may be a part year after the one before. A point
            whose horizon ends sooner repeats its end, with nothing there.
        own_usd: own running cost of each year, positive.
        api_usd: the API bill that it replaces, of each year.
        bought_at_years: when hardware and one-off sums are paid; the first at 0.
        bought_usd: what is paid then, positive.
        sold_at_years: when hardware goes, at the end of its life or of the horizon.
        residual_usd: what it then brings.
    """

    year_ends: FloatArray
    own_usd: FloatArray
    api_usd: FloatArray
    bought_at_years: FloatArray
    bought_usd: FloatArray
    sold_at_years: FloatArray
    residual_usd: FloatArray

    def net(self) -> tuple[FloatArray, FloatArray]:
        """Return times in order, and the net flows [USD]; flows of one time are one."""
        times = joined((self.year_ends, self.bought_at_years, self.sold_at_years))
        flows = joined((self.api_usd - self.own_usd, -self.bought_usd, self.residual_usd))
        return _merged(times, flows)


def joined(parts: Sequence[FloatArray]) -> FloatArray:
    """Return arrays one after another in time, broadcast over their points."""
    points = np.broadcast_shapes(*(part.shape[:-1] for part in parts))
    return np.concatenate(
        [np.broadcast_to(part, (*points, part.shape[-1])) for part in parts], axis=-1
    )


def _merged(times: FloatArray, flows: FloatArray) -> tuple[FloatArray, FloatArray]:
    order = np.argsort(times, axis=-1, kind="stable")
    times = np.take_along_axis(times, order, axis=-1)
    flows = np.take_along_axis(flows, np.broadcast_to(order, flows.shape), axis=-1)
    for at in range(1, times.shape[-1]):
        same = times[..., at] - times[..., at - 1] < ROUNDING
        flows[..., at] += np.where(same, flows[..., at - 1], 0.0)
        flows[..., at - 1] *= ~same
    if times.ndim == 1:
        last = np.append(np.diff(times) >= ROUNDING, True)
        return times[last], flows[..., last]
    return times, flows


def present_value_usd(
    flows_usd: FloatArray, times_years: FloatArray, discount_rate: Number
) -> Number:
    """Return Σ F_t / (1+r)^t, from t = 0 [USD]."""
    growth = 1 + np.asarray(discount_rate, dtype=float)[..., None]
    return as_number(np.sum(flows_usd / growth**times_years, axis=-1))


def own_present_value_usd(flow: CashFlow, discount_rate: Number) -> Number:
    """Return what owning costs over the horizon, less residuals [USD of t = 0].

    Short, Packey & Holt 1995, NREL/TP-462-5173.
    """
    paid = present_value_usd(flow.bought_usd, flow.bought_at_years, discount_rate)
    running = present_value_usd(flow.own_usd, flow.year_ends, discount_rate)
    return paid + running - present_value_usd(flow.residual_usd, flow.sold_at_years, discount_rate)


def npv_usd(flow: CashFlow, discount_rate: Number) -> Number:
    """Return the net present value of owning instead of buying from the API [USD].

    Brealey, Myers & Allen, Principles of Corporate Finance.
    """
    bill = present_value_usd(flow.api_usd, flow.year_ends, discount_rate)
    return bill - own_present_value_usd(flow, discount_rate)


def levelised_saving(flow: CashFlow, discount_rate: Number) -> Number:
    """Return 1 - PV(own costs less residuals) ÷ PV(API bill); NaN where there is no bill."""
    bill = np.asarray(present_value_usd(flow.api_usd, flow.year_ends, discount_rate))
    own = own_present_value_usd(flow, discount_rate)
    with np.errstate(divide="ignore", invalid="ignore"):
        return as_number(np.where(bill > 0, 1 - own / bill, np.nan))


def invested_usd(flow: CashFlow) -> Number:
    """Return what is paid at the start [USD]."""
    return as_number(np.sum(flow.bought_usd * (flow.bought_at_years <= ROUNDING), axis=-1))


def running_sum_usd(flow: CashFlow) -> Number:
    """Return what all flows but the residuals come to at the horizon, undiscounted [USD]."""
    return as_number(np.sum(flow.api_usd - flow.own_usd, axis=-1) - flow.bought_usd.sum(axis=-1))


def payback_years(flow: CashFlow, discount_rate: Number = 0.0) -> Number:
    """Return when the running sum of (discounted) flows without residual first reaches 0.

    Each year's flow is spread evenly over its year (NREL/TP-462-5173); a purchase is paid
    in one sum. NaN where nothing is bought at the start, or the horizon ends first.
    """
    growth = 1 + np.asarray(discount_rate, dtype=float)[..., None]
    yearly = (flow.api_usd - flow.own_usd) / growth**flow.year_ends
    bought = flow.bought_usd / growth**flow.bought_at_years
    times = np.sort(joined((flow.year_ends, flow.bought_at_years)), axis=-1)
    found = np.full(np.broadcast_shapes(yearly.shape[:-1], bought.shape[:-1]), np.nan)
    for at in range(1, times.shape[-1]):
        start, end = times[..., at - 1 : at], times[..., at : at + 1]
        paid = np.sum(bought * (flow.bought_at_years <= start + ROUNDING), axis=-1)
        before = spent_until(yearly, flow.year_ends, start) - paid
        after = spent_until(yearly, flow.year_ends, end) - paid
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.where(before < 0, -before / (after - before), 0.0)
        share = np.where(after >= 0, share, 0.0)
        crossing = start[..., 0] + share * (end - start)[..., 0]
        found = np.where(np.isnan(found) & (after >= 0), crossing, found)
    return as_number(np.where(np.asarray(invested_usd(flow)) > 0, found, np.nan))


def spent_until(yearly_usd: FloatArray, year_ends: FloatArray, until: FloatArray) -> FloatArray:
    """Return what the years have brought until a time, each one's flow even over its year."""
    starts = np.arange(year_ends.shape[-1], dtype=float)
    lengths = year_ends - starts
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(lengths > 0, (until - starts) / lengths, 0.0)
    total: FloatArray = np.sum(yearly_usd * np.clip(share, 0.0, 1.0), axis=-1)
    return total
