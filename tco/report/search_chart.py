"""What the trials of a search gave, one after another, and the best so far, as a chart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tco.report.axes import draw_base, draw_levels
from tco.report.numbers import count
from tco.report.scale import Scale
from tco.report.search_fields import field_name, field_value
from tco.report.sheet import (
    ACCENT,
    INK,
    MUTED,
    PAPER,
    WIDTH_PT,
    Shape,
    Sheet,
    room_for_ticks,
    width_of,
)
from tco.search_document import Search, SearchTrial

State = Literal["full", "short", "invalid", "own by turns", "best by turns", "failed"]

_HEIGHT_PT, _TOP_PT, _BOTTOM_PT = 182.0, 36.0, 154.0
_LEFT_PT, _RIGHT_PT = 34.0, 8.0
_RADIUS_PT, _CROSS_PT = 3.0, 2.6
_Y_TICKS, _MOST_NUMBERS, _LOG_FROM, _ROOM = 5, 16, 12.0, 0.08
_WIDE_CELLS = 30
_WORDS: dict[State, str] = {
    "full": "full run",
    "short": "short run",
    "invalid": "invalid",
    "best by turns": "best, by turns",
    "own by turns": "own, by turns",
    "failed": "failed",
}


@dataclass(frozen=True, slots=True)
class TrialMark:
    """A trial: its objective, None where it gave none, and what kind of a run it was."""

    number: int
    value: float | None
    state: State


@dataclass(frozen=True, slots=True)
class TrialsChart:
    """The trials in order, the best so far from where it was found, and the scale of the values.

    `own` is what the first full run of the scenario's own settings gave.
    """

    marks: tuple[TrialMark, ...]
    best: tuple[tuple[int, float], ...]
    own: float | None
    field: str
    low: float
    high: float
    is_log: bool
    description: str

    def svg(self) -> str:
        """Return the drawing."""
        return _drawn(self)

    def text(self) -> str:
        """Return a line a trial: its value as a bar, with a sign where it is the best so far."""
        found = {number for number, _ in self.best}
        most = max((abs(mark.value) for mark in self.marks if mark.value is not None), default=1.0)
        room = len(count(self.marks[-1].number)) if self.marks else 0
        return "\n".join(
            f"{count(mark.number):>{room}}  {_bar(mark, most)}  {_words_of(mark, self.field)}"
            f"{', the best so far' if mark.number in found else ''}"
            for mark in self.marks
        )


def trials_chart(search: Search) -> TrialsChart | None:
    """Return the chart of all trials; None where none gave a value."""
    marks = tuple(TrialMark(t.number, _value(t), _state(t)) for t in search.trials)
    values = [mark.value for mark in marks if mark.value is not None]
    if not values:
        return None
    low, high, is_log = span_of(values)
    best = _best_so_far(search)
    name = field_name(search.objective)
    said = "; ".join(f"trial {n}: {field_value(search.objective, value)}" for n, value in best)
    failed = sum(mark.state == "failed" for mark in marks)
    description = (
        f"Chart of {name} by trial, {count(len(marks))} trials, {count(failed)} failed. "
        f"The best so far: {said or 'none'}."
    )
    own = next(
        (t.objective for t in search.trials if t.settings == search.own and _state(t) == "full"),
        None,
    )
    return TrialsChart(marks, best, own, search.objective, low, high, is_log, description)


def span_of(values: Sequence[float]) -> tuple[float, float, bool]:
    """Return the ends of a scale with room about the values, and whether it is logarithmic."""
    low, high = min(values), max(values)
    if low > 0 and high > _LOG_FROM * low:
        room = (high / low) ** _ROOM
        return low / room, high * room, True
    room = (high - low) * _ROOM or abs(high) * _ROOM or 1.0
    return low - room, high + room, False


def _value(trial: SearchTrial) -> float | None:
    return None if trial.failure else trial.objective


def _state(trial: SearchTrial) -> State:
    if trial.failure or trial.objective is None:
        return "failed"
    if trial.invalid:
        return "invalid"
    if trial.purpose == "confirm":
        return "best by turns" if trial.role == "candidate" else "own by turns"
    return "full" if trial.rung == "full" else "short"


def _best_so_far(search: Search) -> tuple[tuple[int, float], ...]:
    """Return each full, valid run that was better than all before it; the confirmation left out."""
    found = list[tuple[int, float]]()
    for trial in search.trials:
        if _state(trial) != "full" or trial.objective is None:
            continue
        is_first = not found
        is_lower = not is_first and trial.objective < found[-1][1]
        is_higher = not is_first and trial.objective > found[-1][1]
        if is_first or (is_lower if search.aim == "minimise" else is_higher):
            found.append((trial.number, trial.objective))
    return tuple(found)


def _bar(mark: TrialMark, most: float) -> str:
    cells = 0 if mark.value is None else round(abs(mark.value) / (most or 1.0) * _WIDE_CELLS)
    return (("░" if mark.state in {"short", "invalid"} else "█") * cells).ljust(_WIDE_CELLS)


def _words_of(mark: TrialMark, field: str) -> str:
    said = _WORDS[mark.state]
    return said if mark.value is None else f"{field_value(field, mark.value)}, {said}"


def _drawn(chart: TrialsChart) -> str:
    sheet = Sheet("trials", _HEIGHT_PT)
    y = Scale(chart.low, chart.high, _BOTTOM_PT - 12, _TOP_PT, log=chart.is_log)

    def say(value: float) -> str:
        return field_value(chart.field, value)

    last = chart.marks[-1].number
    left = room_for_ticks(y, say, most=_Y_TICKS, least=_LEFT_PT)
    x = Scale(0.5, last + 0.5, left, WIDTH_PT - _RIGHT_PT)
    draw_levels(sheet, x, y, most=_Y_TICKS, say=say)
    every = max(1, -(-last // _MOST_NUMBERS))
    ticks = [(number, count(number)) for number in range(1, last + 1) if (number - 1) % every == 0]
    base = Scale(0, 1, _BOTTOM_PT, _TOP_PT)
    draw_base(sheet, x, base, ticks, "Trial")
    if chart.own is not None:
        ends = ((x.start_pt, y.at(chart.own)), (x.end_pt, y.at(chart.own)))
        sheet.line(ends, colour=MUTED, width=1, dashes="3 2")
    _best_line(sheet, chart, x, y)
    for mark in chart.marks:
        at = y.at(mark.value) if mark.value is not None else _BOTTOM_PT - 5
        _mark(sheet, x.at(mark.number), at, mark.state)
    _key(sheet, chart)
    return sheet.svg()


def _best_line(sheet: Sheet, chart: TrialsChart, x: Scale, y: Scale) -> None:
    if not chart.best:
        return
    places, height = list[tuple[float, float]](), None
    for number, value in chart.best:
        if height is not None:
            places.append((x.at(number), height))
        height = y.at(value)
        places.append((x.at(number), height))
    places.append((x.end_pt, places[-1][1]))
    sheet.line(places, colour=ACCENT, width=1.5)


def _mark(sheet: Sheet, x: float, y: float, state: State) -> None:
    if state == "failed":
        for rise in (_CROSS_PT, -_CROSS_PT):
            ends = ((x - _CROSS_PT, y - rise), (x + _CROSS_PT, y + rise))
            sheet.line(ends, colour=INK, width=1.2)
        return
    shape: Shape = "square" if state in {"own by turns", "best by turns"} else "circle"
    fill = INK if state in {"full", "best by turns"} else PAPER
    edge = MUTED if state == "invalid" else INK
    sheet.mark(shape, x, y, radius=_RADIUS_PT, edge=edge, fill=fill, width=1.1)
    if state == "invalid":
        sheet.line(((x - _RADIUS_PT, y), (x + _RADIUS_PT, y)), colour=MUTED, width=1.1)


def _key(sheet: Sheet, chart: TrialsChart) -> None:
    states = {mark.state for mark in chart.marks}
    at = 0.0
    for state, words in _WORDS.items():
        if state in states:
            _mark(sheet, at + _RADIUS_PT + 1, 6, state)
            sheet.words(words, at + 11, 6, colour=MUTED)
            at += width_of(words) + 20
    lines = (
        (bool(chart.best), "best full run so far", ACCENT, 1.5, ""),
        (chart.own is not None, "own settings, first run", MUTED, 1.0, "3 2"),
    )
    at = 0.0
    for there, words, colour, width, dashes in lines:
        if there:
            sheet.line(((at, 19), (at + 12, 19)), colour=colour, width=width, dashes=dashes)
            sheet.words(words, at + 16, 19, colour=MUTED)
            at += width_of(words) + 28
