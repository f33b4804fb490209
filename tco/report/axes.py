"""Draws what every chart's curve stands on: levels across, a base line, ticks and a title."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from tco.report.scale import Scale
from tco.report.sheet import MUTED, RULE, Sheet

_TICK_BELOW_PT, _TITLE_BELOW_PT = 10.0, 24.0


def draw_levels(
    sheet: Sheet, x: Scale, y: Scale, *, most: int, say: Callable[[float], str]
) -> None:
    """Draw a line across at each of at most so many ticks of y, with its words on the left."""
    for tick in y.ticks(most):
        at = y.at(tick)
        sheet.line(((x.start_pt, at), (x.end_pt, at)), colour=RULE, width=0.6)
        sheet.words(say(tick), x.start_pt - 5, at, colour=MUTED, anchor="end")


def draw_base(
    sheet: Sheet, x: Scale, y: Scale, ticks: Iterable[tuple[float, str]], title: str
) -> None:
    """Draw the line at the foot of y, and under it the words of the ticks of x and its title."""
    base = y.start_pt
    sheet.line(((x.start_pt, base), (x.end_pt, base)), colour=MUTED, width=0.8)
    for tick, text in ticks:
        sheet.words(text, x.at(tick), base + _TICK_BELOW_PT, colour=MUTED, anchor="middle")
    middle = (x.start_pt + x.end_pt) / 2
    sheet.words(title, middle, base + _TITLE_BELOW_PT, colour=MUTED, anchor="middle")
