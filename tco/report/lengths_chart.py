"""Draws the lengths of a trace as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from functools import lru_cache

from tco.report.axes import draw_base
from tco.report.lengths import LengthRow, Lengths
from tco.report.numbers import number
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, WIDTH_PT, Sheet, fitting_ticks, width_of

_TOP_PT, _STEP_PT = 8.0, 34.0
_LEFT_PT, _RIGHT_PT = 46.0, 14.0
_LINE_PT, _RADIUS_PT = 18.0, 3.2
_FOOT_PT = 32.0
_GAP_PT = 4.0


@lru_cache(maxsize=4)
def draw_lengths(chart: Lengths) -> str:
    """Return the SVG: a line from p50 to the most, a mark at each quantile, the mean in blue."""
    base = _TOP_PT + _STEP_PT * len(chart.rows)
    sheet = Sheet("lengths", base + _FOOT_PT)
    x = Scale(chart.low, chart.high, _LEFT_PT, WIDTH_PT - _RIGHT_PT, log=True)
    y = Scale(0, 1, base, _TOP_PT)
    draw_base(sheet, x, y, fitting_ticks(x, number), "Tokens of a request, logarithmic")
    for place, row in enumerate(chart.rows):
        _row(sheet, row, x, _TOP_PT + _STEP_PT * place + _LINE_PT)
    return sheet.svg()


def _row(sheet: Sheet, row: LengthRow, x: Scale, at: float) -> None:
    sheet.words(row.title, 0, at, bold=True)
    first, last = row.quantiles[0][1], row.quantiles[-1][1]
    sheet.line(((x.at(first), at), (x.at(last), at)), colour=MUTED, width=1.5)
    free = 0.0
    for name, tokens in row.quantiles:
        across = x.at(tokens)
        sheet.mark("circle", across, at, radius=_RADIUS_PT, edge=INK, fill=PAPER, width=1.2)
        words = f"{name} {number(tokens)}"
        left = across - width_of(words) / 2
        if left >= free:
            sheet.words(words, across, at - 11, anchor="middle")
            free = left + width_of(words) + _GAP_PT
    middle = x.at(row.mean)
    sheet.mark("square", middle, at, radius=_RADIUS_PT, edge=ACCENT, fill=ACCENT, width=1.0)
    sheet.words(f"mean {number(row.mean)}", middle, at + 10, anchor="middle", colour=ACCENT)
