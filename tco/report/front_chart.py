"""Cost against a latency: every full trial of a search, and the front that none of them beats."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tco.report.axes import draw_base, draw_levels
from tco.report.boxes import Box, box_around
from tco.report.numbers import count, number, usd
from tco.report.scale import Scale
from tco.report.search_chart import span_of
from tco.report.search_fields import COST, field_name, field_value, limit_of
from tco.report.sheet import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    TEXT_PT,
    WIDTH_PT,
    Sheet,
    fitting_ticks,
    room_for_ticks,
    width_of,
)
from tco.report.text import plain, shorten
from tco.search_document import FrontPoint, Search, SearchTrial
from tco.setting_words import OWN, settings_words

State = Literal["front", "beaten", "no use"]

_HEIGHT_PT, _TOP_PT, _BOTTOM_PT, _KEY_PT = 196.0, 34.0, 160.0, 6.0
_LEFT_PT, _RIGHT_PT = 34.0, 24.0
_RADIUS_PT, _LABEL_PT, _KEY_GAP_PT, _Y_TICKS = 3.2, 7.0, 14.0, 5
_LABEL_LIMIT = 40
_WORDS: dict[State, str] = {
    "front": "on the front",
    "beaten": "beaten in both",
    "no use": "breaks the service level, or invalid",
}


@dataclass(frozen=True, slots=True)
class FrontMark:
    """A full trial's cost [USD per million output tokens] and latency [ms].

    `label` names one of the front: its number and settings.
    """

    number: int
    latency_ms: float
    usd_per_million_output: float
    state: State
    label: str = ""


@dataclass(frozen=True, slots=True)
class FrontChart:
    """The trials, the front's first and cheapest first, the limit of the service level, scales."""

    marks: tuple[FrontMark, ...]
    latency: str
    limit_ms: float | None
    limit_label: str
    span_ms: tuple[float, float, bool]
    span_usd: tuple[float, float, bool]
    description: str

    def svg(self) -> str:
        """Return the drawing."""
        return _drawn(self)

    def text(self) -> str:
        """Return nothing: the table of the front says the same."""
        return ""


def front_chart(search: Search, latency: str, front: Sequence[FrontPoint]) -> FrontChart | None:
    """Return the chart of one front; None where no trial has both figures."""
    places = {point.trial: place for place, point in enumerate(front)}
    tried = [t for t in search.trials if t.rung == "full" and {latency, COST} <= t.figures.keys()]
    ranked = sorted(tried, key=lambda t: (places.get(t.number, len(places)), t.number))
    marks = tuple(_mark_of(t, latency, search, is_front=t.number in places) for t in ranked)
    if not marks:
        return None
    limit_ms = search.slo.get(latency)
    limits = () if limit_ms is None else (limit_ms,)
    said = "; ".join(f"{m.label}: {_point_words(m, latency)}" for m in marks if m.label)
    return FrontChart(
        marks,
        latency,
        limit_ms,
        "" if limit_ms is None else limit_of(latency, search.slo),
        span_of([*(mark.latency_ms for mark in marks), *limits]),
        span_of([mark.usd_per_million_output for mark in marks]),
        f"Chart of cost against {field_name(latency)}, {count(len(marks))} full trials. "
        f"On the front, the cheapest first: {said or 'none'}.",
    )


def _mark_of(trial: SearchTrial, latency: str, search: Search, *, is_front: bool) -> FrontMark:
    words = settings_words(trial.settings, search.own)
    words = "own settings" if words == OWN else plain(words)
    label = shorten(f"{trial.number}: {words}", _LABEL_LIMIT) if is_front else ""
    is_bad = bool(trial.failure or trial.invalid)
    return FrontMark(
        trial.number,
        trial.figures[latency],
        trial.figures[COST],
        "front" if is_front else "no use" if is_bad else "beaten",
        label,
    )


def _point_words(mark: FrontMark, latency: str) -> str:
    return f"{usd(mark.usd_per_million_output)} at {field_value(latency, mark.latency_ms)}"


