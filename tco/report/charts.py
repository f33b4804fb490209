"""Draws the described cost curve as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tco.report.axes import draw_base, draw_levels
from tco.report.curve_layout import (
    BOTTOM_PT,
    CURVE_PT,
    LEADER_PT,
    MARK_PT,
    TOP_PT,
    Y_TICKS,
    CurveLayout,
    curve_places,
    layout_of,
    line_words,
)
from tco.report.figures import CostCurve
from tco.report.numbers import percent, usd
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE, WIDTH_PT, Sheet, width_of

_CURVE_HEIGHT_PT = 209.0
_UNIT_PT = 8.0
_LEADER_END_PT = 6.0
_LABEL_GAP = 0.078
_UNSEEN = "too narrow to be seen here"


@lru_cache(maxsize=4)
def draw_cost_curve(curve: CostCurve) -> str:
    """Return the SVG of own cost against utilisation."""
    sheet = Sheet("curve", _CURVE_HEIGHT_PT)
    layout = layout_of(curve)
    x, y = layout.x, layout.y
    sheet.words(curve.unit, 0, _UNIT_PT, colour=MUTED)
    draw_levels(sheet, x, y, most=Y_TICKS, say=usd)
    shares = [(fifth / 5, percent(fifth / 5)) for fifth in range(6)]
    draw_base(sheet, x, y, shares, "Utilisation of the hardware")
    for line in curve.lines:
        at = y.at(line.usd_per_million)
        sheet.line(
            ((x.start_pt, at), (x.end_pt, at)),
            colour=ACCENT if line.accent else MUTED,
            width=1.7 if line.accent else 1.0,
            dashes="8.5 4.25" if line.accent else "5 2.5",
        )
    if curve.band:
        _band(sheet, curve, layout)
    sheet.clip(x.start_pt, TOP_PT, x.end_pt - x.start_pt, BOTTOM_PT - TOP_PT)
    sheet.line(curve_places(curve, x, y), colour=INK, width=CURVE_PT)
    sheet.end_clip()
    _marks(sheet, curve, layout)
    _line_labels(sheet, curve, x, y)
    return sheet.svg()


def _band(sheet: Sheet, curve: CostCurve, layout: CurveLayout) -> None:
    """The interval of own cost behind its line, and in the corner what it is."""
    x, y = layout.x, layout.y
    sheet.clip(x.start_pt, TOP_PT, x.end_pt - x.start_pt, BOTTOM_PT - TOP_PT)
    highs = [(x.at(share), y.at(high)) for share, _, high in curve.band]
    lows = [(x.at(share), y.at(low)) for share, low, _ in reversed(curve.band)]
    sheet.area([*highs, *lows], fill=RULE)
    sheet.end_clip()
    words = curve.band_words if layout.is_band_seen else f"{curve.band_words}: {_UNSEEN}"
    left = WIDTH_PT - width_of(words)
    if layout.is_band_seen:
        sheet.box(left - 12, _UNIT_PT - 4, 8, 8, fill=RULE)
    sheet.words(words, left, _UNIT_PT, colour=MUTED)


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return the places moved apart to at least `gap`, in their order and inside low to high.

    Args:
        places: positions in ascending order.
        gap: the least distance between neighbours.
        low: the lowest position allowed.
        high: the highest position allowed, if there is room for all.
    """
    moved: list[float] = []
    for place in places:
        floor = moved[-1] + gap if moved else low
        moved.append(max(place, floor))
    ceiling = high
    for index in reversed(range(len(moved))):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - gap
    return moved


def _marks(sheet: Sheet, curve: CostCurve, layout: CurveLayout) -> None:
    for words in layout.mark_words:
        if words.leader is not None:
            sheet.line(words.leader, colour=MUTED, width=0.7)
        middle = (words.box.top + words.box.foot) / 2
        sheet.words(words.text, words.box.left, middle, bold=True, backed=True)
    for mark in (curve.here, curve.break_even):
        if mark is not None:
            is_here = mark is curve.here
            edge, fill = (ACCENT, ACCENT) if is_here else (INK, PAPER)
            across, down = layout.x.at(mark.utilisation), layout.y.at(mark.usd_per_million)
            sheet.mark("circle", across, down, radius=MARK_PT, edge=edge, fill=fill, width=1.6)


def _line_labels(sheet: Sheet, curve: CostCurve, x: Scale, y: Scale) -> None:
    lines = sorted(curve.lines, key=lambda line: line.usd_per_million)
    places = spread([y.share(line.usd_per_million) for line in lines], _LABEL_GAP, 0.05, 0.95)
    for line, place in zip(lines, places, strict=True):
        colour = ACCENT if line.accent else MUTED
        level, at = y.at(line.usd_per_million), BOTTOM_PT + place * (TOP_PT - BOTTOM_PT)
        bend, end = x.end_pt + _LEADER_END_PT, x.end_pt + _LEADER_END_PT + 3
        sheet.line(((x.end_pt, level), (bend, at), (end, at)), colour=colour, width=0.7)
        words = line_words(line)
        ink = ACCENT if line.accent else INK
        sheet.words(words, x.end_pt + LEADER_PT, at, colour=ink, bold=line.accent)
