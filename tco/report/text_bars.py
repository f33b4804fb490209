"""The cost of a million output tokens as bars of text, for where no picture can stand."""

from __future__ import annotations

from dataclasses import dataclass

from rich.cells import cell_len

from tco.report.figures import CostCurve
from tco.report.numbers import percent, usd
from tco.report.text import shorten

_WIDE = 30
_LABEL_LIMIT = 34
_STEPS = (0.2, 0.4, 0.6, 0.8, 1.0)
_NEAR = 1e-9
_OWN, _API = "█", "░"


@dataclass(frozen=True, slots=True)
class TextBar:
    """One cost: USD per million output tokens, of own hardware or of an API."""

    label: str
    usd_per_million: float
    own: bool


def text_bars(curve: CostCurve) -> tuple[TextBar, ...]:
    """Return own cost at a few utilisations and here, and each API's, the dearest first."""
    here = curve.here
    steps = [
        TextBar(f"own at {percent(share)}", cost, own=True)
        for share, cost in zip(curve.utilisation, curve.usd_per_million, strict=True)
        if any(abs(share - step) < _NEAR for step in _STEPS)
        and abs(share - here.utilisation) > _NEAR
    ]
    now = TextBar(f"own at {percent(here.utilisation)}, as here", here.usd_per_million, own=True)
    rivals = [TextBar(line.label, line.usd_per_million, own=False) for line in curve.lines]
    return tuple(sorted((*steps, now, *rivals), key=lambda bar: -bar.usd_per_million))


def draw_text_bars(bars: tuple[TextBar, ...]) -> str:
    """Return a line a bar, in a font of equal widths."""
    longest = max((bar.usd_per_million for bar in bars), default=0.0) or 1.0
    labels = [shorten(bar.label, _LABEL_LIMIT) for bar in bars]
    room = max(map(cell_len, labels), default=0)
    lines = []
    for bar, label in zip(bars, labels, strict=True):
        cells = round(bar.usd_per_million / longest * _WIDE)
        if bar.usd_per_million > 0:
            cells = max(cells, 1)
        mark = (_OWN if bar.own else _API) * cells
        pad = " " * (room - cell_len(label))
        lines.append(" ".join(filter(None, (f"{label}{pad} ", mark, usd(bar.usd_per_million)))))
    return "\n".join(lines)
