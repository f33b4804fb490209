"""The tornado: what each range alone makes of the saving, the widest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tco.comparison import Comparison
from tco.report.certainty import rival_of
from tco.report.headline import label
from tco.report.inputs import unit_beside
from tco.report.key_words import titled, value_words
from tco.report.numbers import percent
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE, WIDTH_PT, Anchor, Sheet
from tco.report.text import shorten
from tco.uncertainty import Bar

_MOST_BARS = 10
_STEP_PT, _BAR_PT, _TOP_PT = 24.0, 9.0, 20.0
# Of a range whose two ends lie on one side: its bars one below the other.
_LANE_PT, _LANE_BAR_PT, _EDGE_PT = 5.0, 7.0, 1.0
_LEFT_PT, _RIGHT_PT = 190.0, 46.0
_LABEL_LIMIT, _NAME_LIMIT = 44, 60
# So that bars which move the saving by less than is printed are not as wide as the page.
_LEAST_SPAN = 0.02


@dataclass(frozen=True, slots=True)
class TornadoBar:
    """One range: the saving at its low and at its high end."""

    label: str
    range_words: str
    at_low: float
    at_high: float
    low_words: str
    high_words: str

    def is_one_sided(self, base: float) -> bool:
        """Say whether both ends move the saving the same way."""
        return max(self.at_low, self.at_high) < base or min(self.at_low, self.at_high) > base


@dataclass(frozen=True, slots=True)
class TornadoBars:
    """The bars around the saving as stated, and whose saving it is (`caption`)."""

    caption: str
    base: float
    base_words: str
    low: float
    high: float
    bars: tuple[TornadoBar, ...]
    description: str


def tornado_bars(comparison: Comparison) -> TornadoBars | None:
    """Return the chart against the headline's alternative; None where no range moves the saving."""
    rival, against = rival_of(comparison), comparison.headline_alternative()
    tornado = None if rival is None else rival.saving_tornado
    if against is None or tornado is None or not tornado.bars:
        return None
    name, many = shorten(label(against), _NAME_LIMIT), len(tornado.bars)
    of_all = f"; the {_MOST_BARS} that move it most, of {many}" if many > _MOST_BARS else ""
    names = [each.name for each in comparison.alternatives]
    bars = tuple(_bar(each, names) for each in tornado.bars[:_MOST_BARS])
    ends = [tornado.base, *(end for bar in bars for end in (bar.at_low, bar.at_high))]
    spare = _LEAST_SPAN / 2 if max(ends) - min(ends) < _LEAST_SPAN else 0.0
    listed = "; ".join(f"{bar.label} {bar.low_words} to {bar.high_words}" for bar in bars)
    return TornadoBars(
        caption=f"The saving against {name} with one figure at a time at the low (hollow) and the "
        f"high end (filled) of its range{of_all}",
        base=tornado.base,
        base_words=f"as stated: {percent(tornado.base)}",
        low=min(*ends, tornado.base - spare),
        high=max(*ends, tornado.base + spare),
        bars=bars,
        description=f"Bar chart of the saving against {name}, as stated {percent(tornado.base)}, "
        f"with one number at a time at both ends of its range: {listed}.",
    )


def _bar(bar: Bar, names: Sequence[str]) -> TornadoBar:
    ends = f"{value_words(bar.key, bar.low)} to {value_words(bar.key, bar.high)}"
    return TornadoBar(
        label=shorten(titled(bar.key, names), _LABEL_LIMIT),
        range_words=f"{ends} {unit_beside(bar.key)}".rstrip(),
        at_low=bar.at_low,
        at_high=bar.at_high,
        low_words=percent(bar.at_low),
        high_words=percent(bar.at_high),
    )


@lru_cache(maxsize=4)
def draw_tornado(chart: TornadoBars) -> str:
    """Return the SVG: hollow bars to the low end of each range, filled ones to the high end."""
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
        one_sided = bar.is_one_sided(chart.base)
        apart, high = (_LANE_PT, _LANE_BAR_PT) if one_sided else (0.0, _BAR_PT)
        ends = ((bar.at_low, bar.low_words, -apart), (bar.at_high, bar.high_words, apart))
        for (saving, words, down), hollow in zip(ends, (True, False), strict=True):
            if saving != chart.base:
                across, centre = x.at(saving), middle + down
                _draw_bar(sheet, sorted((across, base)), centre, high, hollow=hollow)
                is_left = saving < chart.base
                anchor: Anchor = "end" if is_left else "start"
                sheet.words(words, across + (-4 if is_left else 4), centre, anchor=anchor)
    return sheet.svg()


def _draw_bar(
    sheet: Sheet, ends: Sequence[float], centre: float, high: float, *, hollow: bool
) -> None:
    left, right = ends
    sheet.box(left, centre - high / 2, right - left, high, fill=MUTED if hollow else ACCENT)
    inside = right - left - 2 * _EDGE_PT
    if hollow and inside > 0:
        top = centre - high / 2 + _EDGE_PT
        sheet.box(left + _EDGE_PT, top, inside, high - 2 * _EDGE_PT, fill=PAPER)
