"""The sheet of the cash flow: the years of owning against each API, and what comes of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.report.headline import label, none_because
from tco.report.workbook.against import YearFigure
from tco.report.workbook.api import Offer
from tco.report.workbook.cost import Cost
from tco.report.workbook.formula import Term, if_, sum_of_products
from tco.report.workbook.horizon import Years, years_of
from tco.report.workbook.page import Chart, Greyed, Page, Series, letters
from tco.report.workbook.prices import Prices
from tco.report.workbook.purchases import ROUNDING, Purchases, purchases_page
from tco.report.workbook.steps import MONEY, SHARE, Given
from tco.report.workbook.timeline import START, Row, years_row
from tco.report.workbook.utilisation import COLOURS
from tco.report.workbook.workings import Workings
from tco.scenario import Scenario

_TOO_FEW_ROWS = "more years than this file has rows: run tco again"
_TITLES = (
    ("present_value_usd", "Present value of the bill", MONEY),
    ("npv_usd", "Net present value", MONEY),
    ("levelised_saving", "Levelised saving", SHARE),
    ("irr", "Internal rate of return", SHARE),
    ("payback_years", "Payback, without sales", '0.00 "years"'),
    ("discounted_payback_years", "Payback, discounted", '0.00 "years"'),
    ("stress_npv_usd", "Net present value under the stress", MONEY),
    ("stress_levelised_saving", "Levelised saving under the stress", SHARE),
)
# The chart stands beside the figures, under the rows of the flows.
_CHART_ROWS, _BENEATH, _CHART_PX = 16, 3, (470, 290)
_FIT_UPRIGHT = 6  # years


@dataclass(frozen=True, slots=True)
class Cash:
    """The sheets of the years, and each alternative's figures."""

    page: Page
    purchases: Page
    workings: Page
    npv_usd: tuple[Term, ...]
    irr: tuple[Term, ...]
    payback_years: tuple[Term, ...]
    levelised_saving: tuple[Term, ...]
    year_figures: tuple[YearFigure, ...]
    cash_at_start_usd: Term


@dataclass(frozen=True, slots=True)
class _Ownership:
    """What is the same against every alternative."""

    years: Years
    bought: Purchases
    running: Row
    present_usd: Term
    hardware: Row
    hardware_at_start: Term


def cash_pages(scenario: Scenario, cost: Cost, prices: Prices, banner: str | None) -> Cash:
    """Return the sheets of the cash flow, of the purchases, and of their workings."""
    given = prices.given
    page = Page("Cash flow", (46, 16, *(14,) * 8), landscape=True)
    page.head(
        "Cash flow of owning against each alternative",
        banner,
        "USD. Purchases are paid when they come, all other flows at year ends; year 1 is at "
        "today's prices. What falls within a year stands in its column, and is discounted from "
        "its own time.",
    )
    years = years_of(page, scenario, given, cost)
    page.widths = (46, 16, *(14,) * (years.count() + 1))
    page.landscape = years.count() > _FIT_UPRIGHT
    bought = purchases_page(scenario, given, years, banner)
    own = _ownership(page, given, years, bought)
    workings = Workings.of(years, bought, banner)
    figures = []
    for offer, stale in zip(prices.offers, prices.stale, strict=True):
        with page.withheld(stale), workings.page.withheld(stale):
            figures.append(_against(page, offer, (cost, prices), own, workings))
    _grey_out(page, years)
    return Cash(
        page,
        bought.page,
        workings.page,
        npv_usd=tuple(each["npv_usd"] for each in figures),
        irr=tuple(each["irr"] for each in figures),
        payback_years=tuple(each["payback_years"] for each in figures),
        levelised_saving=tuple(each["levelised_saving"] for each in figures),
        year_figures=tuple(
            (title, tuple(each[name] for each in figures), form) for name, title, form in _TITLES
        ),
        cash_at_start_usd=own.hardware_at_start,
    )


def _ownership(page: Page, given: Given, years: Years, bought: Purchases) -> _Ownership:
    tax = given("finance.tax_rate")
    shield = [tax * each for each in bought.written_off]
    relief = years_row(page, "Tax saved by writing hardware off", shield, MONEY)
    after = [
        run * (1 - tax) - less for run, less in zip(years.running.cells, relief.cells, strict=True)
    ]
    running = years_row(page, "Running cost, after tax", after, MONEY, "total")
    page.section("Hardware, USD: bought and sold (sheet Purchases)")
    paid = [_within(bought.at, bought.paid, year) for year in range(years.count())]
    sold = [_within(bought.end, bought.net, year) for year in range(years.count())]
    at_start = bought.paid_at_start
    spent = years_row(page, "Bought", [-each for each in paid], MONEY, start=-at_start)
    brought = years_row(page, "Sold, after tax", sold, MONEY)
    both = [a + b for a, b in zip(spent.cells, brought.cells, strict=True)]
    hardware = years_row(page, "Hardware", both, MONEY, "total", start=-at_start)
    start = page.cell(page.row - 1, START)
    page.put(0, "Present value of owning, all costs less sales", "label")
    present = sum_of_products(running.range * years.factors.range) + bought.present_usd
    present_usd = page.put(1, present, "key", MONEY, name="own_present_value_usd")
    page.row += 1
    return _Ownership(years, bought, running, present_usd, hardware, start)


