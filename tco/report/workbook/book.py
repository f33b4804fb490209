"""The workbook of a comparison, sheet by sheet, before it is written."""

from __future__ import annotations

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.report.document import print_first
from tco.report.workbook.against import add_currency, add_years, against_page
from tco.report.workbook.api import offers_of
from tco.report.workbook.cash import cash_pages
from tco.report.workbook.cost import cost_page
from tco.report.workbook.currency import second_currency
from tco.report.workbook.found import findings_page, method_page, ways_page
from tco.report.workbook.given import figures
from tco.report.workbook.inputs import inputs_page
from tco.report.workbook.page import Sheet
from tco.report.workbook.prices import prices_page
from tco.report.workbook.sensitivity import sensitivity_page
from tco.report.workbook.summary import Results, summary_page
from tco.report.workbook.utilisation import utilisation_page
from tco.scenario import Scenario


def workbook_of(
    comparison: Comparison, scenario: Scenario, measurement: Measurement
) -> tuple[Sheet, ...]:
    """Return the sheets of a comparison's workbook."""
    banner = print_first(comparison, measurement)
    numbers = tuple(figures(scenario, comparison, measurement))
    inputs = inputs_page(scenario, numbers, banner)
    prices = prices_page(offers_of(scenario, comparison), inputs, banner)
    cost = cost_page(scenario, prices.given, banner)
    against = against_page(cost, prices, inputs, banner)
    cash = cash_pages(scenario, cost, prices, banner)
    add_years(against, cash.year_figures)
    currency = second_currency(scenario, inputs)
    if currency is not None:
        add_currency(against, cost, currency, cash.npv_usd)
    pages = [
        summary_page(comparison, Results(inputs, prices, cost, against, cash, currency), banner),
        inputs.page,
        prices.page,
        cost.page,
        against.page,
        utilisation_page(comparison, cost, prices, against, banner),
        cash.page,
        cash.purchases,
    ]
    last = [cash.workings]
    rival = comparison.headline_alternative()
    if rival is not None:
        place = comparison.alternatives.index(rival)
        at = prices.offers[place], against.saving[place]
        sensitivity, cases = sensitivity_page(scenario, numbers, prices, at, banner)
        pages.append(sensitivity)
        last.append(cases)
    ways = ways_page(comparison, banner)
    pages += [] if ways is None else [ways]
    pages += [
        findings_page(comparison, measurement, banner),
        method_page(comparison, banner),
        *last,
    ]
    return tuple(page.sheet() for page in pages)
