"""Draws the described charts as SVG: no decisions, no global state, same bytes every time."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tco.report.figures import CostCurve, PartBars, PriceLine
from tco.report.numbers import usd
from tco.resources import data_dir

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1b1f24"
MUTED = "#59616b"
RULE = "#d3d8de"
ACCENT = "#0b5cad"
PAPER = "#fffffe"
FONT_FAMILY = "Inter"

_WIDTH_IN = 6.9
_CURVE_HEIGHT_IN = 2.9
_CURVE_LEFT, _CURVE_BOTTOM, _CURVE_SHARE = 0.072, 0.15, 0.77
_BAR_HEIGHT_IN = 0.24
_TEXT_PT = 8.0
# Words take about a third of the width: further right they stand to the left of their mark,
# and marks nearer than that must differ in height.
_LAST_WITH_ROOM = 0.62
_NEAR = 0.35
_LABEL_GAP = 0.078
# Room for the words at the right: an average letter in inches, and the leader before them.
_LETTER_IN, _LEADER_IN = 0.056, 0.22
_PERCENT = 100


@lru_cache(maxsize=4)
def draw_cost_curve(curve: CostCurve) -> str:
    """Return the SVG of own cost against utilisation."""
    longest = max((len(_line_words(line)) for line in curve.lines), default=0)
    words_in = longest * _LETTER_IN + _LEADER_IN
    width = 1 - _CURVE_LEFT - words_in / _WIDTH_IN
    with _figure(_CURVE_HEIGHT_IN) as figure:
        axes = figure.add_axes((_CURVE_LEFT, _CURVE_BOTTOM, width, _CURVE_SHARE))
        _frame(axes, curve)
        figure.text(0, 0.955, curve.unit, fontsize=_TEXT_PT, color=MUTED, va="center")
        for line in curve.lines:
            colour = ACCENT if line.accent else MUTED
            axes.axhline(
                line.usd_per_million,
                color=colour,
                lw=1.7 if line.accent else 1.0,
                dashes=(5, 2.5),
                zorder=2,
            )
        axes.plot(curve.utilisation, curve.usd_per_million, color=INK, lw=2.0, zorder=3)
        _marks(axes, curve)
        _line_labels(axes, curve)
        return _svg(figure, "curve")


@lru_cache(maxsize=4)
def draw_part_bars(chart: PartBars) -> str:
    """Return the SVG of the cost lines and their total."""
    with _figure(_BAR_HEIGHT_IN * len(chart.bars) + 0.1) as figure:
        axes = figure.add_axes((0.16, 0.02, 0.74, 0.96))
        axes.axis("off")
        for place, bar in enumerate(chart.bars):
            colour = ACCENT if bar.total else MUTED
            axes.barh(place, bar.length_usd, left=bar.start_usd, height=0.6, color=colour)
            end = bar.start_usd + bar.length_usd
            weight = "semibold" if bar.total else "normal"
            common: dict[str, Any] = {
                "va": "center",
                "color": INK,
                "fontsize": _TEXT_PT,
                "fontweight": weight,
            }
            axes.annotate(bar.text, (end, place), (4, 0), textcoords="offset points", **common)
            axes.annotate(
                bar.label, (0, place), (-6, 0), textcoords="offset points", ha="right", **common
            )
        axes.set_xlim(0, chart.bars[-1].length_usd or 1.0)
        axes.set_ylim(len(chart.bars) - 0.5, -0.5)
        return _svg(figure, "parts")


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return the places moved apart to at least `gap`, in their order and inside low to high.

    Args:
        places: positions in ascending order.
        gap: the least distance between neighbours.
        low: the lowest position allowed.
        high: the highest position allowed, if there is room for all.
    """
    moved: list[float] = []
    for place in places:
        floor = moved[-1] + gap if moved else low
        moved.append(max(place, floor))
    ceiling = high
    for index in reversed(range(len(moved))):
        moved[index] = min(moved[index], ceiling)
        ceiling = moved[index] - gap
    return moved


