"""Draws the map of the saving as SVG: no decisions, same bytes every time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import lru_cache

from tco.report.saving_map import MapCell, MapChart
from tco.report.sheet import ACCENT, INK, MUTED, WIDTH_PT, Sheet, width_of

_TOP_PT, _CELL_PT = 20.0, 17.0
_AXIS_PT, _TITLE_PT, _KEY_PT, _FOOT_PT = 10.0, 23.0, 40.0, 47.0
# How much of the colour a cell has: a trace of it at no saving, never so much that words drown.
_LEAST, _MOST = 0.06, 0.42
_INSET_PT = 1.6


@lru_cache(maxsize=4)
def draw_map(chart: MapChart) -> str:
    """Return the SVG: each cell with its saving; savings in blue, losses in grey."""
    left = max(map(width_of, chart.up)) + 10
    wide = (WIDTH_PT - left) / len(chart.along)
    base = _TOP_PT + _CELL_PT * len(chart.up)
    sheet = Sheet("map", base + _FOOT_PT)
    sheet.words(chart.up_title, 0, 8, colour=MUTED)
    for place, (name, row) in enumerate(zip(chart.up, chart.rows, strict=True)):
        top = _TOP_PT + place * _CELL_PT
        sheet.words(name, left - 6, top + _CELL_PT / 2, colour=MUTED, anchor="end")
        for column, cell in enumerate(row):
            _cell(sheet, cell, left + column * wide, top, wide)
    for column, name in enumerate(chart.along):
        middle = left + (column + 0.5) * wide
        sheet.words(name, middle, base + _AXIS_PT, colour=MUTED, anchor="middle")
    middle = (left + WIDTH_PT) / 2
    sheet.words(chart.along_title, middle, base + _TITLE_PT, colour=MUTED, anchor="middle")
    for ends in _borders(chart, left, wide):
        sheet.line(ends, colour=INK, width=2)
    _key(sheet, base + _KEY_PT, left)
    return sheet.svg()


def _cell(sheet: Sheet, cell: MapCell, left: float, top: float, wide: float) -> None:
    shade = _LEAST + (_MOST - _LEAST) * cell.depth
    fill = ACCENT if cell.saves else MUTED
    sheet.box(left + 0.4, top + 0.4, wide - 0.8, _CELL_PT - 0.8, fill=fill, opacity=shade)
    if cell.is_stated:
        _outline(sheet, left + _INSET_PT, top + _INSET_PT, wide - 2 * _INSET_PT)
    middle = (left + wide / 2, top + _CELL_PT / 2)
    sheet.words(cell.text, *middle, anchor="middle", bold=cell.is_stated)


def _outline(sheet: Sheet, left: float, top: float, wide: float) -> None:
    right, bottom = left + wide, top + _CELL_PT - 2 * _INSET_PT
    corners = ((left, top), (right, top), (right, bottom), (left, bottom), (left, top))
    sheet.line(corners, colour=INK, width=1.1)


def _borders(
    chart: MapChart, left: float, wide: float
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Yield the lines between a cell that saves and a neighbour that does not."""
    for place, row in enumerate(chart.rows):
        top = _TOP_PT + place * _CELL_PT
        for column, (one, next_one) in enumerate(itertools.pairwise(row)):
            if one.saves != next_one.saves:
                at = left + (column + 1) * wide
                yield (at, top), (at, top + _CELL_PT)
    for place, (above, below) in enumerate(itertools.pairwise(chart.rows)):
        down = _TOP_PT + (place + 1) * _CELL_PT
        for column, (one, other) in enumerate(zip(above, below, strict=True)):
            if one.saves != other.saves:
                yield (left + column * wide, down), (left + (column + 1) * wide, down)


def _key(sheet: Sheet, at: float, left: float) -> None:
    x = left
    for words, fill in (("blue: a saving", ACCENT), ("grey, with a minus: a loss", MUTED)):
        sheet.box(x, at - 4, 8, 8, fill=fill, opacity=_MOST)
        sheet.words(words, x + 11, at, colour=MUTED)
        x += width_of(words) + 25
    sheet.line(((x, at), (x + 11, at)), colour=INK, width=2)
    sheet.words("between them, break-even; framed: this scenario", x + 15, at, colour=MUTED)
