"""Own cost of several scenarios, each as a share of its API's: in parts, beside the API's whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import cell_len

from tco.comparison import Comparison
from tco.report.headline import label
from tco.report.numbers import percent, times
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE, WIDTH_PT, Sheet
from tco.report.text import plain, shorten
from tco.side_by_side import Side

_STEP_PT, _BAR_PT, _TOP_PT, _FOOT_PT = 34.0, 11.0, 24.0, 16.0
_LEFT_PT, _RIGHT_PT = 168.0, 118.0
_NAME_LIMIT, _RIVAL_LIMIT = 30, 28
_HEADROOM, _HEADROOM_OF_A_CUT = 1.04, 1.3
# A cost of more than this many times the API's would leave no length to the others.
_FARTHEST = 8.0
_WIDE_CELLS = 30
# The three tones that can be told apart, and the cost lines that each stands for.
_TONES = (
    ("hardware", INK, ("capital", "rental")),
    ("electricity", MUTED, ("power",)),
    ("all other", RULE, ("maintenance", "licence", "hosting", "staff", "other")),
)


@dataclass(frozen=True, slots=True)
class SideBar:
    """One scenario: its parts as shares of the API's cost, and the ends of the own cost's interval.

    `parts` is empty where the API's cost is nothing, or there is none.
    """

    name: str
    rival: str
    parts: tuple[float, ...]
    low: float | None
    high: float | None
    words: str


@dataclass(frozen=True, slots=True)
class SideBars:
    """The scenarios, and the share at which the scale ends: a longer bar is cut there."""

    bars: tuple[SideBar, ...]
    most: float
    description: str


def side_bars(sides: Sequence[tuple[str, Side]]) -> SideBars:
    """Return the chart of these scenarios, each with its letter."""
    bars = tuple(_bar(letter, side) for letter, side in sides)
    ends = [end for bar in bars for end in (sum(bar.parts), bar.high or 0.0)]
    listed = "; ".join(f"{bar.name}, {bar.words}" for bar in bars)
    return SideBars(
        bars,
        max(1.0, *(end for end in ends if end <= _FARTHEST)),
        f"Bar chart of own cost as a share of the API's: {listed}.",
    )


def _bar(letter: str, side: Side) -> SideBar:
    comparison = side.comparison
    rival = comparison.headline_alternative()
    name = f"{letter}: {shorten(plain(side.label), _NAME_LIMIT)}"
    if rival is None or rival.saving is None or rival.usd_per_million_output <= 0:
        return SideBar(name, "", (), None, None, "no saving to state")
    lines = comparison.self_host.parts_usd_per_million_output.model_dump()
    parts = tuple(
        sum(lines[key] for key in keys) / rival.usd_per_million_output for _, _, keys in _TONES
    )
    low, high = _ends(comparison)
    return SideBar(
        name,
        f"against {shorten(label(rival), _RIVAL_LIMIT)}",
        parts,
        low,
        high,
        _words(rival.saving),
    )


def _words(saving: float) -> str:
    if saving >= 0:
        return f"saves {percent(saving)}"
    if 1 - saving > _FARTHEST:
        return f"costs {times(1 - saving)} as much"
    return f"costs {percent(-saving)} more"


def _ends(comparison: Comparison) -> tuple[float | None, float | None]:
    rival = comparison.headline_alternative()
    sure = None if rival is None else comparison.how_sure(rival)
    if sure is None or sure.saving is None:
        return None, None
    return 1 - sure.saving.high, 1 - sure.saving.low


def text_side_bars(chart: SideBars) -> str:
    """Return a line a scenario in a font of equal widths; the API's cost ends at the upright."""
    room = max(map(cell_len, (bar.name for bar in chart.bars)), default=0)
    api = max(round(_WIDE_CELLS / chart.most), 1)
    lines = []
    for bar in chart.bars:
        cells = round(sum(bar.parts) / chart.most * _WIDE_CELLS)
        drawn = ["█" if place < cells else " " for place in range(_WIDE_CELLS)]
        drawn[api - 1] = "┃"
        if sum(bar.parts) > chart.most:
            drawn[-1] = "»"
        pad = " " * (room - cell_len(bar.name))
        lines.append(f"{bar.name}{pad}  {''.join(drawn)}  {bar.words}")
    foot = f"{' ' * (room + 2 + api - 1)}┃ the API's cost"
    return "\n".join((*lines, foot))


@lru_cache(maxsize=4)
def draw_side_bars(chart: SideBars) -> str:
    """Return the SVG: a bar a scenario, the API's cost as the upright line at 100 %."""
    base = _TOP_PT + _STEP_PT * len(chart.bars)
    sheet = Sheet("sides", base + _FOOT_PT)
    is_cut = any(sum(bar.parts) > chart.most for bar in chart.bars)
    room = _HEADROOM_OF_A_CUT if is_cut else _HEADROOM
    x = Scale(0, chart.most * room, _LEFT_PT, WIDTH_PT - _RIGHT_PT)
    for tick in x.ticks(5):
        at = x.at(tick)
        sheet.line(((at, _TOP_PT), (at, base)), colour=RULE, width=0.6)
        sheet.words(percent(tick), at, base + 9, colour=MUTED, anchor="middle")
    across = _LEFT_PT
    for title, colour, _ in _TONES:
        sheet.box(across, 4, 8, 8, fill=colour)
        sheet.words(title, across + 12, 8)
        across += 62
    sheet.line(((across, 4), (across, 12)), colour=ACCENT, width=1.7)
    sheet.words("the API", across + 5, 8)
    for place, bar in enumerate(chart.bars):
        middle = _TOP_PT + _STEP_PT * (place + 0.5)
        sheet.words(bar.name, 0, middle - 5, bold=True)
        sheet.words(bar.rival, 0, middle + 6, colour=MUTED)
        _parts(sheet, x, bar.parts, middle)
        if sum(bar.parts) > chart.most:
            _cut(sheet, x.end_pt, middle)
        elif bar.low is not None and bar.high is not None:
            _whisker(sheet, x, bar.low, min(bar.high, x.high), middle + _BAR_PT / 2 + 4)
        sheet.words(bar.words, WIDTH_PT - _RIGHT_PT + 8, middle, bold=True)
    one = x.at(1.0)
    sheet.line(((one, _TOP_PT), (one, base)), colour=ACCENT, width=1.7)
    return sheet.svg()


def _whisker(sheet: Sheet, x: Scale, low: float, high: float, at: float) -> None:
    left, right = x.at(max(low, 0.0)), x.at(high)
    sheet.line(((left, at), (right, at)), colour=INK, width=1)
    for end in (left, right):
        sheet.line(((end, at - 2.5), (end, at + 2.5)), colour=INK, width=1)


def _parts(sheet: Sheet, x: Scale, parts: tuple[float, ...], middle: float) -> None:
    start = 0.0
    for share, (_, colour, _) in zip(parts, _TONES, strict=False):
        left, right = x.at(min(start, x.high)), x.at(min(start + share, x.high))
        sheet.box(left, middle - _BAR_PT / 2, right - left, _BAR_PT, fill=colour)
        start += share


def _cut(sheet: Sheet, end: float, middle: float) -> None:
    """Break a bar near the end of the scale: it is longer than can be drawn."""
    top, foot = middle - _BAR_PT / 2 - 2, middle + _BAR_PT / 2 + 2
    for at in (end - 14, end - 9):
        sheet.line(((at, foot), (at + 4, top)), colour=PAPER, width=2)
