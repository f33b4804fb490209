"""Draws the waterfall of the cost lines as SVG: no decisions, same bytes every time."""

from __future__ import annotations

from functools import lru_cache

from tco.report.figures import PartBars, PriceLine
from tco.report.scale import Scale
from tco.report.sheet import ACCENT, INK, MUTED, WIDTH_PT, Sheet, width_of

_TOP_PT, _STEP_PT, _BAR_PT = 22.0, 17.3, 10.4
_LEFT_PT, _RIGHT_PT = 92.0, 52.0
_PRICE_PT = 8.0


@lru_cache(maxsize=4)
def draw_part_bars(chart: PartBars) -> str:
    """Return the SVG: each line begins where the last ended; the API's price is a line across."""
    height = _TOP_PT + _STEP_PT * len(chart.bars) + 4
    sheet = Sheet("parts", height)
    x = Scale(0, chart.high_usd, _LEFT_PT, WIDTH_PT - _RIGHT_PT)
    if chart.price is not None:
        _price(sheet, chart.price, x, height, beyond=chart.price_beyond)
    last = len(chart.bars) - 1
    for place, bar in enumerate(chart.bars):
        middle = _TOP_PT + _STEP_PT * (place + 0.5)
        start, end = x.at(bar.start_usd), x.at(bar.start_usd + bar.length_usd)
        fill = INK if bar.total else MUTED
        sheet.box(start, middle - _BAR_PT / 2, end - start, _BAR_PT, fill=fill)
        if place < last:
            down = middle + _STEP_PT - _BAR_PT / 2
            sheet.line(((end, middle + _BAR_PT / 2), (end, down)), colour=INK, width=0.7)
        sheet.words(bar.text, end + 4, middle, bold=bar.total, backed=True)
        sheet.words(bar.label, _LEFT_PT - 6, middle, anchor="end", bold=bar.total)
    return sheet.svg()


def _price(sheet: Sheet, price: PriceLine, x: Scale, height: float, *, beyond: bool) -> None:
    words = f"{price.price}  {price.label}" + (", beyond this scale →" if beyond else "")
    at = x.end_pt if beyond else x.at(price.usd_per_million)
    half = width_of(words, bold=True) / 2
    middle = min(max(at, half), WIDTH_PT - half)
    if not beyond:
        ends = ((at, _PRICE_PT + 7), (at, height - 2))
        sheet.line(ends, colour=ACCENT, width=1.5, dashes="5 2.5")
    sheet.words(words, middle, _PRICE_PT, anchor="middle", colour=ACCENT, bold=True)
