"""Draws a trace's arrivals by minute as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from tco.report.arrivals import Arrivals
from tco.report.numbers import number
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, MUTED, RULE, WIDTH_PT, Sheet, fitting_ticks, width_of

_HEIGHT_PT = 130.0
_LEFT_PT, _TOP_PT, _BOTTOM_PT = 34.0, 20.0, 100.0
_UNIT_PT, _TICK_PT, _AXIS_PT = 8.0, 110.0, 124.0
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
    for tick in y.ticks(4):
        at = y.at(tick)
        sheet.line(((x.start_pt, at), (x.end_pt, at)), colour=RULE, width=0.6)
        sheet.words(number(tick), x.start_pt - 5, at, colour=MUTED, anchor="end")
    wide = x.at(chart.minutes_per_bar) - x.start_pt
    for place, requests in enumerate(chart.counts):
        left, top = x.start_pt + place * wide, y.at(requests)
        sheet.box(left, top, wide * (1 - _GAP_SHARE), _BOTTOM_PT - top, fill=MUTED)
    if mean is not None:
        at = y.at(mean)
        sheet.line(((x.start_pt, at), (x.end_pt, at)), colour=ACCENT, width=1.5, dashes="5 2.5")
        sheet.words(label, x.end_pt + 5, at, colour=ACCENT)
    base = ((x.start_pt, _BOTTOM_PT), (x.end_pt, _BOTTOM_PT))
    sheet.line(base, colour=MUTED, width=0.8)
    for tick, text in fitting_ticks(x, number):
        sheet.words(text, x.at(tick), _TICK_PT, colour=MUTED, anchor="middle")
    middle = (x.start_pt + x.end_pt) / 2
    sheet.words("Minutes from the first request", middle, _AXIS_PT, colour=MUTED, anchor="middle")
    return sheet.svg()
