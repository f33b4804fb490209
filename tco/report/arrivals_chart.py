"""Draws a trace's arrivals by minute as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from tco.report.arrivals import Arrivals
from tco.report.axes import draw_base, draw_levels
from tco.report.numbers import number
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, MUTED, WIDTH_PT, Sheet, fitting_ticks, width_of

_HEIGHT_PT = 130.0
_LEFT_PT, _TOP_PT, _BOTTOM_PT = 34.0, 20.0, 100.0
_UNIT_PT = 8.0
_Y_TICKS = 4
_HEADROOM = 1.1
_GAP_SHARE = 0.15


def draw_arrivals(chart: Arrivals) -> str:
    """Return the SVG of the bars, with the mean as a line."""
    sheet = Sheet("arrivals", _HEIGHT_PT)
    mean = chart.mean_per_minute
    label = "" if mean is None else f"mean {number(mean, 3)}"
    x = Scale(
        0, len(chart.counts) * chart.minutes_per_bar, _LEFT_PT, WIDTH_PT - width_of(label) - 10
    )
    highest = max(*chart.counts, mean or 0.0)
    y = Scale(0, highest * _HEADROOM, _BOTTOM_PT, _TOP_PT)
    sheet.words(chart.unit, 0, _UNIT_PT, colour=MUTED)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=number)
    wide = x.at(chart.minutes_per_bar) - x.start_pt
    for place, requests in enumerate(chart.counts):
        left, top = x.start_pt + place * wide, y.at(requests)
        sheet.box(left, top, wide * (1 - _GAP_SHARE), _BOTTOM_PT - top, fill=MUTED)
    if mean is not None:
        at = y.at(mean)
        sheet.line(((x.start_pt, at), (x.end_pt, at)), colour=ACCENT, width=1.5, dashes="5 2.5")
        sheet.words(label, x.end_pt + 5, at, colour=ACCENT)
    draw_base(sheet, x, y, fitting_ticks(x, number), "Minutes from the first request")
    return sheet.svg()
