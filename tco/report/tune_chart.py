"""What each configuration of a tuning serves, against the first one, as bars with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len

from tco.report.numbers import number
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE, WIDTH_PT, Sheet, fitting_ticks
from tco.report.text import plain, shorten
from tco.tuning import Decision

_STEP_PT, _BAR_PT, _TOP_PT, _FOOT_PT = 19.0, 9.0, 26.0, 18.0
_LEFT_PT, _RIGHT_PT = 176.0, 96.0
_NAME_LIMIT = 36
_HEADROOM = 1.04
_WIDE_CELLS = 30


@dataclass(frozen=True, slots=True)
class TuneBar:
    """One configuration: its output rate [tok/s], the ends of its interval, what became of it.

    The rate is None where nothing was measured; `decision` is None of the first one.
    """

    name: str
    decision: Decision | None
    output_tok_per_s: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class TuneBars:
    """The configurations of one chart, the first one's rate, and the greatest of all [tok/s]."""

    bars: tuple[TuneBar, ...]
    first: float | None
    most: float
    description: str


def tune_bars(
    bars: Sequence[TuneBar], *, part: str = "", every: Sequence[TuneBar] = ()
) -> TuneBars:
    """Return the chart of these rows, the first of which the line stands for.

    `every` are the rows of all charts that have one scale; these rows where it is left out.
    """
    first = bars[0].output_tok_per_s if bars else None
    ends = [end for bar in every or bars for end in (bar.output_tok_per_s or 0.0, bar.high or 0.0)]
    listed = "; ".join(f"{bar.name}: {bar_words(bar)}" for bar in bars)
    return TuneBars(
        tuple(bars),
        first,
        max(ends, default=0.0) or 1.0,
        f"Bar chart of output tokens per second by step{part}: {listed}.",
    )


def bar_words(bar: TuneBar) -> str:
    """Return what stands beside a bar: `1,240, kept`."""
    decision = "as stated" if bar.decision is None else bar.decision.replace("_", " ")
    if bar.output_tok_per_s is None:
        return decision
    return f"{number(bar.output_tok_per_s)}, {decision}"


def bar_name(text: str) -> str:
    """Return a step's name, of the length that a chart has room for."""
    return shorten(plain(text), _NAME_LIMIT)


def text_tune_bars(chart: TuneBars) -> str:
    """Return a line a step in a font of equal widths: kept in full, others in grey."""
    room = max((cell_len(bar.name) for bar in chart.bars), default=0)
    lines = []
    for bar in chart.bars:
        cells = round((bar.output_tok_per_s or 0.0) / chart.most * _WIDE_CELLS)
        sign = "█" if bar.decision in (None, "kept") else "░"
        pad = " " * (room - cell_len(bar.name))
        lines.append(f"{bar.name}{pad}  {(sign * cells).ljust(_WIDE_CELLS)}  {bar_words(bar)}")
    return "\n".join(lines)


@lru_cache(maxsize=4)
def draw_tune_bars(chart: TuneBars) -> str:
    """Return the SVG: kept steps filled, others an outline, the first's rate as an upright line."""
    base = _TOP_PT + _STEP_PT * len(chart.bars)
    sheet = Sheet("tune", base + _FOOT_PT)
    x = Scale(0, chart.most * _HEADROOM, _LEFT_PT, WIDTH_PT - _RIGHT_PT)
    for tick, words in fitting_ticks(x, number):
        at = x.at(tick)
        sheet.line(((at, _TOP_PT), (at, base)), colour=RULE, width=0.6)
        sheet.words(words, at, base + 9, colour=MUTED, anchor="middle")
    _legend(sheet)
    for place, bar in enumerate(chart.bars):
        middle = _TOP_PT + _STEP_PT * (place + 0.5)
        sheet.words(bar.name, 0, middle, bold=bar.decision in (None, "kept"))
        end = _LEFT_PT
        if bar.output_tok_per_s is not None:
            end = _bar(sheet, x, bar, middle)
        sheet.words(bar_words(bar), end + 6, middle, colour=INK, backed=True)
    if chart.first is not None:
        at = x.at(chart.first)
        sheet.line(((at, _TOP_PT), (at, base)), colour=ACCENT, width=1.2, dashes="3 2")
    return sheet.svg()


def _legend(sheet: Sheet) -> None:
    sheet.box(0, 4, 8, 8, fill=INK)
    sheet.words("kept, or as stated", 12, 8)
    sheet.mark("square", 108, 8, radius=4.5, edge=MUTED, fill=PAPER, width=1)
    sheet.words("not kept", 116, 8)
    sheet.line(((166, 4), (166, 12)), colour=ACCENT, width=1.2, dashes="3 2")
    sheet.words("the scenario's own settings", 171, 8)
    sheet.words("output tokens per second", WIDTH_PT, 8, colour=MUTED, anchor="end")


def _bar(sheet: Sheet, x: Scale, bar: TuneBar, middle: float) -> float:
    """Draw a rate and its interval; return where they end."""
    right = x.at(bar.output_tok_per_s or 0.0)
    top = middle - _BAR_PT / 2
    if bar.decision in (None, "kept"):
        sheet.box(_LEFT_PT, top, right - _LEFT_PT, _BAR_PT, fill=INK)
    else:
        left, foot = _LEFT_PT, top + _BAR_PT
        edge = ((left, top), (right, top), (right, foot), (left, foot), (left, top))
        sheet.line(edge, colour=MUTED, width=1)
    if bar.low is None or bar.high is None:
        return right
    low, high = x.at(max(bar.low, 0.0)), x.at(bar.high)
    at = middle + _BAR_PT / 2 + 2.5
    sheet.line(((low, at), (high, at)), colour=INK, width=1)
    for end in (low, high):
        sheet.line(((end, at - 2), (end, at + 2)), colour=INK, width=1)
    return max(right, high)
