"""Draws the described throughput-latency chart as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from collections.abc import Iterable

from tco.report.axes import draw_base, draw_levels
from tco.report.load_curve import Chosen, LoadCurve, LoadMark, Panel
from tco.report.numbers import number
from tco.report.scale import Scale
from tco.report.sheet import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    RULE,
    WIDTH_PT,
    Shape,
    Sheet,
    fitting_ticks,
    room_for_ticks,
    width_of,
)

_HEIGHT_PT = 232.0
_TOP_PT, _BOTTOM_PT = 74.0, 202.0
_KEY_PT, _BAND_PT, _TITLE_PT, _FIRST_LABEL_PT, _LABEL_STEP_PT = 6.0, 18.0, 37.0, 52.0, 11.0
_LEFT_PT, _GUTTER_PT = 34.0, 36.0
_RIGHT_PT, _RIGHT_OF_LIMIT_PT = 14.0, 44.0
_RADIUS_PT, _RING_PT = 3.0, 6.0
_LEAST_BAND_PT = 1.5
_Y_TICKS = 5
_KEY_GAP_PT, _KEY_WORDS_PT = 14.0, 8.0
_SHAPES: dict[str, Shape] = {"closed": "circle", "open": "square", "unstated": "circle"}
_LOOPS = {"closed": "closed loop", "open": "open loop", "unstated": "loop not stated"}
_STATES = {
    "kept": "service level kept",
    "broken": "not kept",
    "untold": "not told: too few requests",
}


def draw_load_curve(curve: LoadCurve) -> str:
    """Return the SVG: a key, then one panel beside the other over the same rates."""
    sheet = Sheet("loads", _HEIGHT_PT)
    _key(sheet, curve)
    count = len(curve.panels)
    space = (WIDTH_PT - _GUTTER_PT * (count - 1)) / count
    for place, panel in enumerate(curve.panels):
        left = place * (space + _GUTTER_PT)
        y = Scale(panel.low_ms, panel.high_ms, _BOTTOM_PT, _TOP_PT, log=panel.log_scale)
        x = Scale(
            curve.low_tok_per_s,
            curve.high_tok_per_s,
            left + room_for_ticks(y, number, most=_Y_TICKS, least=_LEFT_PT),
            left + space - (_RIGHT_OF_LIMIT_PT if panel.limit_label else _RIGHT_PT),
        )
        sheet.words(panel.title, left, _TITLE_PT, bold=True)
        _panel(sheet, curve, panel, x, y)
    return sheet.svg()


def _panel(sheet: Sheet, curve: LoadCurve, panel: Panel, x: Scale, y: Scale) -> None:
    if curve.band is not None:
        start, end = (x.at(rate) for rate in curve.band)
        wide = max(end - start, _LEAST_BAND_PT)
        sheet.box(start, _TOP_PT, wide, _BOTTOM_PT - _TOP_PT, fill=RULE)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=number)
    draw_base(sheet, x, y, fitting_ticks(x, number), "Output tokens a second")
    for row, chosen in enumerate(curve.chosen):
        _chosen(sheet, x, chosen, row)
    if panel.limit_ms is not None:
        at = y.at(panel.limit_ms)
        ends = ((x.start_pt, at), (x.end_pt, at))
        sheet.line(ends, colour=ACCENT, width=1.5, dashes="5 2.5")
        sheet.words(panel.limit_label, x.end_pt + 4, at, colour=ACCENT, bold=True)
    if len(panel.path) > 1:
        path = [(x.at(rate), y.at(ms)) for rate, ms in panel.path]
        sheet.line(path, colour=MUTED, width=1.2)
    for mark in panel.marks:
        _mark(sheet, x.at(mark.output_tok_per_s), y.at(mark.latency_ms), mark)


def _chosen(sheet: Sheet, x: Scale, chosen: Chosen, row: int) -> None:
    at = x.at(chosen.output_tok_per_s)
    height = _FIRST_LABEL_PT + row * _LABEL_STEP_PT
    half = width_of(chosen.label, bold=True) / 2
    middle = min(max(at, x.start_pt + half), x.end_pt - half)
    sheet.line(((at, height + 5), (at, _BOTTOM_PT)), colour=INK, width=0.7, dashes="1.5 2")
    sheet.words(chosen.label, middle, height, anchor="middle", bold=True, backed=True)


def _mark(sheet: Sheet, x: float, y: float, mark: LoadMark) -> None:
    if mark.chosen:
        sheet.mark("circle", x, y, radius=_RING_PT, edge=INK, fill="none", width=1.2)
    _dot(sheet, _SHAPES[mark.loop], x, y, mark.state)


def _dot(sheet: Sheet, shape: Shape, x: float, y: float, state: str) -> None:
    hollow = state in {"broken", "untold"}
    fill = PAPER if hollow else INK
    sheet.mark(shape, x, y, radius=_RADIUS_PT, edge=INK, fill=fill, width=1.2)
    if state == "untold":
        sheet.mark("circle", x, y, radius=1.0, edge=INK, fill=INK, width=0.2)


def _key(sheet: Sheet, curve: LoadCurve) -> None:
    """What the marks mean; a verdict stands on every shape there is."""
    marks = [mark for panel in curve.panels for mark in panel.marks]
    shapes = {_SHAPES[mark.loop]: words for words, mark in _loops(marks)}
    states = {mark.state for mark in marks}
    shown: list[tuple[list[Shape], str, str]] = [
        ([shape], "kept", words) for shape, words in shapes.items()
    ]
    shown += [(list(shapes), state, words) for state, words in _STATES.items() if state in states]
    at = _RADIUS_PT + 1
    for each, state, words in shown:
        for shape in each:
            _dot(sheet, shape, at, _KEY_PT, state)
            at += _KEY_WORDS_PT
        sheet.words(words, at, _KEY_PT, colour=MUTED)
        at += width_of(words) + _KEY_GAP_PT
    if curve.band is not None:
        sheet.box(0, _BAND_PT - 4, 8, 8, fill=RULE)
        sheet.words(curve.band_label, _RADIUS_PT + 1 + _KEY_WORDS_PT, _BAND_PT, colour=MUTED)


def _loops(marks: Iterable[LoadMark]) -> list[tuple[str, LoadMark]]:
    return [(_LOOPS[mark.loop], mark) for mark in sorted(marks, key=lambda mark: mark.loop)]
