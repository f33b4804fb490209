"""The workbook of a comparison, sheet by sheet, before it is written."""

from __future__ import annotations

from tco.comparison import Comparison
from tco.measurement import Measurement
from tco.report.document import print_first
from tco.report.workbook.against import against_page
from tco.report.workbook.api import offers_of
from tco.report.workbook.cost import cost_page
from tco.report.workbook.given import figures
from tco.report.workbook.inputs import inputs_page
from tco.report.workbook.page import Sheet
from tco.report.workbook.prices import prices_page
from tco.report.workbook.utilisation import utilisation_page
from tco.scenario import Scenario


def workbook_of(
    comparison: Comparison, scenario: Scenario, measurement: Measurement
) -> tuple[Sheet, ...]:
    """Return the sheets of a comparison's workbook."""
    banner = print_first(comparison, measurement)
    inputs = inputs_page(scenario, tuple(figures(scenario, comparison, measurement)), banner)
    offers = offers_of(scenario, comparison)
    prices = prices_page(offers, inputs, banner)
    cost = cost_page(scenario, prices.given, banner)
    against = against_page(cost, prices, inputs, banner)
    utilisation = utilisation_page(comparison, cost, prices, against, banner)
    pages = (inputs.page, prices.page, cost.page, against.page, utilisation)
    return tuple(page.sheet() for page in pages)
