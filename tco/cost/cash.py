"""The cash flow of the years against every API, and what comes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from tco.cost.evaluate import Evaluation, Inputs
from tco.cost.finance import (
    ROUNDING,
    CashFlow,
    levelised_saving,
    npv_usd,
    payback_years,
)
from tco.cost.number import FloatArray, Number, at_most_one, require
from tco.cost.purchases import Purchase, purchases
from tco.cost.rate_of_return import irr
from tco.cost.yearly_fleet import evaluations_by_year, is_bought
from tco.units import HOURS_PER_YEAR, SECONDS_PER_YEAR


@dataclass(frozen=True, slots=True)
class CashTerms:
    """How money and demand change over the years; every number may be an array of points.

    Attributes:
        horizon_years: how long the cash flow is; hardware is bought again within it.
        operations_growth_per_year: of operations, from the second year on, as the others.
        refresh_price_change_per_year: of a server's price, from today on.
        tax_rate: on savings, with hardware written off in a straight line; losses are usable
            in the same year.
        tax_book_value_share: of the price, at the end of life; None is the residual.
        demand_by_year: factors on the first year's demand, the first 1; the last one repeats.
    """

    horizon_years: Number
    operations_growth_per_year: Number = 0.0
    power_price_growth_per_year: Number = 0.0
    api_price_change_per_year: Number = 0.0
    refresh_price_change_per_year: Number = 0.0
    tax_rate: Number = 0.0
    tax_book_value_share: Number | None = None
    demand_by_year: tuple[Number, ...] = (1.0,)


# Each figure of a cash flow, from it and the discount rate; NaN is "none". A sweep pays only for
# those it asks for: the IRR is by far the slowest.
CASH_FIGURES: Mapping[str, Callable[[CashFlow, Number], Number]] = MappingProxyType(
    {
        "npv_usd": npv_usd,
        "irr": lambda flow, _: irr(flow),
        "payback_years": lambda flow, _: payback_years(flow),
        "discounted_payback_years": payback_years,
        "levelised_saving": levelised_saving,
    }
)


def cash_flows(inputs: Inputs, evaluation: Evaluation, terms: CashTerms) -> tuple[CashFlow, ...]:
    """Return the flows of owning against each API over the horizon.

    Flow of year t, at its end: the API bill saved less own running cost, year 1 at today's
    prices and each later one changed by (1+g)^(t-1); rent and demand stay unless stated
    (Brealey, Myers & Allen, Principles of Corporate Finance). With tax:
    saving (1 - tau) + tau D. A last part of a year has that share of the flow.

    Args:
        inputs: what the evaluation rests on; the discount rate is the server's.
        evaluation: of the first year.
        terms: of the years.

    Raises:
        ValueError: a horizon not above 0, or another number outside its range.
    """
    own, years = _own(inputs, evaluation, terms)
    kept = 1 - np.asarray(terms.tax_rate, dtype=float)[..., None]
    lengths = _lengths(terms.horizon_years)
    bills = (
        _stacked([_bill_usd(each, index, terms, year) for year, each in enumerate(years)])
        for index in range(len(inputs.alternatives))
    )
    return tuple(dataclasses.replace(own, api_usd=bill * lengths * kept) for bill in bills)


def own_flow(inputs: Inputs, evaluation: Evaluation, terms: CashTerms) -> CashFlow:
    """Return the flows of owning alone: those of `cash_flows`, with no bill saved.

    Raises:
        ValueError: as `cash_flows`.
    """
    return _own(inputs, evaluation, terms)[0]


def _own(
    inputs: Inputs, evaluation: Evaluation, terms: CashTerms
) -> tuple[CashFlow, list[Evaluation]]:
    horizon = np.asarray(terms.horizon_years, dtype=float)
    require(horizon > 0, "horizon_years must be above 0")
    at_most_one(tax_rate=terms.tax_rate)
    lengths = _lengths(horizon)
    count = lengths.shape[-1]
    years = evaluations_by_year(inputs, evaluation, terms.demand_by_year, count)
    bought = _bought(inputs, years, terms)
    kept = 1 - np.asarray(terms.tax_rate, dtype=float)[..., None]
    own = _stacked([_running_usd(each, terms, year) for year, each in enumerate(years)]) * lengths
    flow = CashFlow(
        year_ends=np.minimum(np.arange(count, dtype=float) + 1, horizon[..., None]),
        own_usd=own * kept - _tax_shield(bought, terms.tax_rate, count),
        api_usd=np.zeros(count),
        bought_at_years=_stacked([each.at_years for each in bought]),
        bought_usd=_stacked([each.paid_usd for each in bought]),
        sold_at_years=_stacked([each.sold_at_years for each in bought]),
        residual_usd=_stacked([each.residual_usd(terms.tax_rate) for each in bought]),
    )
    return flow, years


def _lengths(horizon_years: Number) -> FloatArray:
    """Return how long each year is within the horizon, 0 to 1."""
    horizon = np.asarray(horizon_years, dtype=float)
    nth = np.arange(np.ceil(np.max(horizon) - ROUNDING), dtype=float)
    lengths: FloatArray = np.clip(horizon[..., None] - nth, 0.0, 1.0)
    return lengths


def _stacked(by_time: Sequence[Number]) -> FloatArray:
    """Stack along a new last axis, time."""
    return np.stack(np.broadcast_arrays(*by_time), axis=-1).astype(float)


def _bought(inputs: Inputs, years: list[Evaluation], terms: CashTerms) -> tuple[Purchase, ...]:
    """Return the fleet's one-off sums, then all servers."""
    one_offs = Purchase(
        at_years=0.0,
        sold_at_years=terms.horizon_years,
        paid_usd=inputs.one_off.usd,
        value_usd=0.0,
        book_usd=0.0,
        written_off_usd_per_year=inputs.one_off.usd / terms.horizon_years,
    )
    if not is_bought(inputs):
        return (one_offs,)
    servers = [each.fleet.servers for each in years]
    added = [servers[0], *(now - before for before, now in pairwise(servers))]
    while len(added) > 1 and not np.any(added[-1]):
        added.pop()
    bought = purchases(
        inputs.server,
        added,
        terms.horizon_years,
        terms.refresh_price_change_per_year,
        terms.tax_book_value_share,
    )
    return (one_offs, *bought)


def _tax_shield(bought: tuple[Purchase, ...], tax_rate: Number, count: int) -> FloatArray:
    """Return tau D of each year [USD]."""
    if not np.any(tax_rate):
        return np.zeros(count)
    by_year = [each.written_off_usd(count) for each in bought]
    return _stacked([tax_rate * sum(year[1:], year[0]) for year in zip(*by_year, strict=True)])


def _running_usd(at: Evaluation, terms: CashTerms, year: int) -> Number:
    """Return own running cost of a whole year, before tax [USD]."""
    lines = at.lines
    operations = lines.operations * (1 + terms.operations_growth_per_year) ** year
    power = lines.power * (1 + terms.power_price_growth_per_year) ** year
    return (operations + power + lines.rental) * HOURS_PER_YEAR


def _bill_usd(at: Evaluation, index: int, terms: CashTerms, year: int) -> Number:
    """Return the API's bill of a whole year, before tax [USD]."""
    change = (1 + terms.api_price_change_per_year) ** year
    requests = at.served_requests_per_s * SECONDS_PER_YEAR
    return at.rivals[index].usd_per_request * requests * change
