"""Draws the ranking as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from functools import lru_cache

from tco.report.ranking import Kind, RankBar, Ranking
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE, WIDTH_PT, Shape, Sheet, width_of

_TOP_PT, _STEP_PT, _BAR_PT = 20.0, 16.0, 9.0
_LEFT_PT, _RIGHT_PT, _MARK_PT, _RADIUS_PT = 198.0, 130.0, 186.0, 3.4
_UNIT_PT = 8.0
# Squares are hardware of your own, circles APIs; filled is the scenario, or the same weights.
_MARKS: dict[Kind, tuple[Shape, str]] = {
    "own": ("square", INK),
    "hardware": ("square", PAPER),
    "same": ("circle", INK),
    "other": ("circle", PAPER),
    "unknown": ("circle", RULE),
}


@lru_cache(maxsize=4)
def draw_ranking(chart: Ranking) -> str:
    """Return the SVG: a bar a way with a mark and words for its weights, own cost as a line."""
    base = _TOP_PT + _STEP_PT * len(chart.bars)
    sheet = Sheet("ranking", base + (14 if chart.left_out else 4))
    x = Scale(0, chart.high_usd, _LEFT_PT, WIDTH_PT - _RIGHT_PT)
    at = x.at(chart.own_usd)
    sheet.line(((at, _TOP_PT - 4), (at, base)), colour=ACCENT, width=1.3, dashes="5 2.5")
    for place, bar in enumerate(chart.bars):
        _bar(sheet, bar, x, _TOP_PT + _STEP_PT * (place + 0.5))
    half = width_of(chart.own_words, bold=True) / 2
    middle = min(at, WIDTH_PT - half)
    sheet.words(chart.own_words, middle, _UNIT_PT, anchor="middle", colour=ACCENT, bold=True)
    if chart.left_out:
        sheet.words(chart.left_out, 0, base + 7, colour=MUTED)
    return sheet.svg()


def _bar(sheet: Sheet, bar: RankBar, x: Scale, middle: float) -> None:
    is_own = bar.kind == "own"
    sheet.words(bar.label, 0, middle, bold=is_own)
    shape, ground = _MARKS[bar.kind]
    sheet.mark(shape, _MARK_PT, middle, radius=_RADIUS_PT, edge=INK, fill=ground, width=1.2)
    end = WIDTH_PT - _RIGHT_PT if bar.beyond else x.at(bar.usd_per_million)
    fill = ACCENT if is_own else MUTED
    sheet.box(x.start_pt, middle - _BAR_PT / 2, end - x.start_pt, _BAR_PT, fill=fill)
    if bar.beyond:
        sheet.box(end - 14, middle - _BAR_PT / 2, 4, _BAR_PT, fill=PAPER)
    words = f"{bar.amount}  {bar.kind_words}"
    sheet.words(words, end + 5, middle, bold=is_own, backed=True)