def _frame(axes: Axes, curve: CostCurve) -> None:
    axes.set_yscale("log" if curve.log_scale else "linear")
    axes.set_xlim(0, 1)
    axes.set_ylim(curve.low_usd, curve.high_usd)
    ticks = [tenths / 10 for tenths in range(0, 11, 2)]
    axes.set_xticks(ticks, [f"{tick * _PERCENT:.0f} %" for tick in ticks])
    axes.yaxis.set_major_formatter(lambda value, _: usd(value))
    axes.yaxis.set_minor_formatter(lambda _value, _: "")
    axes.grid(axis="y", color=RULE, lw=0.6)
    axes.tick_params(which="both", length=0, pad=5, colors=MUTED, labelsize=_TEXT_PT)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    axes.set_xlabel("Utilisation of the hardware", fontsize=_TEXT_PT, color=MUTED)


def _marks(axes: Axes, curve: CostCurve) -> None:
    points = [(curve.here, ACCENT, "full"), (curve.break_even, INK, "none")]
    for mark, colour, fill in points:
        if mark is None:
            continue
        axes.plot(
            [mark.utilisation],
            [mark.usd_per_million],
            marker="o",
            ms=7,
            mew=1.6,
            mec=colour,
            mfc=ACCENT if fill == "full" else PAPER,
            zorder=5,
            clip_on=False,
        )
        left = mark.utilisation > _LAST_WITH_ROOM
        up = mark is curve.break_even or (not left and _apart(axes, curve))
        axes.annotate(
            mark.label,
            (mark.utilisation, mark.usd_per_million),
            (-7 if left else 7, 9 if up else -13),
            textcoords="offset points",
            ha="right" if left else "left",
            fontsize=_TEXT_PT,
            fontweight="semibold",
            color=INK,
            zorder=6,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1.2},
        )


def _apart(axes: Axes, curve: CostCurve) -> bool:
    """Say whether the words of both marks can stand above them."""
    even, here = curve.break_even, curve.here
    if even is None or abs(even.utilisation - here.utilisation) > _NEAR:
        return True
    heights = [_height(axes, mark.usd_per_million) for mark in (even, here)]
    return abs(heights[0] - heights[1]) > _LABEL_GAP


def _height(axes: Axes, usd_per_million: float) -> float:
    """Return where an amount lies between the bottom (0) and the top (1) of the axes."""
    to_share = axes.transAxes.inverted()
    return float(to_share.transform(axes.transData.transform((1.0, usd_per_million)))[1])


def _line_labels(axes: Axes, curve: CostCurve) -> None:
    levels = [_height(axes, line.usd_per_million) for line in curve.lines]
    places = spread(levels, _LABEL_GAP, 0.05, 0.95)
    for line, level, place in zip(curve.lines, levels, places, strict=True):
        axes.plot(
            [1.0, 1.015, 1.025],
            [level, place, place],
            transform=axes.transAxes,
            clip_on=False,
            lw=0.7,
            color=ACCENT if line.accent else MUTED,
        )
        axes.text(
            1.032,
            place,
            _line_words(line),
            transform=axes.transAxes,
            va="center",
            fontsize=_TEXT_PT,
            fontweight="semibold" if line.accent else "normal",
            color=ACCENT if line.accent else INK,
        )


def _line_words(line: PriceLine) -> str:
    return f"{line.price}  {line.label}"


@contextmanager
def _figure(height_in: float) -> Iterator[Figure]:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    _register_fonts()
    settings: dict[Any, Any] = {
        "font.family": [FONT_FAMILY],
        "svg.fonttype": "none",
        "svg.hashsalt": "tco",
        "text.parse_math": False,
    }
    with mpl.rc_context(settings):
        yield Figure(figsize=(_WIDTH_IN, height_in))


@lru_cache(maxsize=1)
def _register_fonts() -> None:
    from matplotlib import font_manager

    for file in sorted((data_dir("templates") / "fonts").glob(f"{FONT_FAMILY}-*.ttf")):
        font_manager.fontManager.addfont(file)


def _svg(figure: Figure, prefix: str) -> str:
    import warnings

    out = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")
        figure.savefig(
            out, format="svg", transparent=True, metadata={"Date": None, "Creator": None}
        )
    return _bare(out.getvalue(), prefix)


def _bare(svg: str, prefix: str) -> str:
    """Return only the drawing, its ids made unique, so that two can stand in one page."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>|<style.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = svg.replace("url(#", f"url(#{prefix}-").replace('href="#', f'href="#{prefix}-')
    return re.sub(r"\n\s*(?=<)", "\n", svg)
