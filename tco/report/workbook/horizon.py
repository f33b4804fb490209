"""The years of the cash flow: how long each is within the horizon, its fleet and its cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tco.report.workbook.cost import Cost
from tco.report.workbook.fleet import Fleet
from tco.report.workbook.formula import Term, largest, least, total
from tco.report.workbook.own import cost_lines, horizon_years, power_ends
from tco.report.workbook.page import Page
from tco.report.workbook.steps import MONEY, STEPS, Given
from tco.report.workbook.timeline import START, Row, years_row
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, SECONDS_PER_YEAR

# Columns beyond the horizon, so that it can be made longer here.
_MORE_YEARS, _LEAST_YEARS = 2, 5
_OPERATIONS = ("maintenance", "licence", "hosting", "staff", "other")
_YEARLY = ("replicas", "servers", "utilisation", "filled_share")


@dataclass(frozen=True, slots=True)
class Years:
    """The years, as rows of cells.

    Attributes:
        starts: 0, 1, …; `lengths` 0 to 1; `ends` at most the horizon.
        factors: on a flow at each year's end, for its present value.
        servers: paid in each year of a demand that changes; else those of the first.
        requests: served in each year that is whole.
        running: own running cost, before tax.
    """

    horizon: Term
    starts: Row
    lengths: Row
    ends: Row
    factors: Row
    servers: tuple[Term, ...]
    requests: tuple[Term, ...]
    running: Row

    def count(self) -> int:
        """Return how many years there is room for."""
        return len(self.starts.cells)


def years_of(page: Page, scenario: Scenario, given: Given, cost: Cost) -> Years:
    """Write the years: lengths, discount factors, the fleet of each, and own running cost."""
    stated = horizon_years(scenario, given)
    count = max(math.ceil(float(stated.number())) + _MORE_YEARS, _LEAST_YEARS)
    page.put(0, "Horizon", "label")
    horizon = page.put(1, stated, "key", '0.0## "years"', name="horizon_years")
    page.row += 1
    page.put(0, "Year", "column")
    page.put(1, "", "column")
    page.put(START, "start", "figures")
    for year in range(1, count + 1):
        page.put(START + year, float(year), "figures", '"year "0')
    page.frozen, page.repeated_row = (page.row + 1, 1), page.row
    page.row += 1
    starts = years_row(page, "Begins after, years", [float(n) for n in range(count)], "0", "given")
    inside = [largest(least(horizon - each, 1.0), 0.0) for each in starts.cells]
    lengths = years_row(page, "How much of it is within the horizon", inside, "0.0##")
    until = [least(each + 1, horizon) for each in starts.cells]
    ends = years_row(page, "Ends after, years", until, "0.0##")
    rate = 1 + given("finance.discount_rate")
    discounts = [1.0 / rate**each for each in ends.cells]
    factors = years_row(page, "Discount factor", discounts, "0.0000")
    fleets = _fleets(page, scenario, given, cost, count)
    return Years(
        horizon=horizon,
        starts=starts,
        lengths=lengths,
        ends=ends,
        factors=factors,
        servers=tuple(each.servers for each in fleets[: len(scenario.traffic.by_year or (1,))]),
        requests=tuple(
            each.replicas * each.utilisation * cost.own.sizing.capacity * SECONDS_PER_YEAR
            for each in fleets
        ),
        running=_running(page, scenario, given, (cost, fleets, lengths)),
    )


def _fleets(
    page: Page, scenario: Scenario, given: Given, cost: Cost, count: int
) -> tuple[Fleet, ...]:
    """Return each year's fleet; servers once bought stay, busy or not."""
    by_year = scenario.traffic.by_year or ()
    first = cost.own.fleet
    if len(by_year) <= 1:
        return (first,) * count
    demand = cost.own.demand
    if demand is None:
        return (first,) * count
    page.section("The fleet, as the demand grows")
    factors = [
        1.0 if year == 0 else given(f"traffic.by_year.{min(year, len(by_year) - 1)}")
        for year in range(count)
    ]
    shown = years_row(page, "Demand, of the first year's", factors, "0.0##%")
    rows = {key: page.row + at for at, key in enumerate(_YEARLY)}
    for key, row in rows.items():
        page.put(0, STEPS[key].label, "label", row=row)
    page.row += len(rows)
    is_bought = scenario.hardware.purchase is not None
    fleets: list[Fleet] = []
    for year, factor in enumerate(shown.cells):
        let = _placing(page, rows, START + 1 + year)
        average, peak = (each * factor for each in demand)
        if not (is_bought and fleets):
            fleets.append(cost.own.sizing.of_demand(average, peak, let))
            continue
        sized = cost.own.sizing.of_demand(average, peak, _inline)
        replicas = let("replicas", largest(fleets[-1].replicas, sized.replicas))
        servers = let("servers", largest(fleets[-1].servers, sized.servers))
        fleets.append(cost.own.sizing.busy(average, replicas, servers, let))
    return tuple(fleets)


def _placing(page: Page, rows: dict[str, int], column: int) -> Callable[[str, Term], Term]:
    def let(key: str, formula: Term) -> Term:
        return page.put(column, formula, "live", STEPS[key].form, row=rows[key])

    return let


def _inline(_: str, formula: Term) -> Term:
    return formula


def _running(
    page: Page, scenario: Scenario, given: Given, of: tuple[Cost, tuple[Fleet, ...], Row]
) -> Row:
    """Write what running costs in each year, before tax."""
    cost, fleets, lengths = of
    page.section("Running the own fleet, USD, before tax")
    own = cost.own
    growth = 1 + given("operations.growth_per_year")
    power_growth = 1 + given("power.price_growth_per_year")
    operations, power, rental = [], [], []
    for year, (fleet, length) in enumerate(zip(fleets, lengths.cells, strict=True)):
        lines, usd_per_hour = own.lines, own.lines["power"]
        if fleet is not own.fleet:
            lines = cost_lines(scenario, given, fleet, own.sizing, _inline)
            idle, full = power_ends(given, fleet, _inline)
            usd_per_hour = idle + (full - idle) * fleet.utilisation
        per_hour = lines[_OPERATIONS[0]]
        for name in _OPERATIONS[1:]:
            per_hour = per_hour + lines[name]
        operations.append(per_hour * HOURS_PER_YEAR * growth**year * length)
        power.append(usd_per_hour * HOURS_PER_YEAR * power_growth**year * length)
        rental.append(lines["rental"] * HOURS_PER_YEAR * length)
    rows = [
        years_row(page, title, figures, MONEY).cells
        for title, figures in (
            ("Operations, growing", operations),
            ("Electricity, at a growing price", power),
            ("Rental", rental),
        )
    ]
    summed = [total(a, b, c) for a, b, c in zip(*rows, strict=True)]
    return years_row(page, "Running cost", summed, MONEY, "total")
