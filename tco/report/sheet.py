"""A Sheet is a drawing in the making: lines, marks and words that become SVG, same bytes always.

Places and sizes are in points, from the top left. Every colour stands in a style of its own,
so that a page can put its own colours in their place.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from html import escape
from typing import Literal

from tco.report.letters import width_em
from tco.report.scale import Scale

INK = "#1b1f24"
MUTED = "#59616b"
RULE = "#d3d8de"
ACCENT = "#0b5cad"
PAPER = "#fffffe"
FONT_FAMILY = "Inter"
TEXT_PT = 8.0
WIDTH_PT = 496.8

Anchor = Literal["start", "middle", "end"]
Shape = Literal["circle", "square"]

# The middle of a capital, in shares of the font's size.
_HALF_CAPITAL = 0.36
_PAD_PT = 1.2
_MOST_TICKS, _TICK_GAP_PT, _TICK_TO_AXIS_PT = 6, 4.0, 8.0


class Sheet:
    """Collects shapes and words; `svg` returns them. `name` keeps its ids apart from others'."""

    def __init__(self, name: str, height_pt: float) -> None:
        self._name = name
        self._height_pt = height_pt
        self._parts: list[str] = []

    def line(
        self,
        places: Sequence[tuple[float, float]],
        *,
        colour: str,
        width: float,
        dashes: str = "",
    ) -> None:
        """Draw straight from place to place."""
        path = "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in places)
        dash = f";stroke-dasharray:{dashes}" if dashes else ""
        style = f"fill:none;stroke:{colour};stroke-width:{_n(width)}{dash}"
        self._parts.append(f'<path d="{path}" style="{style}"/>')

    def box(
        self,
        left: float,
        top: float,
        width: float,
        height: float,
        *,
        fill: str,
        opacity: float = 1.0,
    ) -> None:
        """Draw a filled rectangle; below an opacity of 1 what lies under it shows through."""
        through = f";fill-opacity:{_n(opacity)}" if opacity < 1 else ""
        self._parts.append(
            f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" height="{_n(height)}" '
            f'style="fill:{fill}{through}"/>'
        )

    def area(self, places: Sequence[tuple[float, float]], *, fill: str) -> None:
        """Fill what lies between straight lines from place to place and back."""
        path = "M" + " L".join(f"{_n(x)} {_n(y)}" for x, y in places) + " Z"
        self._parts.append(f'<path d="{path}" style="fill:{fill}"/>')

    def mark(
        self, shape: Shape, x: float, y: float, *, radius: float, edge: str, fill: str, width: float
    ) -> None:
        """Draw a mark with its centre at a place."""
        style = f"fill:{fill};stroke:{edge};stroke-width:{_n(width)}"
        if shape == "circle":
            place = f'cx="{_n(x)}" cy="{_n(y)}" r="{_n(radius)}"'
            self._parts.append(f'<circle {place} style="{style}"/>')
            return
        half = radius * 0.89  # the area of the circle
        place = f'x="{_n(x - half)}" y="{_n(y - half)}" width="{_n(2 * half)}"'
        self._parts.append(f'<rect {place} height="{_n(2 * half)}" style="{style}"/>')

    def words(
        self,
        text: str,
        x: float,
        y: float,
        *,
        colour: str = INK,
        anchor: Anchor = "start",
        bold: bool = False,
        backed: bool = False,
    ) -> None:
        """Write one line whose middle is at `y`; `backed` hides what lies under it."""
        if backed:
            wide = width_of(text, bold=bold)
            left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
            high = TEXT_PT + 2 * _PAD_PT
            self.box(left - _PAD_PT, y - high / 2, wide + 2 * _PAD_PT, high, fill=PAPER)
        weight = 600 if bold else 400
        font = f"font-family:{FONT_FAMILY};font-size:{_n(TEXT_PT)}px;font-weight:{weight}"
        style = f"{font};text-anchor:{anchor};fill:{colour}"
        place = f'x="{_n(x)}" y="{_n(y + _HALF_CAPITAL * TEXT_PT)}"'
        self._parts.append(f'<text {place} style="{style}">{escape(text, quote=False)}</text>')

    def clip(self, left: float, top: float, width: float, height: float) -> None:
        """Show of what is drawn until `end_clip` only what lies inside."""
        name = f"{self._name}-clip-{len(self._parts)}"
        self._parts.append(
            f'<clipPath id="{name}"><rect x="{_n(left)}" y="{_n(top)}" width="{_n(width)}" '
            f'height="{_n(height)}"/></clipPath><g clip-path="url(#{name})">'
        )

    def end_clip(self) -> None:
        """End what `clip` began."""
        self._parts.append("</g>")

    def svg(self) -> str:
        """Return the drawing."""
        size = f"{_n(WIDTH_PT)} {_n(self._height_pt)}"
        body = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(WIDTH_PT)}pt" '
            f'height="{_n(self._height_pt)}pt" viewBox="0 0 {size}" version="1.1">\n{body}\n</svg>'
        )


def width_of(text: str, *, bold: bool = False, size_pt: float = TEXT_PT) -> float:
    """Return how wide a line is [pt]: see `letters`."""
    return width_em(text, bold=bold) * size_pt


def room_for_ticks(scale: Scale, form: Callable[[float], str], *, most: int, least: float) -> float:
    """Return the room left of an upright axis for the words of its ticks, at least `least` [pt]."""
    widest = max((width_of(form(tick)) for tick in scale.ticks(most)), default=0.0)
    return max(least, widest + _TICK_TO_AXIS_PT)


def fitting_ticks(scale: Scale, form: Callable[[float], str]) -> tuple[tuple[float, str], ...]:
    """Return round values along a level axis with their words, as many as do not touch."""
    found: tuple[tuple[float, str], ...] = ()
    for most in range(_MOST_TICKS, 0, -1):
        found = tuple((tick, form(tick)) for tick in scale.ticks(most))
        spans = [(scale.at(tick), width_of(words) / 2) for tick, words in found]
        if all(
            right - half_right - left - half_left >= _TICK_GAP_PT
            for (left, half_left), (right, half_right) in itertools.pairwise(spans)
        ):
            return found
    return found[:1]


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
