"""The sheet of sensitivity: the saving with one input at its low and high end, all else equal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.report.headline import label
from tco.report.workbook.against import saving_of
from tco.report.workbook.api import Offer, usd_per_request
from tco.report.workbook.formula import Term, all_of, if_, is_number, largest, least, term
from tco.report.workbook.given import RATE_KEY, Figure
from tco.report.workbook.inputs import form_of
from tco.report.workbook.own import own_of
from tco.report.workbook.page import Chart, Page, Series
from tco.report.workbook.prices import Prices
from tco.report.workbook.steps import SHARE, STEPS, TINY, Given
from tco.report.workbook.utilisation import COLOURS
from tco.scenario import Scenario

_SHARE = 0.2
_CHART_ROWS = 22
_TITLES = (
    "Input",
    "As it is",
    "Low",
    "High",
    "Saving at low",
    "Saving at high",
    "Low, less the saving as it is",
    "High, less the saving as it is",
    "Range",
)
# What usually decides, in this order; each that the scenario has gets a row.
_MAIN = (
    "traffic.target_utilisation",
    "traffic.demand.requests_per_day",
    "traffic.demand.average_requests_per_s",
    "traffic.demand.average_output_tok_per_s",
    "measurement.published.requests_per_s",
    "measurement.published.total_tok_per_s",
    "measurement.published.output_tok_per_s",
    "capacity.output_tok_per_s",
    "hardware.purchase.price_usd",
    "hardware.purchase.life_years",
    "hardware.rent.usd_per_hour",
    "power.load_w",
    "power.pue",
    "power.usd_per_kwh",
    "operations.fte",
    "operations.maintenance_share_per_year",
    "operations.licence_usd_per_accelerator_year",
    "finance.discount_rate",
)


@dataclass(frozen=True, slots=True)
class _Varied:
    """An input with its ends."""

    figure: Figure
    row: int
    low: Term
    high: Term


def sensitivity_page(
    scenario: Scenario,
    figures: tuple[Figure, ...],
    prices: Prices,
    place: tuple[Offer, Term],
    banner: str | None,
) -> tuple[Page, Page]:
    """Return the sheet against one alternative, and the arithmetic of every end.

    Args:
        scenario: what the user states.
        figures: the inputs.
        prices: what they make of prices.
        place: the alternative, and the saving against it as it is.
        banner: what must be read first.
    """
    offer, saving = place
    chosen = _chosen(figures, offer, prices)
    page = Page("Sensitivity", (46, *(15,) * 7, 26), landscape=True)
    cases = Page("Cases", (52, *(15,) * (2 * len(chosen))), landscape=True)
    cases.head("Cases: the sheet Cost for every end of the sheet Sensitivity", banner)
    page.head(
        f"What moves the saving against {label(offer.result)}",
        banner,
        "One input at a time, all others as they are on the sheet Inputs. Low and high may be "
        "typed over; where the scenario states no range they are so much off the input:",
    )
    page.row -= 1
    page.put(0, "Range where none is stated, ±", "label")
    share = page.put(1, _SHARE, "input", "0.0##%", name="sensitivity_share", limits=(0.0, 0.99))
    page.row += 2
    page.heading(*_TITLES, words=(8,), frozen=True)
    page.frozen = (0, 1)
    first = page.row
    varied = [_ends(page, figure, prices.given, share) for figure in chosen]
    page.row += 1
    chart_row = page.row
    page.row += _CHART_ROWS
    stale = prices.stale[offer.index]
    with page.withheld(stale), cases.withheld(stale):
        found = _cases(cases, scenario, offer, prices.given, varied)
        for each, ends in zip(varied, found, strict=True):
            _moved(page, each.row, ends, saving)
    if varied:
        page.charts.append(_chart(page, offer, chart_row, (first, len(varied))))
    return page, cases


def _chosen(figures: tuple[Figure, ...], offer: Offer, prices: Prices) -> tuple[Figure, ...]:
    """Return the inputs to vary: those with a range, and those that usually decide."""
    of_offer = {offer.key(f"usd_per_million.{name}") for name in ("input", "output")}
    of_offer |= {offer.key("usd_per_request"), offer.key("discount")}
    main = [
        each
        for each in figures
        if each.free
        and each.key != RATE_KEY
        and not isinstance(each.value, str)
        and (
            each.key in _MAIN
            or each.key in of_offer
            or each.low is not None
            or each.high is not None
        )
        and (each.value != 0 or each.high is not None)
        and (not each.key.startswith("alternatives.") or each.key.startswith(offer.key("")))
    ]
    return tuple(main) + _of_table(offer, prices)


def _of_table(offer: Offer, prices: Prices) -> tuple[Figure, ...]:
    """Return the prices of a table's row that most requests pay."""
    if offer.is_own() or not offer.result.price_tiers:
        return ()
    tiers = offer.result.price_tiers
    most = max(range(len(tiers)), key=lambda place: tiers[place].requests_share)
    keys = [offer.price_key(most, name) for name in ("input", "output")]
    values = [prices.given(key).number() for key in keys]
    return tuple(
        Figure("", key, float(value), "the table's row")
        for key, value in zip(keys, values, strict=True)
    )


