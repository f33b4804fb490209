"""From a scenario to the terms of its cash flow: horizon, changes over the years, tax."""

from __future__ import annotations

from collections.abc import Mapping

from tco.cost.cash import CashTerms
from tco.cost.number import FloatArray, Number
from tco.cost.reader import Reader
from tco.scenario import Scenario

# A rental has no life of its own; where no horizon is stated its cash flow spans this.
RENTAL_HORIZON_YEARS = 3.0


def cash_terms_of(
    scenario: Scenario, overrides: Mapping[str, FloatArray] | None = None
) -> tuple[CashTerms, frozenset[str]]:
    """Return the terms of the scenario's cash flow, and which override keys they took."""
    read = Reader(scenario, overrides or {})
    finance, book = "finance.", "finance.tax_book_value_share"
    by_year = scenario.traffic.by_year or (None,)
    terms = CashTerms(
        horizon_years=horizon_years(read),
        operations_growth_per_year=read("operations.growth_per_year"),
        power_price_growth_per_year=read("power.price_growth_per_year"),
        api_price_change_per_year=read(finance + "api_price_change_per_year"),
        refresh_price_change_per_year=read(finance + "refresh_price_change_per_year"),
        tax_rate=read(finance + "tax_rate"),
        tax_book_value_share=read(book) if read.given(book) else None,
        demand_by_year=tuple(read(f"traffic.by_year.{year}", 1.0) for year in range(len(by_year))),
    )
    return terms, frozenset(read.used)


def horizon_years(read: Reader) -> Number:
    """Return the horizon: as stated, else the life of a purchase, else a rental's."""
    if read.given("finance.horizon_years"):
        return read("finance.horizon_years")
    if read.scenario.hardware.purchase is not None:
        return read("hardware.purchase.life_years")
    return RENTAL_HORIZON_YEARS
