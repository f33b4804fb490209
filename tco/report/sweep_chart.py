"""Draws a sweep as SVG or PNG: lines of the saving, or a map of it with the break-even drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tco.report.numbers import percent
from tco.report.plot import TITLE_PT, frame, plotting, saved
from tco.report.sheet import ACCENT, INK, MUTED, PAPER
from tco.report.sweep_figure import Panel, SweepFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH_IN, _PANEL_IN, _LINES_IN, _HEAD_IN = 6.9, 2.9, 3.4, 0.5
_DASHES = ("solid", "dashed", "dotted", "dashdot")
# From a loss to a saving: orange to blue, lighter towards none, told apart in grey by the contour.
_COLOURS = ("#b35806", "#f1c48f", "#f7f7f7", "#9ecae1", "#0b5cad")
_LOWEST = -1.0  # a loss beyond the whole bill is drawn as that


def draw_sweep(figure: SweepFigure, suffix: str) -> bytes:
    """Return the drawing; `suffix` is .svg or .png."""
    from matplotlib.figure import Figure

    with plotting():
        rows = 1 if figure.up is None else (len(figure.panels) + 1) // 2
        height = _HEAD_IN + rows * (_LINES_IN if figure.up is None else _PANEL_IN)
        drawing = Figure(figsize=(_WIDTH_IN, height), facecolor=PAPER, layout="constrained")
        more = f"; {figure.left_out} more alternatives not drawn" if figure.left_out else ""
        drawing.suptitle(
            f"{figure.title}: saving of own hardware{more}", size=TITLE_PT, color=INK, x=0.01,
            ha="left",
        )  # fmt: skip
        if figure.up is None:
            _lines(drawing.add_subplot(), figure)
        else:
            across = min(2, len(figure.panels))
            for place, panel in enumerate(figure.panels):
                axes = drawing.add_subplot(rows, across, place + 1)
                shown = _map(axes, figure, panel)
            bar = drawing.colorbar(shown, ax=drawing.axes, shrink=0.8, pad=0.02)
            bar.ax.yaxis.set_major_formatter(lambda share, _: percent(share))
            bar.ax.tick_params(length=0, colors=MUTED)
            bar.outline.set_visible(False)
        return saved(drawing, suffix)


def _lines(axes: Axes, figure: SweepFigure) -> None:
    frame(axes, "")
    for place, panel in enumerate(figure.panels):
        colour = ACCENT if place == 0 else MUTED
        dash = _DASHES[place % len(_DASHES)]
        evens = _crossings(figure.along_values, panel.saving)
        listed = " and ".join(f"{even:.3g}" for even in evens)
        words = f"{panel.title}: break-even near {listed}" if evens else panel.title
        axes.plot(figure.along_values, panel.saving, color=colour, lw=1.8, ls=dash, label=words)
        axes.plot(
            evens, [0] * len(evens), "o", ms=5, mfc=PAPER, mec=colour, mew=1.4, ls="", zorder=4
        )
    axes.axhline(0, color=INK, lw=1.0, zorder=1)
    _, top = axes.get_ylim()
    there = np.concatenate([panel.saving[~np.isnan(panel.saving)] for panel in figure.panels])
    axes.set_ylim(max(_LOWEST, there.min(initial=0.0) - 0.05), top)
    axes.margins(x=0)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    axes.set_xlabel(figure.along, color=MUTED)
    axes.legend(frameon=False, loc="best", labelcolor=INK)


def _crossings(along: np.ndarray, saving: np.ndarray) -> list[float]:
    """Return where the line between neighbours crosses 0."""
    signs = np.sign(saving)
    places = np.flatnonzero(signs[:-1] * signs[1:] < 0)
    share = saving[places] / (saving[places] - saving[places + 1])
    found: list[float] = (along[places] + share * (along[places + 1] - along[places])).tolist()
    return found


def _map(axes: Axes, figure: SweepFigure, panel: Panel) -> Any:
    from matplotlib.colors import LinearSegmentedColormap, TwoSlopeNorm

    frame(axes, f"against {panel.title}")
    axes.grid(visible=False)
    colours = LinearSegmentedColormap.from_list("saving", _COLOURS)
    shown = axes.pcolormesh(
        figure.along_values,
        figure.up_values,
        np.clip(panel.saving, _LOWEST, 1),
        cmap=colours,
        norm=TwoSlopeNorm(0, _LOWEST, 1),
        shading="nearest",
        rasterized=True,
    )
    if min(panel.saving.shape) > 1:
        _contours(axes, figure, panel)
    axes.set_xlabel(figure.along, color=MUTED)
    axes.set_ylabel(figure.up or "", color=MUTED)
    return shown


def _contours(axes: Axes, figure: SweepFigure, panel: Panel) -> None:
    """Draw the break-even thick, and a few savings thin, each with its words."""
    there = panel.saving[~np.isnan(panel.saving)]
    low, high = (float(there.min()), float(there.max())) if there.size else (0.0, 0.0)
    levels = [level for level in (-0.5, 0.0, 0.25, 0.5, 0.75) if low < level < high]
    if not levels:
        return
    lines = axes.contour(
        figure.along_values,
        figure.up_values,
        panel.saving,
        levels=levels,
        colors=INK,
        linewidths=[1.8 if level == 0 else 0.6 for level in levels],
        negative_linestyles="solid",
    )
    axes.clabel(lines, fmt=lambda level: "break-even" if level == 0 else percent(level), fontsize=7)