def _ends(page: Page, figure: Figure, given: Given, share: Term) -> _Varied:
    key = figure.key.removesuffix(".mean")
    form, base = form_of(figure), given(key)
    page.put(0, figure.key, "label")
    page.put(1, base, "live", form)
    least_, most = figure.limits() or (0.0, 1.0)
    if figure.low is None and figure.high is None:
        low: Term | float = base * (1 - share)
        high: Term | float = base * (1 + share)
        low = largest(low, least_) if least_ > 0 else low
        high = least(high, most) if most <= 1 else high
        words = "so much off the input"
    else:
        low = figure.low if figure.low is not None else term(figure.value)
        high = figure.high if figure.high is not None else term(figure.value)
        words = "as the scenario states it"
    low_cell = page.put(2, low, "input", form)
    high_cell = page.put(3, high, "input", form)
    page.put(8, words, "note")
    page.row += 1
    return _Varied(figure, page.row - 1, low_cell, high_cell)


def _cases(
    page: Page, scenario: Scenario, offer: Offer, given: Given, varied: list[_Varied]
) -> list[tuple[Term, ...]]:
    """Write the arithmetic of every end in a column; return each input's two savings."""
    titles, first = page.row, page.row + 1
    page.put(0, "Step", "column", row=titles)
    page.frozen, page.repeated_row = (first, 1), titles
    rows: dict[str, int] = {}
    savings = []
    for place, each in enumerate(varied):
        ends = []
        for at, (name, end) in enumerate((("low", each.low), ("high", each.high))):
            column = 1 + 2 * place + at
            page.put(column, f"{each.figure.key}, {name}", "figures", row=titles)
            let = _column(page, column, first, rows)
            case = given.replaced(each.figure.key.removesuffix(".mean"), end)
            own = own_of(scenario, case, let)
            api = let("api", usd_per_request(offer, case))
            ends.append(let("saving", saving_of(own.usd_per_request, api)))
        savings.append(tuple(ends))
    page.row = first + len(rows)
    return savings


def _moved(page: Page, row: int, ends: tuple[Term, ...], saving: Term) -> None:
    """Write the savings at both ends, and how far they are from the saving as it is."""
    for at, end in enumerate(ends):
        cell = page.put(4 + at, end, "key", SHARE, row=row)
        both = all_of(is_number(cell), is_number(saving))
        page.put(6 + at, if_(both, cell - saving, 0.0), "live", SHARE, row=row)


def _column(
    page: Page, column: int, first: int, rows: dict[str, int]
) -> Callable[[str, Term], Term]:
    """Return what writes a step into one column, each step on its own row."""

    def let(key: str, formula: Term) -> Term:
        if key not in rows:
            rows[key] = first + len(rows)
            page.put(0, _label(key), "label", row=rows[key])
        form = STEPS[key].form if key in STEPS else TINY if key == "api" else SHARE
        return page.put(column, formula, "live", form, row=rows[key])

    return let


def _label(key: str) -> str:
    more = {"api": "USD per request there", "saving": "Saving"}
    return more.get(key) or f"{STEPS[key].label}, {STEPS[key].unit}"


def _chart(page: Page, offer: Offer, row: int, rows: tuple[int, int]) -> Chart:
    first, count = rows
    names = page.down(first, 0, count).text
    return Chart(
        kind="bars",
        title=f"How far the saving against {label(offer.result)} moves",
        x_title="",
        y_title="saving, less the saving as it is",
        series=tuple(
            Series(
                page.address(first - 1, 2 + at), names, page.down(first, 6 + at, count).text, colour
            )
            for at, colour in enumerate((COLOURS[1], COLOURS[0]))
        ),
        row=row,
        column=0,
        width=900,
        height=400,
        y_form="0%",
        overlaid=True,
    )
