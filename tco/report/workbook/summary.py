"""The first sheet: the answer, the figures that matter, and how to read the file."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison
from tco.report.headline import label, quotable, sentence
from tco.report.numbers import percent
from tco.report.workbook.against import Against
from tco.report.workbook.cash import Cash
from tco.report.workbook.cost import Cost
from tco.report.workbook.currency import SecondCurrency
from tco.report.workbook.formula import Term, all_of, if_, is_number, rounded, term
from tco.report.workbook.inputs import Inputs
from tco.report.workbook.page import Chart, Page, Series, unless
from tco.report.workbook.prices import Prices
from tco.report.workbook.steps import MONEY, PER_MILLION, SHARE
from tco.report.workbook.utilisation import COLOURS

_CHART_ROWS = 19
# How money looks in another currency than USD.
_IN_CURRENCY = {MONEY: "#,##0;[Red]-#,##0", PER_MILLION: "#,##0.0000"}
_YEARS = '0.00 "years"'
_LEAST_USD = 0.0001
_STALE = (
    "What is billed there was found for the requests as written, and those were changed: run tco "
    "again for the saving."
)
# Title, the cell's formula, the figure as tco wrote it, the number's form, its unit.
_Line = tuple[str, Term, float | None, str, str]
_NO_SAVING = "There is no saving to state: the price there is zero."
_SHEETS = (
    ("Inputs", "every number that the formulas take; change the yellow cells"),
    ("Prices", "what each alternative asks, and its bill for the same request"),
    ("Cost", "own cost, step by step from the inputs to USD per request"),
    ("Comparison", "saving and break-even against each alternative"),
    ("Utilisation", "the same fleet from 1 % to 100 % busy"),
    ("Cash flow", "the years: net present value, rate of return, payback"),
    ("Purchases", "what is bought, renewed, written off and sold"),
    ("Sensitivity", "the saving with one input at its low and its high end"),
    ("Findings", "what must be said of the figures"),
    ("Method", "the formulas in words, with their sources"),
    ("Workings", "how payback and rate of return are found"),
    ("Cases", "the arithmetic of the sheet Sensitivity"),
)


@dataclass(frozen=True, slots=True)
class Results:
    """The sheets whose cells the summary shows."""

    inputs: Inputs
    prices: Prices
    cost: Cost
    against: Against
    cash: Cash
    currency: SecondCurrency | None


def summary_page(comparison: Comparison, results: Results, banner: str | None) -> Page:
    """Return the first sheet."""
    page = Page("Summary", (46, 20, 20, 24, 20))
    dated = f"tco {comparison.tool_version}, prices in force on {comparison.date.isoformat()}"
    page.head(comparison.name, banner, dated)
    rival = comparison.headline_alternative()
    place = None if rival is None else comparison.alternatives.index(rival)
    if place is not None:
        page.put(0, _headline(comparison, results, place), "headline")
        page.row += 1
    page.put(0, f"As tco wrote it: {sentence(comparison)}", "intro")
    page.row += 1
    page.put(0, _check(results.inputs.changed), "status")
    page.row += 2
    _figures(page, comparison, results, place)
    _bills(page, comparison, results)
    _legend(page)
    return page


def _headline(comparison: Comparison, results: Results, place: int) -> Term:
    """Return the answer as a sentence that follows the inputs."""
    saving = results.against.saving[place]
    name = Term(
        results.against.page.address(_head_row(results), 1 + place), _name(comparison, place)
    )
    verdict = if_(
        saving >= 0,
        term("saves ").then(_saved_percent(saving)).then(" % against "),
        term("costs ").then(-rounded(saving * 100, 1)).then(" % more than "),
    )
    cost = _usd(results.cost.usd_per_million_output)
    there = _usd(results.against.usd_per_million_output[place])
    words = (
        term(quotable("Own hardware ", comparison))
        .then(verdict)
        .then(name)
        .then(" at ")
        .then(rounded(results.cost.own.fleet.utilisation * 100, 1))
        .then(" % utilisation: ")
        .then(cost)
        .then(" instead of ")
        .then(there)
        .then(" per million output tokens.")
    )
    stated = if_(is_number(saving), words, quotable(_NO_SAVING, comparison))
    stale = results.prices.stale[place]
    return stated if stale is None else if_(stale, quotable(_STALE, comparison), stated)


def _saved_percent(saving: Term) -> Term:
    """Return a saving in percent; all but everything is not everything."""
    is_next_to_all = all_of(saving < 1, rounded(saving, 3) >= 1)
    return if_(is_next_to_all, ">99.9", rounded(saving * 100, 1))


def _usd(amount: Term) -> Term:
    """Return an amount of dollars; next to nothing is not nothing."""
    return if_(
        all_of(amount > 0, amount < _LEAST_USD),
        f"less than ${_LEAST_USD}",
        term("$").then(rounded(amount, 4)),
    )


def _head_row(results: Results) -> int:
    return results.against.page.repeated_row or 0


def _name(comparison: Comparison, place: int) -> str:
    return label(comparison.alternatives[place])


def _check(changed: Term) -> Term:
    return if_(
        changed.is_(0.0),
        "The inputs are as tco wrote them.",
        changed.then(
            " inputs are not as tco wrote them. Black figures follow; cells in grey italics and "
            "the findings are still of the inputs as written: run tco again for those."
        ),
    )


def _figures(page: Page, comparison: Comparison, results: Results, place: int | None) -> None:
    currency = results.currency
    also = () if currency is None else (f"Now, in {currency.code}",)
    page.heading("Figure", "Now", "As tco wrote it", "Unit", *also, words=(3,))
    lines = _own_lines(comparison, results)
    if place is not None:
        lines += _lines_against(comparison.alternatives[place], results, place)
    for title, now, written, form, unit in lines:
        page.put(0, title, "label")
        here = page.put(1, now, "key", form)
        page.put(2, "none" if written is None else written, "written", form)
        page.put(3, unit, "note")
        if currency is not None and form in _IN_CURRENCY:
            page.put(4, currency.of(here), "key", _IN_CURRENCY[form])
        page.row += 1
    _how_sure(page, comparison, place)


def _own_lines(comparison: Comparison, results: Results) -> list[_Line]:
    own, cost = comparison.self_host, results.cost
    at_start_usd = 0.0 - own.cash_at_start_usd
    million = "Own cost of a million output tokens"
    now, written = cost.usd_per_million_output, own.usd_per_million_output
    return [
        ("Utilisation", cost.own.fleet.utilisation, own.utilisation, SHARE, "of what is paid"),
        ("Own cost", cost.usd_per_year, own.usd_per_year, MONEY, "USD a year"),
        (million, now, written, PER_MILLION, "USD/M"),
        ("Cash at the start", results.cash.cash_at_start_usd, at_start_usd, MONEY, "USD"),
    ]


def _lines_against(rival: AlternativeResult, results: Results, place: int) -> list[_Line]:
    found, cash = results.against, results.cash

    def line(title: str, now: Term, name: str, form: str, unit: str) -> _Line:
        return title, unless(results.prices.stale[place], now), getattr(rival, name), form, unit

    yearly, million = found.usd_per_year[place], found.usd_per_million_output[place]
    saving_usd, even = found.saving_usd_per_year[place], found.break_even_utilisation[place]
    levelised, payback = cash.levelised_saving[place], cash.payback_years[place]
    over = "share, over the horizon"
    return [
        line("Bill there", yearly, "usd_per_year", MONEY, "USD a year"),
        line(
            "The same, per million output tokens",
            million,
            "usd_per_million_output",
            PER_MILLION,
            "USD/M",
        ),
        line("Saving", saving_usd, "saving_usd_per_year", MONEY, "USD a year"),
        line("Saving, of the bill", found.saving[place], "saving", SHARE, "share"),
        line("Break-even utilisation", even, "break_even_utilisation", SHARE, "share"),
        line("Net present value", cash.npv_usd[place], "npv_usd", MONEY, "USD"),
        line("Levelised saving", levelised, "levelised_saving", SHARE, over),
        line("Internal rate of return", cash.irr[place], "irr", SHARE, "a year"),
        line("Payback", payback, "payback_years", _YEARS, "without sales"),
    ]


def _how_sure(page: Page, comparison: Comparison, place: int | None) -> None:
    uncertainty = comparison.uncertainty
    sure = None if uncertainty is None or place is None else uncertainty.alternatives[place]
    if uncertainty is None or sure is None or sure.saving is None:
        return
    interval = f"{percent(uncertainty.level)} interval of the saving"
    for title, share in (
        (f"{interval}, low", sure.saving.low),
        (f"{interval}, high", sure.saving.high),
        ("Probability that own hardware costs less", sure.probability_cheaper),
    ):
        if share is not None:
            page.put(0, title, "label")
            page.put(2, share, "fixed", SHARE)
            page.put(3, "found by tco", "note")
            page.row += 1


def _bills(page: Page, comparison: Comparison, results: Results) -> None:
    page.row += 1
    page.heading("USD a year, the same requests", "USD")
    first = page.row
    page.put(0, "Own hardware", "label")
    page.put(1, results.cost.usd_per_year, "live", MONEY)
    page.row += 1
    for each, usd in zip(comparison.alternatives, results.against.usd_per_year, strict=True):
        page.put(0, label(each), "label")
        page.put(1, usd, "live", MONEY)
        page.row += 1
    count = page.row - first
    page.row += 1
    page.charts.append(
        Chart(
            kind="bars",
            title="USD a year for the same requests",
            x_title="",
            y_title="USD a year",
            series=(
                Series(
                    page.address(first - 1, 1),
                    page.down(first, 0, count).text,
                    page.down(first, 1, count).text,
                    COLOURS[0],
                ),
            ),
            row=page.row,
            column=0,
            y_form="$#,##0",
            height=320,
        )
    )
    page.row += _CHART_ROWS


def _legend(page: Page) -> None:
    page.heading("Cells", "look", "and mean", words=(1, 2))
    for style, words in (
        ("input", "an input: change it, and all formulas follow"),
        ("live", "a formula, or a figure that formulas take"),
        ("fixed", "found by tco: does not follow the inputs"),
    ):
        page.put(1, 1234.5, style, "#,##0.0")  # type: ignore[arg-type]
        page.put(2, words, "note")
        page.row += 1
    page.section("Sheets")
    for title, words in _SHEETS:
        page.put(0, title, "label")
        page.put(1, words, "note")
        page.row += 1
