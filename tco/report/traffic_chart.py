"""Draws the chart of a trace as SVG or PNG: no decisions, same bytes every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tco.report.numbers import exact, percent
from tco.report.plot import TITLE_PT, frame, plotting, saved
from tco.report.sheet import ACCENT, INK, MUTED, PAPER
from tco.report.traffic_figure import LengthBars, TrafficFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH_IN, _ROW_IN = 6.9, 2.1
_HEADROOM = 1.4  # for the words of the marks
_EDGES = {"left": 0.08, "right": 0.98, "wspace": 0.18, "hspace": 0.55}


def draw_traffic(figure: TrafficFigure, suffix: str) -> bytes:
    """Return the drawing; `suffix` is .svg or .png."""
    from matplotlib.figure import Figure

    with plotting():
        rows = 2 if figure.arrivals else 1
        height_in = rows * _ROW_IN + 0.45
        drawing = Figure(figsize=(_WIDTH_IN, height_in), facecolor=PAPER)
        drawing.text(
            0.012,
            1 - 0.2 / height_in,
            figure.title,
            size=TITLE_PT,
            color=INK,
            va="center",
        )
        grid = drawing.add_gridspec(
            rows, 2, top=1 - 0.62 / height_in, bottom=0.38 / height_in, **_EDGES
        )
        if figure.arrivals:
            _arrivals(drawing.add_subplot(grid[0, :]), figure)
        for column, bars in enumerate(figure.lengths):
            _lengths(drawing.add_subplot(grid[rows - 1, column]), bars)
        return saved(drawing, suffix)


def _arrivals(axes: Axes, figure: TrafficFigure) -> None:
    from matplotlib.ticker import MaxNLocator

    frame(axes, figure.arrivals_title)
    size = figure.minutes_per_bar
    starts = [place * size for place in range(len(figure.arrivals))]
    axes.bar(starts, figure.arrivals, width=size * 0.9, align="edge", color=ACCENT, zorder=2)
    axes.set_xlim(0, len(starts) * size)
    axes.set_ylim(0, max(figure.arrivals) * 1.15)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(lambda count, _: f"{count:,.0f}")
    if figure.mean_per_minute is not None:
        axes.axhline(figure.mean_per_minute, color=INK, lw=1.0, dashes=(5, 2.5), zorder=3)
        words = f"mean {exact(float(f'{figure.mean_per_minute:.3g}'))}"
        _words(axes, words, (1.0, figure.mean_per_minute), ("axes fraction", "data"), down_pt=-7)
    axes.set_xlabel("minutes after the first", color=MUTED, labelpad=2)


def _lengths(axes: Axes, bars: LengthBars) -> None:
    frame(axes, bars.title)
    axes.set_xscale("log")
    axes.stairs(bars.shares, bars.edges, fill=True, color=ACCENT, zorder=2)
    axes.set_xlim(bars.edges[0], bars.edges[-1])
    axes.set_ylim(0, max(bars.shares) * _HEADROOM)
    axes.set_xticks(bars.ticks, [f"{tick:,.0f}" for tick in bars.ticks])
    axes.set_xticks([], minor=True)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share) if share <= 1 else "")
    for row, (words, tokens) in enumerate(bars.marks):
        axes.axvline(tokens, color=INK, lw=1.0, dashes=(5, 2.5), zorder=3)
        _words(axes, words, (tokens, 1.0), ("data", "axes fraction"), down_pt=6 + 11 * row)


def _words(
    axes: Axes, text: str, place: tuple[float, float], of: tuple[str, str], *, down_pt: float
) -> None:
    """Write to the left of a place, on a ground of paper."""
    axes.annotate(
        text,
        place,
        (-3, -down_pt),
        xycoords=of,
        textcoords="offset points",
        ha="right",
        va="center",
        color=INK,
        zorder=4,
        bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.8},
    )
