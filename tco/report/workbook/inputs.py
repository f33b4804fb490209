"""The sheet of inputs: every number that the arithmetic takes, in a cell with a name."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.inputs import inputs_table, is_share
from tco.report.workbook.fleet import PROFILE
from tco.report.workbook.formula import Term, any_of, if_, total
from tco.report.workbook.given import METHODS, Figure, name_of
from tco.report.workbook.page import Page
from tco.report.workbook.steps import Given
from tco.scenario import Scenario

_KEY, _VALUE, _UNIT, _WRITTEN, _CHANGED, _SOURCE = range(6)
_WHOLE_FROM = 1000
_CHANGED_FORM = '"changed";;'


@dataclass(frozen=True, slots=True)
class Inputs:
    """The sheet, what formulas take from it, and whether anything was changed.

    Attributes:
        written: what each key was when tco wrote the file.
        changed: how many inputs now differ from that.
        weights_changed: how many of the profile's weights do; None without a profile to change.
    """

    page: Page
    given: Given
    written: dict[str, Term]
    changed: Term
    weights_changed: Term | None

    def moved(self, *keys: str) -> Term:
        """Return whether any of these inputs, or a weight of the profile, was changed."""
        weights = () if self.weights_changed is None else (self.weights_changed > 0,)
        return any_of(
            *(self.given(key).is_not(self.written[key]) for key in keys if key in self.written),
            *weights,
        )


def inputs_page(scenario: Scenario, figures: tuple[Figure, ...], banner: str | None) -> Inputs:
    """Return the sheet of inputs."""
    page = Page("Inputs", (46, 18, 26, 18, 10, 64), landscape=True)
    page.head(
        "Inputs",
        banner,
        "Change the cells in yellow; every other sheet follows. Shares are typed as percent.",
    )
    page.heading(
        "Key of the scenario",
        "Value",
        "Unit",
        "As written",
        "Changed",
        "Source",
        words=(2, 4, 5),
        frozen=True,
    )
    terms, written, flags, section = {}, {}, [], ""
    for figure in figures:
        if figure.section != section:
            section = figure.section
            page.section(section)
        cell = _line(page, figure)
        key = figure.key.removesuffix(".mean")
        terms[key] = cell
        if figure.free:
            written[key] = page.put(_WRITTEN, figure.value, "written", form_of(figure))
            flags.append(
                page.put(_CHANGED, if_(cell.is_not(written[key]), 1.0, 0.0), "check", _CHANGED_FORM)
            )
        page.row += 1
    traffic, weights = scenario.traffic, list[Term]()
    if traffic.demand is not None and traffic.demand.profile is not None:
        free = traffic.demand.from_trace is not True and traffic.bill is None
        numbers = [weight.value for weight in traffic.demand.profile]
        terms[PROFILE] = _profile(page, numbers, weights, free=free)
    page.section("How many inputs are not as tco wrote them")
    page.put(_KEY, "Inputs changed", "label")
    changed = page.put(_VALUE, _sum([*flags, *weights]), "key", "#,##0", name="inputs_changed")
    page.row += 1
    _rest(page, scenario, {figure.key for figure in figures})
    return Inputs(page, Given(terms), written, changed, _sum(weights) if weights else None)


def form_of(figure: Figure) -> str:
    """Return the number format that shows a figure as it was stated."""
    if isinstance(figure.value, str):
        return ""
    if is_share(figure.key):
        return "0.0##%"
    dollar = "$" if "usd" in figure.key else ""
    decimals = len(f"{figure.value:.10f}".rstrip("0").partition(".")[2])
    if decimals == 0 and not (dollar and figure.value < _WHOLE_FROM):
        return f"{dollar}#,##0"
    return f"{dollar}#,##0.{'0' * max(decimals, 2 if dollar else 1)}"


def _line(page: Page, figure: Figure) -> Term:
    page.put(_KEY, figure.key, "label")
    page.put(_UNIT, figure.unit(), "note")
    page.put(_SOURCE, figure.source, "words")
    return page.put(
        _VALUE,
        figure.value,
        "input" if figure.free else "fixed",
        form_of(figure),
        name=name_of(figure.key),
        limits=figure.limits() if figure.free else None,
        choices=METHODS if figure.key == "finance.method" else (),
        whole=figure.whole(),
    )


def _profile(page: Page, weights: list[float], flags: list[Term], *, free: bool) -> Term:
    """Write the weights; those that tco found in a trace or a bill stay."""
    page.section("Weights of the hours of a day or week, from Monday 00:00 UTC on")
    first, form = page.row, "#,##0.0##"
    for place, weight in enumerate(weights):
        key = f"{PROFILE}.{place}"
        page.put(_KEY, key, "label")
        page.put(_UNIT, "weight", "note")
        if free:
            limits = (0.0, 1e15)
            cell = page.put(_VALUE, weight, "input", form, name=name_of(key), limits=limits)
            written = page.put(_WRITTEN, weight, "written", form)
            differs = if_(cell.is_not(written), 1.0, 0.0)
            flags.append(page.put(_CHANGED, differs, "check", _CHANGED_FORM))
        else:
            page.put(_VALUE, weight, "fixed", form)
        page.row += 1
    return page.down(first, _VALUE, len(weights), name=name_of(PROFILE))


def _sum(flags: list[Term]) -> Term:
    """Return the sum of the column in which the flags stand, from the first to the last."""
    first, last = flags[0].text, flags[-1].text.rpartition("!")[2]
    value = sum(float(flag.value) for flag in flags if not isinstance(flag.value, str))
    return total(Term(f"{first}:{last}", value))


def _rest(page: Page, scenario: Scenario, taken: set[str]) -> None:
    """Write what else the scenario states: it is said, and no formula takes it."""
    page.section("What else the scenario states: no formula takes it")
    table = inputs_table(scenario)
    for row in table.rows:
        key, value = row.cells[0].text, row.cells[1].text
        if key not in taken and not key.startswith(PROFILE):
            page.put(_KEY, key, "label")
            page.put(_VALUE, value, "text")
            page.put(_SOURCE, row.cells[-1].text, "words")
            page.row += 1
