"""The sheet of own cost: every step from the inputs to the cost of a request and of a million."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.report.figures import part_name
from tco.report.workbook.formula import Term, if_
from tco.report.workbook.own import Own, mean_watts, own_of
from tco.report.workbook.page import Chart, Page, Series, Style
from tco.report.workbook.steps import CENTS, HOURLY, LINES, PER_MILLION, STEPS, TINY, Given, Step
from tco.scenario import Scenario
from tco.units import G_PER_KG, HOURS_PER_YEAR, TOKENS_PER_MILLION, W_PER_KW

_KEY = {"usd_per_request"}
_BLUE = "#1F4E79"


@dataclass(frozen=True, slots=True)
class Cost:
    """The sheet, and its cells that other sheets take."""

    page: Page
    own: Own
    requests_per_year: Term
    usd_per_year: Term
    usd_per_million_output: Term
    usd_per_million_total: Term


def cost_page(scenario: Scenario, given: Given, banner: str | None) -> Cost:
    """Return the sheet of own cost."""
    page = Page("Cost", (46, 20, 16, 18, 20, 44))
    page.head("Own cost", banner, "The whole fleet in its first year, step by step.")
    page.heading("Step", "Value", "Unit", "How it is found", words=(2, 3), frozen=True)
    own = own_of(scenario, given, _line(page))
    page.section("What comes of it")
    figures = [_figure(page, *each) for each in _figures(own, given)]
    if scenario.power is not None:
        _footprint(page, own, given)
    _parts(page, own, *figures[:2])
    return Cost(page, own, *figures)


def _line(page: Page) -> Callable[[str, Term], Term]:
    """Return what writes a step on the next row and returns its cell, which has the step's name."""

    def let(key: str, formula: Term) -> Term:
        step = STEPS[key]
        style: Style = "total" if key == "usd_per_hour" else "key" if key in _KEY else "live"
        page.put(0, step.label, "label")
        page.put(2, step.unit, "note")
        page.put(3, step.words, "note")
        cell = page.put(1, formula, style, step.form, name=f"own_{key}")
        page.row += 1
        return cell

    return let


def _figures(own: Own, given: Given) -> tuple[tuple[str, Step, Term], ...]:
    output_tokens = given("traffic.shape.output_tokens")
    tokens = given("traffic.shape.input_tokens") + output_tokens
    per_request = own.usd_per_request
    return (
        (
            "requests_per_year",
            Step("Requests", "requests/year", "#,##0"),
            own.requests_per_hour * HOURS_PER_YEAR,
        ),
        (
            "usd_per_year",
            Step("Own cost", "USD/year", CENTS),
            own.usd_per_hour * HOURS_PER_YEAR,
        ),
        (
            "usd_per_million_output",
            Step("Own cost of a million output tokens", "USD/M", PER_MILLION),
            per_request / output_tokens * TOKENS_PER_MILLION,
        ),
        (
            "usd_per_million_total",
            Step("Own cost of a million tokens, input and output", "USD/M", PER_MILLION),
            per_request / tokens * TOKENS_PER_MILLION,
        ),
    )


def _figure(page: Page, name: str, step: Step, formula: Term) -> Term:
    page.put(0, step.label, "label")
    page.put(2, step.unit, "note")
    cell = page.put(1, formula, "key", step.form, name=f"own_{name}")
    page.row += 1
    return cell


def _footprint(page: Page, own: Own, given: Given) -> None:
    """Write energy and greenhouse gas of a year, as far as the scenario tells of them."""
    fleet = own.fleet
    kwh = _figure(
        page,
        "energy_kwh_per_year",
        Step("Energy, PUE included", "kWh/year", "#,##0"),
        fleet.servers
        * mean_watts(given, fleet)
        * given("power.pue", 1.0)
        * (HOURS_PER_YEAR / W_PER_KW),
    )
    if not given.has("power.kg_co2e_per_kwh"):
        return
    making = (
        given("hardware.embodied_kg_co2e")
        * fleet.servers
        / given("hardware.purchase.life_years", 1.0)
    )
    kg = _figure(
        page,
        "kg_co2e_per_year",
        Step("Greenhouse gas, making the servers included", "kg CO2e/year", "#,##0.0"),
        kwh * given("power.kg_co2e_per_kwh") + making,
    )
    tokens = given("traffic.shape.input_tokens") + given("traffic.shape.output_tokens")
    millions = own.requests_per_hour * HOURS_PER_YEAR * tokens / TOKENS_PER_MILLION
    _figure(
        page,
        "g_co2e_per_million_total",
        Step("The same for a million tokens, input and output", "g CO2e/M", "#,##0.000"),
        kg * G_PER_KG / millions,
    )


def _parts(page: Page, own: Own, requests: Term, usd_per_year: Term) -> None:
    """Write the cost lines for an hour, a year, a request, and as shares, with their chart."""
    page.section("The lines of own cost")
    page.heading("Line", "USD per hour", "USD a year", "Share", "USD per request")
    first = page.row
    for name in LINES:
        page.put(0, part_name(name), "label")
        line = page.put(1, own.lines[name], "live", HOURLY)
        yearly = page.put(2, line * HOURS_PER_YEAR, "live", CENTS)
        share = if_(own.usd_per_hour > 0, line / own.usd_per_hour, 0.0)
        page.put(3, share, "live", "0.0%")
        page.put(4, yearly / requests, "live", TINY)
        page.row += 1
    page.put(0, "Together", "total")
    page.put(1, own.usd_per_hour, "total", HOURLY)
    page.put(2, usd_per_year, "total", CENTS)
    page.put(3, if_(own.usd_per_hour > 0, 1.0, 0.0), "total", "0.0%")
    page.put(4, own.usd_per_request, "total", TINY)
    page.row += 2
    count = len(LINES)
    page.charts.append(
        Chart(
            kind="bars",
            title="Own cost by line, USD a year",
            x_title="",
            y_title="USD a year",
            series=(
                Series(
                    page.address(first - 1, 2),
                    page.down(first, 0, count).text,
                    page.down(first, 2, count).text,
                    _BLUE,
                ),
            ),
            row=page.row,
            column=0,
            y_form="$#,##0",
        )
    )
    page.row += 20
