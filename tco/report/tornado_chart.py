"""The tornado: what each range alone makes of the saving, the widest first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tco.comparison import Comparison
from tco.report.certainty import rival_of
from tco.report.numbers import number, percent
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, RULE, WIDTH_PT, Sheet
from tco.report.text import plain, shorten
from tco.uncertainty import CAPACITY_KEY, Bar

_MOST_BARS = 10
_STEP_PT, _BAR_PT, _TOP_PT = 24.0, 9.0, 20.0
_LEFT_PT, _RIGHT_PT = 190.0, 46.0
_LABEL_LIMIT = 44
_LEAST_SPAN = 1e-6


@dataclass(frozen=True, slots=True)
class TornadoBar:
    """One range: the saving at its low and at its high end."""

    label: str
    range_words: str
    at_low: float
    at_high: float
    low_words: str
    high_words: str


@dataclass(frozen=True, slots=True)
class TornadoBars:
    """The bars around the saving as stated."""

    base: float
    base_words: str
    low: float
    high: float
    bars: tuple[TornadoBar, ...]
    description: str


def tornado_bars(comparison: Comparison) -> TornadoBars | None:
    """Return the chart against the headline's alternative; None where no range moves the saving."""
    rival = rival_of(comparison)
    tornado = None if rival is None else rival.saving_tornado
    if tornado is None or not tornado.bars:
        return None
    bars = tuple(map(_bar, tornado.bars[:_MOST_BARS]))
    ends = [tornado.base, *(end for bar in bars for end in (bar.at_low, bar.at_high))]
    listed = "; ".join(f"{bar.label} {bar.low_words} to {bar.high_words}" for bar in bars)
    return TornadoBars(
        base=tornado.base,
        base_words=f"as stated: {percent(tornado.base)}",
        low=min(ends),
        high=max(*ends, min(ends) + _LEAST_SPAN),
        bars=bars,
        description=f"Bar chart of the saving, as stated {percent(tornado.base)}, with one number "
        f"at a time at both ends of its range: {listed}.",
    )


def _bar(bar: Bar) -> TornadoBar:
    name = "measured rate, tok/s" if bar.key == CAPACITY_KEY else bar.key
    return TornadoBar(
        label=shorten(plain(name), _LABEL_LIMIT),
        range_words=f"{number(bar.low)} to {number(bar.high)}",
        at_low=bar.at_low,
        at_high=bar.at_high,
        low_words=percent(bar.at_low),
        high_words=percent(bar.at_high),
    )


@lru_cache(maxsize=4)
def draw_tornado(chart: TornadoBars) -> str:
    """Return the SVG: the low end of each range in grey, the high end in the accent colour."""
    height = _TOP_PT + _STEP_PT * len(chart.bars) + 4
    sheet = Sheet("tornado", height)
    x = Scale(chart.low, chart.high, _LEFT_PT + _RIGHT_PT, WIDTH_PT - _RIGHT_PT)
    base = x.at(chart.base)
    sheet.line(((base, _TOP_PT - 4), (base, height)), colour=INK, width=1)
    sheet.words(chart.base_words, base, 8, anchor="middle", bold=True)
    for place, bar in enumerate(chart.bars):
        middle = _TOP_PT + _STEP_PT * (place + 0.5)
        sheet.words(bar.label, 0, middle - 5)
        sheet.words(bar.range_words, 0, middle + 5, colour=MUTED)
        sheet.line(((0, middle + 12), (WIDTH_PT, middle + 12)), colour=RULE, width=0.5)
        for saving, fill in ((bar.at_low, MUTED), (bar.at_high, ACCENT)):
            at = x.at(saving)
            left, wide = min(at, base), abs(at - base)
            sheet.box(left, middle - _BAR_PT / 2, wide, _BAR_PT, fill=fill)
        for saving, words in ((bar.at_low, bar.low_words), (bar.at_high, bar.high_words)):
            if saving != chart.base:
                is_left = saving < chart.base
                across = x.at(saving) + (-4 if is_left else 4)
                sheet.words(words, across, middle, anchor="end" if is_left else "start")
    return sheet.svg()