def _within(times: Term, amounts: Term, year: int) -> Term:
    """Return what falls after the year's start, up to its end."""
    after, until = times > float(year) + ROUNDING, times <= float(year + 1) + ROUNDING
    return sum_of_products(amounts * after * until)


def _against(
    page: Page,
    offer: Offer,
    of: tuple[Cost, Prices],
    own: _Ownership,
    workings: Workings,
) -> dict[str, Term]:
    """Write the flows against one alternative, and return its figures."""
    (_, prices), years, given = of, own.years, of[1].given
    # No chart is cut by the end of a page: it holds two parts upright, one across.
    if page.landscape or offer.index % 2:
        page.breaks.append(page.row)
    page.section(f"Against {label(offer.result)}")
    usd = prices.usd_per_request[offer.index]
    change = 1 + given("finance.api_price_change_per_year")
    bills = [
        usd * requests * change**year * length
        for year, (requests, length) in enumerate(
            zip(years.requests, years.lengths.cells, strict=True)
        )
    ]
    bill = years_row(page, "Bill there, before tax", bills, MONEY)
    kept = 1 - given("finance.tax_rate")
    saved = years_row(page, "Bill saved, after tax", [b * kept for b in bill.cells], MONEY)
    nets = [s - r for s, r in zip(saved.cells, own.running.cells, strict=True)]
    net = years_row(page, "Bill saved less running cost", nets, MONEY)
    flows = [n + h for n, h in zip(net.cells, own.hardware.cells, strict=True)]
    flow = years_row(page, "Net cash flow", flows, MONEY, "total", start=own.hardware_at_start)
    row = page.row - 1
    summed = [page.cell(row, START)]
    for each in flow.cells:
        summed.append(summed[-1] + each)
    years_row(page, "Summed up", summed[1:], MONEY, start=summed[0])
    stress = 1 + given("finance.stress_api_price_change_per_year")
    stressed = [
        usd * requests * stress**year * length * kept
        for year, (requests, length) in enumerate(
            zip(years.requests, years.lengths.cells, strict=True)
        )
    ]
    under_stress = years_row(
        page, "Bill saved, after tax, if its price changes as the stress says", stressed, MONEY
    )
    first = page.row
    figures = _figures(page, offer, own, (saved, net, under_stress), workings)
    _chart(page, offer, years, row)
    page.row = max(page.row, first + _CHART_ROWS)
    return figures


def _figures(
    page: Page,
    offer: Offer,
    own: _Ownership,
    rows: tuple[Row, Row, Row],
    workings: Workings,
) -> dict[str, Term]:
    saved, net, under_stress = rows
    factors, too_many = own.years.factors.range, own.bought.too_many
    bill = sum_of_products(saved.range * factors)
    stressed = sum_of_products(under_stress.range * factors)
    found = workings.add(label(offer.result), net.range)
    zero = none_because("zero_price")
    formulas = {
        "present_value_usd": bill,
        "npv_usd": bill - own.present_usd,
        "levelised_saving": if_(bill > 0, 1 - own.present_usd / bill, zero),
        "irr": found.irr,
        "payback_years": found.payback,
        "discounted_payback_years": found.discounted,
        "stress_npv_usd": stressed - own.present_usd,
        "stress_levelised_saving": if_(stressed > 0, 1 - own.present_usd / stressed, zero),
    }
    cells = {}
    for name, title, form in _TITLES:
        page.put(0, title, "label")
        shown = if_(too_many, _TOO_FEW_ROWS, formulas[name])
        cells[name] = page.put(1, shown, "key", form, name=f"api_{offer.index}_{name}")
        page.row += 1
    return cells


def _chart(page: Page, offer: Offer, years: Years, row: int) -> None:
    # Years that a longer horizon would use are left out.
    several = math.ceil(float(years.horizon.number()) - ROUNDING) + 1
    heads = page.repeated_row or 0
    xs = page.across(heads, START, several).text
    page.charts.append(
        Chart(
            kind="columns",
            title=f"Net cash flow against {label(offer.result)}, USD, and summed up",
            x_title="",
            y_title="",
            series=(
                Series(page.address(row, 0), xs, page.across(row, START, several).text, COLOURS[0]),
                Series(
                    page.address(row + 1, 0),
                    xs,
                    page.across(row + 1, START, several).text,
                    COLOURS[1],
                ),
            ),
            row=row + _BENEATH,
            column=START + 1,
            y_form="$#,##0",
            width=_CHART_PX[0],
            height=_CHART_PX[1],
        )
    )


def _grey_out(page: Page, years: Years) -> None:
    """Show years beyond the horizon in grey: they are there to be used by a longer one."""
    first, last = START + 1, START + years.count()
    top, row = page.repeated_row or 0, years.lengths.cells[0].text.rpartition("$")[2]
    page.greyed.append(Greyed(top, first, page.row, last, f"{letters(first)}${row}=0"))