def _drawn(chart: FrontChart) -> str:
    sheet = Sheet("front", _HEIGHT_PT)
    low, high, is_log = chart.span_usd
    y = Scale(low, high, _BOTTOM_PT, _TOP_PT, log=is_log)
    left = room_for_ticks(y, usd, most=_Y_TICKS, least=_LEFT_PT)
    low, high, is_log = chart.span_ms
    x = Scale(low, high, left, WIDTH_PT - _RIGHT_PT, log=is_log)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=usd)
    draw_base(sheet, x, y, fitting_ticks(x, number), f"{field_name(chart.latency)}, ms")
    sheet.words("USD per million output tokens", 0, _TOP_PT - 14, bold=True)
    places = [(x.at(m.latency_ms), y.at(m.usd_per_million_output)) for m in chart.marks]
    spots = [box_around(place, _RADIUS_PT) for place in places]
    if chart.limit_ms is not None:
        _limit(sheet, x, chart)
        spots.append(_along((x.at(chart.limit_ms), _TOP_PT), (x.at(chart.limit_ms), _BOTTOM_PT)))
    front = [mark for mark in chart.marks if mark.state == "front"]
    path = _stairs([(x.at(m.latency_ms), y.at(m.usd_per_million_output)) for m in front])
    if len(path) > 1:
        sheet.line(path, colour=INK, width=1)
        spots += [_along(*ends) for ends in itertools.pairwise(path)]
    for mark in reversed(chart.marks):
        _dot(sheet, x.at(mark.latency_ms), y.at(mark.usd_per_million_output), mark.state)
    for mark in front:
        at = (x.at(mark.latency_ms), y.at(mark.usd_per_million_output))
        spots.append(_label(sheet, at, mark, spots, (left, x.end_pt)))
    _key(sheet, {mark.state for mark in chart.marks})
    return sheet.svg()


def _limit(sheet: Sheet, x: Scale, chart: FrontChart) -> None:
    at = x.at(chart.limit_ms or 0.0)
    sheet.line(((at, _TOP_PT - 6), (at, _BOTTOM_PT)), colour=ACCENT, width=1.5, dashes="5 2.5")
    half = width_of(chart.limit_label, bold=True) / 2
    middle = min(at, WIDTH_PT - half)
    sheet.words(
        chart.limit_label, middle, _TOP_PT - 14, colour=ACCENT, anchor="middle", bold=True
    )  # fmt: skip


def _stairs(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the front as steps: between two trials nothing was measured."""
    path = list(places[:1])
    for at, height in places[1:]:
        path += [(path[-1][0], height), (at, height)]
    return path


def _dot(sheet: Sheet, x: float, y: float, state: State) -> None:
    if state == "no use":
        sheet.mark("circle", x, y, radius=_RADIUS_PT, edge=MUTED, fill=PAPER, width=1)
        return
    colour = INK if state == "front" else MUTED
    radius = _RADIUS_PT if state == "front" else _RADIUS_PT * 0.75
    sheet.mark("circle", x, y, radius=radius, edge=PAPER, fill=colour, width=0.6)


def _label(
    sheet: Sheet,
    at: tuple[float, float],
    mark: FrontMark,
    taken: Sequence[Box],
    ends: tuple[float, float],
) -> Box:
    """Write a trial's label where it hides nothing: in full, else its number alone."""
    x, y = at
    room = Box(ends[0], 0, ends[1] + _RIGHT_PT, _BOTTOM_PT)
    for text in (mark.label, count(mark.number)):
        wide = width_of(text, bold=True)
        for left, middle in (
            (x + 4, y - 8), (x - 4 - wide, y + 8), (x - _LABEL_PT - wide, y),
            (x - 4 - wide, y - 8), (x + 4, y + 8), (x + 12, y - 8), (x + _LABEL_PT, y),
        ):  # fmt: skip
            box = Box(left, middle - TEXT_PT / 2, left + wide, middle + TEXT_PT / 2)
            if room.holds(box) and not any(map(box.overlaps, taken)):
                sheet.words(text, left, middle, bold=True, backed=True)
                return box
    sheet.words(count(mark.number), x + _LABEL_PT, y, bold=True)
    return box_around(at, _RADIUS_PT)


def _along(one: tuple[float, float], other: tuple[float, float]) -> Box:
    """Return the box of an upright or level line."""
    (left, right), (top, foot) = (sorted(ends) for ends in zip(one, other, strict=True))
    return Box(left, top, right, foot).wider_by(1)


def _key(sheet: Sheet, states: set[State]) -> None:
    at = _RADIUS_PT + 1
    for state, words in _WORDS.items():
        if state in states:
            _dot(sheet, at, _KEY_PT, state)
            sheet.words(words, at + 7, _KEY_PT, colour=MUTED)
            at += width_of(words) + _KEY_GAP_PT + 7
