"""The sheet of utilisation: the same fleet from 1 % to 100 % busy, against each alternative."""

from __future__ import annotations

from tco.comparison import Comparison
from tco.report.figures import cost_curve
from tco.report.headline import label
from tco.report.workbook.against import Against, saving_of
from tco.report.workbook.cost import Cost
from tco.report.workbook.formula import Term
from tco.report.workbook.page import Chart, Greyed, Page, Series
from tco.report.workbook.prices import Prices
from tco.report.workbook.steps import PER_MILLION
from tco.units import SECONDS_PER_HOUR, TOKENS_PER_MILLION

# Colours that are told apart in grey and by colour-blind people, too.
COLOURS = ("#1F4E79", "#C55A11", "#7F7F7F", "#548235", "#7030A0", "#BF9000", "#2E75B6", "#A5300F")
_MOST_LINES = 6
_CHART_ROWS = 24
_FIT_UPRIGHT = 2  # alternatives


def utilisation_page(
    comparison: Comparison, cost: Cost, prices: Prices, against: Against, banner: str | None
) -> Page:
    """Return the sheet of utilisation."""
    offers, several = prices.offers, len(prices.offers)
    page = Page("Utilisation", (14, 20, *(22,) * (2 * several)), landscape=several > _FIT_UPRIGHT)
    page.head(
        "Own cost against utilisation",
        banner,
        "The fleet as paid for, at other loads: all costs but electricity stay.",
    )
    reach = _reach(page, cost)
    chart_row = page.row
    page.row += _CHART_ROWS
    page.heading(
        "Utilisation",
        "Own, USD per M output",
        *(f"{label(offer.result)}, USD per M output" for offer in offers),
        *(f"Saving against {label(offer.result)}" for offer in offers),
        frozen=True,
    )
    page.frozen = (0, 0)
    first = page.row
    for each in comparison.utilisation:
        _row(page, each.utilisation, cost, prices, against)
    rows = len(comparison.utilisation)
    if rows:
        page.charts.append(_chart(page, comparison, chart_row, first, rows))
        beyond = f"$A{first + 1}>{reach}*(1+1E-9)"
        page.greyed.append(Greyed(first, 0, page.row - 1, 2 * several + 1, beyond))
    return page


def _reach(page: Page, cost: Cost) -> str:
    """Write to which row the fleet as sized can go, and return the place of it."""
    row = page.row
    page.put(0, cost.own.reachable_utilisation, "key", "0.0%")
    page.put(
        1,
        "is the highest at which the fleet as sized serves its peak; rows above it are grey.",
        "note",
    )
    page.row += 2
    return f"$A${row + 1}"


def _row(page: Page, share: float, cost: Cost, prices: Prices, against: Against) -> None:
    own = cost.own
    u = page.put(0, share, "given", "0%")
    per_hour = own.idle_usd_per_hour + (own.full_usd_per_hour - own.idle_usd_per_hour) * u
    served = own.full_load_requests_per_s * u * SECONDS_PER_HOUR
    tokens = prices.given("traffic.shape.output_tokens")
    usd = page.put(1, per_hour / served / tokens * TOKENS_PER_MILLION, "live", PER_MILLION)
    several = len(against.usd_per_million_output)
    for at, (there, stale) in enumerate(
        zip(against.usd_per_million_output, prices.stale, strict=True)
    ):
        with page.withheld(stale):
            page.put(2 + at, there, "live", PER_MILLION)
            page.put(2 + several + at, saving_of(usd, there), "live", "0.0%")
    page.row += 1


def _chart(page: Page, comparison: Comparison, row: int, first: int, rows: int) -> Chart:
    curve = cost_curve(comparison)
    xs = page.down(first, 0, rows).text
    heads = first - 1

    def series(column: int, colour: str, *, dashed: bool) -> Series:
        ys: Term = page.down(first, column, rows)
        return Series(page.address(heads, column), xs, ys.text, colour, dashed=dashed)

    shown = min(len(comparison.alternatives), _MOST_LINES)
    lines = tuple(series(2 + at, COLOURS[1 + at], dashed=True) for at in range(shown))
    return Chart(
        kind="lines",
        title="USD per million output tokens, at each utilisation",
        x_title="Utilisation",
        y_title="USD per M output tokens",
        series=(series(1, COLOURS[0], dashed=False), *lines),
        row=row,
        column=0,
        width=900,
        height=440,
        x_form="0%",
        y_form="$#,##0.00",
        y_low=curve.low_usd,
        y_high=curve.high_usd,
        x_high=1.0,
        y_log=curve.log_scale,
    )
