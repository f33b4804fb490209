"""The sheet of purchases: what is bought over the years, renewed, written off and sold."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.report.workbook.formula import (
    Operand,
    Term,
    any_of,
    if_,
    largest,
    least,
    sum_of_products,
    term,
    total,
)
from tco.report.workbook.horizon import Years
from tco.report.workbook.own import one_off_usd, residual_usd
from tco.report.workbook.page import Page
from tco.report.workbook.steps import MONEY, Given
from tco.scenario import Scenario

# Two times that differ by less are one.
ROUNDING = 1e-9
# Renewals beyond those of the horizon, so that a life can be made shorter here.
_MORE_LIVES, _LEAST_LIVES = 2, 4
_TITLES = (
    "What is bought",
    "Bought after, years",
    "Sold after, years",
    "Servers",
    "Paid, USD",
    "Sold for, USD",
    "Book value then, USD",
    "Sold for, after tax, USD",
    "Present value of the price",
    "Present value of the sale",
    "Written off a year, USD",
)
_AT, _END, _SERVERS, _PAID, _VALUE, _BOOK, _NET, _PV_PAID, _PV_SOLD, _OFF, _YEARS = range(1, 12)


@dataclass(frozen=True, slots=True)
class Purchases:
    """The sheet and its columns, as ranges.

    Attributes:
        too_many: whether the inputs ask for more renewals or years than there are rows.
        written_off: what each year writes off for tax.
    """

    page: Page
    at: Term
    at_cells: tuple[Term, ...]
    end: Term
    paid: Term
    present_paid: Term
    net: Term
    paid_at_start: Term
    present_usd: Term
    written_off: tuple[Term, ...]
    too_many: Term


@dataclass(frozen=True, slots=True)
class _Bought:
    """One purchase: when, what is paid for it, and what is left of it."""

    title: str
    at: Term
    end: Term
    paid: Operand
    value: Operand
    book: Operand
    written_off: Operand


def purchases_page(scenario: Scenario, given: Given, years: Years, banner: str | None) -> Purchases:
    """Return the sheet of purchases."""
    page = Page("Purchases", (34, *(13,) * 3, *(15,) * 7, *(13,) * years.count()), landscape=True)
    page.head(
        "Purchases",
        banner,
        "Servers are bought again at each end of their life within the horizon, at the price of "
        "that time. One that the horizon cuts is sold for the residual and the straight-line "
        "share of the rest of its price that its life had left.",
    )
    titles = [f"Written off in year {year + 1}" for year in range(years.count())]
    page.heading(*_TITLES, *titles, frozen=True)
    first = page.row
    _write_one_offs(page, given, years)
    lives = _lives(scenario, given, years)
    life = given("hardware.purchase.life_years", 1.0)
    for year in range(len(years.servers) if lives else 0):
        for nth in range(lives):
            _write_servers(page, (year, nth), given, years)
    rows = page.row - first
    span = years.horizon / life
    too_many = [years.horizon > years.count() + ROUNDING]
    if lives:
        too_many.append(span > lives + ROUNDING)
    paid, at = page.down(first, _PAID, rows), page.down(first, _AT, rows)
    present = total(page.down(first, _PV_PAID, rows)) - total(page.down(first, _PV_SOLD, rows))
    written = [total(page.down(first, _YEARS + year, rows)) for year in range(years.count())]
    page.put(0, "Together", "total")
    present_usd = page.put(_PV_PAID, present, "total", MONEY)
    return Purchases(
        page=page,
        at=at,
        at_cells=tuple(page.cell(first + row, _AT) for row in range(rows)),
        end=page.down(first, _END, rows),
        paid=paid,
        present_paid=page.down(first, _PV_PAID, rows),
        net=page.down(first, _NET, rows),
        paid_at_start=sum_of_products(paid * (at <= ROUNDING)),
        present_usd=present_usd,
        written_off=tuple(written),
        too_many=any_of(*too_many),
    )


def _lives(scenario: Scenario, given: Given, years: Years) -> int:
    if scenario.hardware.purchase is None:
        return 0
    life = float(given("hardware.purchase.life_years").number())
    return max(
        math.ceil(float(years.horizon.number()) / life - ROUNDING) + _MORE_LIVES, _LEAST_LIVES
    )


def _write_one_offs(page: Page, given: Given, years: Years) -> None:
    """Write what is paid once for the whole fleet."""
    bought = _Bought(
        title="Network, racks, migration",
        at=page.put(_AT, term(0.0), "live", "0.0##"),
        end=page.put(_END, years.horizon, "live", "0.0##"),
        paid=one_off_usd(given),
        value=0.0,
        book=0.0,
        written_off=one_off_usd(given) / years.horizon,
    )
    _write(page, bought, given, years)


def _write_servers(page: Page, place: tuple[int, int], given: Given, years: Years) -> None:
    """Write the servers added in a year, for the n-th time."""
    (year, nth), key = place, "hardware.purchase."
    life = given(f"{key}life_years")
    added = years.servers[0] if year == 0 else years.servers[year] - years.servers[year - 1]
    due = year + nth * life if nth else term(float(year))
    at = page.put(_AT, least(due, years.horizon), "live", "0.0##")
    servers = page.put(_SERVERS, if_(due < years.horizon - ROUNDING, added, 0.0), "live", "0.##")
    end = page.put(_END, least(at + life, years.horizon), "live", "0.0##")
    change = (1 + given("finance.refresh_price_change_per_year")) ** at
    price = given(f"{key}price_usd") * change
    paid = price + given(f"{key}one_off_usd")
    residual = residual_usd(given) * change
    book = residual
    if given.has("finance.tax_book_value_share"):
        book = given("finance.tax_book_value_share") * price
    left = 1 - (end - at) / life
    again = f", renewed {nth}×" if nth else ""
    _write(
        page,
        _Bought(
            title=f"Servers of year {year + 1}{again}",
            at=at,
            end=end,
            paid=servers * paid,
            value=servers * (residual + (price - residual) * left),
            book=servers * (book + (paid - book) * left),
            written_off=servers * (paid - book) / life,
        ),
        given,
        years,
    )


def _write(page: Page, bought: _Bought, given: Given, years: Years) -> None:
    page.put(0, bought.title, "label")
    at, end = bought.at, bought.end
    paid = page.put(_PAID, term(bought.paid), "live", MONEY)
    value = page.put(_VALUE, term(bought.value), "live", MONEY)
    book = page.put(_BOOK, term(bought.book), "live", MONEY)
    tax = given("finance.tax_rate")
    net = page.put(_NET, value - tax * (value - book), "live", MONEY)
    rate = 1 + given("finance.discount_rate")
    page.put(_PV_PAID, paid / rate**at, "live", MONEY)
    page.put(_PV_SOLD, net / rate**end, "live", MONEY)
    written_off = page.put(_OFF, term(bought.written_off), "live", MONEY)
    for year in range(years.count()):
        held = largest(least(end, year + 1.0) - largest(at, float(year)), 0.0)
        page.put(_YEARS + year, written_off * held, "live", MONEY)
    page.row += 1
