"""Draws the described cost curve as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from tco.report.axes import draw_base, draw_levels
from tco.report.figures import CostCurve, Mark, PriceLine
from tco.report.numbers import percent, usd
from tco.report.scale import Scale
from tco.report.sheet import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    RULE,
    WIDTH_PT,
    Sheet,
    room_for_ticks,
    width_of,
)

_CURVE_HEIGHT_PT = 209.0
_LEFT_PT, _TOP_PT, _BOTTOM_PT = 36.0, 17.0, 178.0
_UNIT_PT = 8.0
_LEADER_PT, _LEADER_END_PT, _RIGHT_PT = 11.0, 6.0, 4.0
# Words of a mark take about a third of the width: further right they stand to the left of it,
# and marks nearer than that must differ in height.
_LAST_WITH_ROOM = 0.62
_NEAR = 0.35
_Y_TICKS = 6
_LABEL_GAP = 0.078


@lru_cache(maxsize=4)
def draw_cost_curve(curve: CostCurve) -> str:
    """Return the SVG of own cost against utilisation."""
    sheet = Sheet("curve", _CURVE_HEIGHT_PT)
    longest = max((width_of(_line_words(line), bold=True) for line in curve.lines), default=0.0)
    y = Scale(curve.low_usd, curve.high_usd, _BOTTOM_PT, _TOP_PT, log=curve.log_scale)
    left = room_for_ticks(y, usd, most=_Y_TICKS, least=_LEFT_PT)
    x = Scale(0, 1, left, WIDTH_PT - longest - _LEADER_PT - _RIGHT_PT)
    sheet.words(curve.unit, 0, _UNIT_PT, colour=MUTED)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=usd)
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
        _band(sheet, curve, x, y)
    sheet.clip(x.start_pt, _TOP_PT, x.end_pt - x.start_pt, _BOTTOM_PT - _TOP_PT)
    costs = zip(curve.utilisation, curve.usd_per_million, strict=True)
    sheet.line([(x.at(share), y.at(cost)) for share, cost in costs], colour=INK, width=2)
    sheet.end_clip()
    _marks(sheet, curve, x, y)
    _line_labels(sheet, curve, x, y)
    return sheet.svg()


def _band(sheet: Sheet, curve: CostCurve, x: Scale, y: Scale) -> None:
    """The interval of own cost behind its line, and in the corner what it is."""
    sheet.clip(x.start_pt, _TOP_PT, x.end_pt - x.start_pt, _BOTTOM_PT - _TOP_PT)
    highs = [(x.at(share), y.at(high)) for share, _, high in curve.band]
    lows = [(x.at(share), y.at(low)) for share, low, _ in reversed(curve.band)]
    sheet.area([*highs, *lows], fill=RULE)
    sheet.end_clip()
    left = WIDTH_PT - width_of(curve.band_words)
    sheet.box(left - 12, _UNIT_PT - 4, 8, 8, fill=RULE)
    sheet.words(curve.band_words, left, _UNIT_PT, colour=MUTED)


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


def _marks(sheet: Sheet, curve: CostCurve, x: Scale, y: Scale) -> None:
    marks = [mark for mark in (curve.here, curve.break_even) if mark is not None]
    for mark in marks:
        is_here = mark is curve.here
        edge, fill = (ACCENT, ACCENT) if is_here else (INK, PAPER)
        across, down = x.at(mark.utilisation), y.at(mark.usd_per_million)
        sheet.mark("circle", across, down, radius=3.5, edge=edge, fill=fill, width=1.6)
    for mark in marks:
        across, down = x.at(mark.utilisation), y.at(mark.usd_per_million)
        past = across + 7 + width_of(mark.label, bold=True) > x.end_pt
        left = past or mark.utilisation > _LAST_WITH_ROOM
        up = mark is curve.break_even or (not left and _apart(curve, y))
        sheet.words(
            mark.label,
            across + (-7 if left else 7),
            down + (-12 if up else 11),
            anchor="end" if left else "start",
            bold=True,
            backed=True,
        )


def _apart(curve: CostCurve, y: Scale) -> bool:
    """Say whether the words of both marks can stand above them."""
    even, here = curve.break_even, curve.here
    if even is None or abs(even.utilisation - here.utilisation) > _NEAR:
        return True
    return abs(_height(even, y) - _height(here, y)) > _LABEL_GAP


def _height(mark: Mark | PriceLine, y: Scale) -> float:
    return y.share(mark.usd_per_million)


def _line_labels(sheet: Sheet, curve: CostCurve, x: Scale, y: Scale) -> None:
    lines = sorted(curve.lines, key=lambda line: line.usd_per_million)
    places = spread([_height(line, y) for line in lines], _LABEL_GAP, 0.05, 0.95)
    for line, place in zip(lines, places, strict=True):
        colour = ACCENT if line.accent else MUTED
        level, at = y.at(line.usd_per_million), _BOTTOM_PT + place * (_TOP_PT - _BOTTOM_PT)
        bend, end = x.end_pt + _LEADER_END_PT, x.end_pt + _LEADER_END_PT + 3
        sheet.line(((x.end_pt, level), (bend, at), (end, at)), colour=colour, width=0.7)
        words = _line_words(line)
        ink = ACCENT if line.accent else INK
        sheet.words(words, x.end_pt + _LEADER_PT, at, colour=ink, bold=line.accent)


def _line_words(line: PriceLine) -> str:
    return f"{line.price}  {line.label}"
