"""Draws what has been paid over the years as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from functools import lru_cache

from tco.report.axes import draw_base, draw_levels
from tco.report.numbers import exact, short_usd
from tco.report.paid import PaidChart, PaidLine
from tco.report.scale import Scale
from tco.report.sheet import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    WIDTH_PT,
    Anchor,
    Sheet,
    fitting_ticks,
    room_for_ticks,
    width_of,
)

_HEIGHT_PT = 170.0
_LEFT_PT, _TOP_PT, _BOTTOM_PT = 36.0, 18.0, 140.0
_UNIT_PT, _LABEL_PT, _RIGHT_PT = 8.0, 8.0, 4.0
_LINE_PT = 11.0
_Y_TICKS = 5


@lru_cache(maxsize=4)
def draw_paid(chart: PaidChart) -> str:
    """Return the SVG: own hardware as the thick line, the API dashed, and where they meet."""
    sheet = Sheet("paid", _HEIGHT_PT)
    y = Scale(0, chart.high_usd, _BOTTOM_PT, _TOP_PT)
    left = room_for_ticks(y, short_usd, most=_Y_TICKS, least=_LEFT_PT)
    words = (chart.own.label, chart.own.amount, chart.api.label, chart.api.amount)
    longest = max(width_of(each, bold=True) for each in words)
    x = Scale(0, chart.horizon_years, left, WIDTH_PT - longest - _LABEL_PT - _RIGHT_PT)
    sheet.words("USD paid by then", 0, _UNIT_PT, colour=MUTED)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=short_usd)
    draw_base(sheet, x, y, fitting_ticks(x, exact), "Years from the start")
    _line(sheet, chart.api, x, y, colour=ACCENT, width=1.7, dashes="8.5 4.25")
    _line(sheet, chart.own, x, y, colour=INK, width=2.0, dashes="")
    _ends(sheet, chart, x, y)
    if chart.meet is None:
        sheet.words(chart.meet_words, x.end_pt, _UNIT_PT, anchor="end", bold=True)
    else:
        across, down = x.at(chart.meet[0]), y.at(chart.meet[1])
        sheet.mark("circle", across, down, radius=3.5, edge=INK, fill=PAPER, width=1.6)
        is_left = across + width_of(chart.meet_words, bold=True) + 8 > x.end_pt
        at = (across - 8, down - 10) if is_left else (across + 8, down + 9)
        anchor: Anchor = "end" if is_left else "start"
        sheet.words(chart.meet_words, *at, anchor=anchor, bold=True, backed=True)
    return sheet.svg()


def _line(
    sheet: Sheet, line: PaidLine, x: Scale, y: Scale, *, colour: str, width: float, dashes: str
) -> None:
    places = [(x.at(time), y.at(amount)) for time, amount in line.places]
    sheet.line(places, colour=colour, width=width, dashes=dashes)


def _ends(sheet: Sheet, chart: PaidChart, x: Scale, y: Scale) -> None:
    """Write name and sum at the end of each line, the higher one above."""
    own, api = (y.at(line.places[-1][1]) for line in (chart.own, chart.api))
    gap = 2 * _LINE_PT + 2
    if abs(own - api) < gap:
        middle = (own + api) / 2
        own, api = (
            (middle - gap / 2, middle + gap / 2)
            if own <= api
            else (middle + gap / 2, middle - gap / 2)
        )
    for line, at, colour in ((chart.own, own, INK), (chart.api, api, ACCENT)):
        low = min(at, _BOTTOM_PT - _LINE_PT / 2)
        sheet.words(line.amount, x.end_pt + _LABEL_PT, low - _LINE_PT / 2, colour=colour, bold=True)
        sheet.words(line.label, x.end_pt + _LABEL_PT, low + _LINE_PT / 2, colour=colour)
