"""Draws a sweep as SVG or PNG: lines of the saving, or a map of it with the break-even drawn.

`draw_sweep` makes the whole drawing of a `SweepFigure`; `draw_panel` one map of it into axes of
the caller's, in the colours that `SavingColours.of` gives to all of them.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from tco.report.numbers import percent
from tco.report.plot import TITLE_PT, frame, plotting, saved
from tco.report.saving_colours import SavingColours
from tco.report.sheet import ACCENT, INK, MUTED, PAPER, RULE
from tco.report.sweep_figure import FloatArray, Panel, SweepFigure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH_IN, _PANEL_IN, _LINES_IN, _HEAD_IN, _LEGEND_IN = 6.9, 3.0, 3.2, 0.5, 0.19
_DASHES = ("solid", "dashed", "dotted", "dashdot")
_CELL_PT = 6.0
_LEVELS = (-2.0, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75)
# Cells across a panel, alone or beside another, in which a saving can be read.
_MOST_READABLE = {1: 13, 2: 6}
_MOST_HIGH = 14
_MOST_TICKS = 10
_TITLE_CHARACTERS = {1: 100, 2: 44}
_TICK_CHARACTERS, _TICKS_CHARACTERS = 22, 80
_LEGEND_CHARACTERS = 105


def draw_sweep(figure: SweepFigure, suffix: str) -> bytes:
    """Return the drawing; `suffix` is .svg or .png."""
    from matplotlib.figure import Figure

    with plotting():
        drawing = Figure(figsize=(_WIDTH_IN, 1), facecolor=PAPER, layout="constrained")
        height = _lines(drawing, figure) if figure.up is None else _maps(drawing, figure)
        title = "\n".join((f"{figure.title}: saving of own hardware", *_notes(figure)))
        drawing.suptitle(title, size=TITLE_PT, color=INK, x=0.01, ha="left")
        drawing.set_figheight(_HEAD_IN + _LEGEND_IN * title.count("\n") + height)
        return saved(drawing, suffix)


def _notes(figure: SweepFigure) -> tuple[str, ...]:
    """Return what a reader must know of the marks, where they are there."""
    notes = []
    colours = SavingColours.of([panel.saving for panel in figure.panels])
    if figure.up is None and colours.is_cut:
        notes.append(f"below {percent(round(colours.low, 2))} it is cut off")
    if figure.up is not None:
        if any(_parts(panel.saving) for panel in figure.panels):
            notes.append("thick line: break-even")
        if any(np.isnan(panel.saving).any() for panel in figure.panels):
            notes.append("hatched: no such figure")
    if figure.left_out:
        notes.append(f"{figure.left_out} more alternatives not drawn")
    return ("; ".join(notes),) if notes else ()


def _parts(saving: FloatArray) -> bool:
    """Say whether some of the savings are losses, and others not."""
    there = saving[~np.isnan(saving)]
    return bool((there < 0).any() and (there >= 0).any())


def _lines(drawing: Figure, figure: SweepFigure) -> float:
    """Draw a line an alternative; return the height it takes [in]."""
    axes = drawing.add_subplot()
    frame(axes, "")
    for place, panel in enumerate(figure.panels):
        _line(axes, figure, panel, place)
    axes.axhline(0, color=INK, lw=1.0, zorder=1)
    colours = SavingColours.of([panel.saving for panel in figure.panels])
    room = max(0.02, (colours.high - colours.low) * 0.05)
    axes.set_ylim(colours.low - room, colours.high + room)
    axes.yaxis.set_major_formatter(lambda share, _: percent(share))
    along = figure.along_values
    if figure.along_words or len(along) == 1:
        _label(axes, "x", along, figure.along_texts())
        axes.set_xlim(along[0] - 0.5, along[-1] + 0.5)
    else:
        axes.margins(x=0.01)
    axes.set_xlabel(figure.along, color=MUTED)
    legend = drawing.legend(frameon=False, loc="outside lower left", labelcolor=INK)
    lines = sum(1 + text.get_text().count("\n") for text in legend.get_texts())
    return _LINES_IN + _LEGEND_IN * lines


def _line(axes: Axes, figure: SweepFigure, panel: Panel, place: int) -> None:
    colour = ACCENT if place == 0 else MUTED
    evens, words = _break_even(figure, panel)
    if np.isnan(panel.saving).all():
        words = f"{panel.title}: no saving at any value"
    along, saving = _stepped(figure.along_values, panel.saving, panel.steps(0))
    is_few = len(panel.saving) <= _MOST_TICKS
    axes.plot(
        along, saving, color=colour, lw=1.8,
        ls="" if figure.along_words else _DASHES[place % len(_DASHES)],
        label="\n".join(textwrap.wrap(words, _LEGEND_CHARACTERS)),
    )  # fmt: skip
    if is_few or figure.along_words:
        marker = "os^D"[place % len(_DASHES)]
        label = axes.lines[-1].get_label()
        axes.lines[-1].set_label("_" if figure.along_words else label)
        axes.plot(
            figure.along_values, panel.saving, marker, ms=4, color=colour,
            label=label if figure.along_words else "_",
        )  # fmt: skip
    axes.plot(evens, [0] * len(evens), "o", ms=5, mfc=PAPER, mec=colour, mew=1.4, ls="", zorder=4)


def _break_even(figure: SweepFigure, panel: Panel) -> tuple[list[float], str]:
    """Return where the line crosses 0, and the words of its legend."""
    along, saving, steps = figure.along_values, panel.saving, panel.steps(0)
    if figure.along_words:
        return [], panel.title
    evens: list[float] = []
    words: list[str] = []
    for at in np.flatnonzero((saving[:-1] * saving[1:] <= 0) & (np.diff(saving < 0) != 0)):
        left, right = float(along[at]), float(along[at + 1])
        share = 0.5 if steps[at] else float(saving[at] / (saving[at] - saving[at + 1]))
        evens.append(left + share * (right - left))
        words.append(f"between {left:g} and {right:g}" if steps[at] else f"near {evens[-1]:.3g}")
    if not words:
        return [], panel.title
    more = f" and {len(words) - 3} more" if len(words) > 3 else ""  # noqa: PLR2004  a line's room
    listed = (", " if more else " and ").join(words[:3])
    return evens, f"{panel.title}: break-even {listed}{more}"


def _stepped(
    along: FloatArray, saving: FloatArray, steps: np.ndarray
) -> tuple[list[float], list[float]]:
    """Return the line with each step as a riser halfway between its neighbours."""
    xs, ys = [float(along[0])], [float(saving[0])]
    for at, steps_here in enumerate(steps):
        if steps_here:
            middle = float(along[at] + along[at + 1]) / 2
            xs += [middle, middle]
            ys += [float(saving[at]), float(saving[at + 1])]
        xs.append(float(along[at + 1]))
        ys.append(float(saving[at + 1]))
    return xs, ys


def _maps(drawing: Figure, figure: SweepFigure) -> float:
    """Draw a map an alternative, and the scale of colours; return the height they take [in]."""
    across = min(2, len(figure.panels))
    rows = -(-len(figure.panels) // across)
    colours = SavingColours.of([panel.saving for panel in figure.panels])
    shown: Any = None
    for place, panel in enumerate(figure.panels):
        axes = drawing.add_subplot(rows, across, place + 1)
        shown = draw_panel(axes, figure, panel, colours, across=across)
        if place % across:
            axes.set_yticks([])
            axes.set_ylabel("")
    bar = drawing.colorbar(
        shown, ax=drawing.axes, shrink=0.8, pad=0.02, extend="min" if colours.is_cut else "neither"
    )
    ends = (colours.low, colours.low / 2, 0.0, colours.high / 2, colours.high)
    ticks = list(dict.fromkeys(share for share in ends))
    bar.set_ticks(ticks, labels=[_rounded(share) for share in ticks])
    bar.ax.tick_params(length=0, colors=MUTED)
    bar.outline.set_visible(False)
    return rows * _PANEL_IN


def draw_panel(
    axes: Axes, figure: SweepFigure, panel: Panel, colours: SavingColours, *, across: int = 1
) -> Any:
    """Draw one map of two keys into axes; return what a colour bar is made of.

    Values that are not evenly apart are drawn evenly, each with its label. Cells that are large
    enough hold their saving. The break-even is the border between cells; only of many cells over
    which the saving has no steps (a server more) is it a line through them.

    Args:
        axes: to draw into.
        figure: whose keys and values go along and up.
        panel: of that figure, with (up, along) savings.
        colours: of all panels.
        across: how many panels stand side by side, 1 or 2.
    """
    frame(axes, "\n".join(textwrap.wrap(f"against {panel.title}", _TITLE_CHARACTERS[across])))
    axes.grid(visible=False)
    axes.patch.set(hatch="////", edgecolor=RULE, linewidth=0)
    along = _centres(figure.along_values, is_text=bool(figure.along_words))
    up = _centres(figure.up_values, is_text=bool(figure.up_words))
    shown = axes.pcolormesh(
        _edges(along),
        _edges(up),
        np.ma.masked_invalid(panel.saving),
        cmap=colours.colour_map(),
        norm=colours.norm(),
        rasterized=True,
    )
    up_count, along_count = panel.saving.shape
    is_readable = along_count <= _MOST_READABLE[across] and up_count <= _MOST_HIGH
    if is_readable:
        _numbers(axes, along, up, panel.saving, colours)
    is_smooth = not (figure.along_words or figure.up_words or panel.is_stepped())
    if is_smooth and not is_readable and min(panel.saving.shape) > 1:
        _contours(axes, along, up, panel.saving)
    else:
        _borders(axes, _edges(along), _edges(up), panel.saving)
    if along is not figure.along_values or len(along) <= _MOST_TICKS:
        _label(axes, "x", along, figure.along_texts(), room=_TICKS_CHARACTERS // across)
    if up is not figure.up_values or len(up) <= _MOST_TICKS:
        _label(axes, "y", up, figure.up_texts())
    axes.set_xlabel(figure.along, color=MUTED)
    axes.set_ylabel(figure.up or "", color=MUTED)
    return shown


def _centres(values: FloatArray, *, is_text: bool) -> FloatArray:
    """Return where values stand: where they are, if evenly apart, else one place each."""
    gaps = np.diff(values)
    if not is_text and len(gaps) and gaps.max() <= gaps.min() * 1.01:
        return values
    return np.arange(len(values), dtype=float)


def _edges(centres: FloatArray) -> FloatArray:
    half = (centres[1] - centres[0]) / 2 if len(centres) > 1 else 0.5
    return np.append(centres - half, centres[-1] + half)


def _label(
    axes: Axes, side: str, at: FloatArray, texts: tuple[str, ...], room: int = _TICKS_CHARACTERS
) -> None:
    """Label the values by themselves; of many some, evenly chosen, aslant if too long."""
    most = min(len(at), _MOST_TICKS)
    places = sorted({round(place) for place in np.linspace(0, len(at) - 1, most).tolist()})
    chosen = [texts[place] for place in places]
    is_long = side == "x" and sum(len(text) + 2 for text in chosen) > room
    wrapped = ["\n".join(textwrap.wrap(text, _TICK_CHARACTERS)) or text for text in chosen]
    set_ticks = axes.set_xticks if side == "x" else axes.set_yticks
    extra: dict[str, Any] = (
        {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if is_long else {}
    )
    set_ticks(at[places].tolist(), wrapped, **extra)


def _numbers(
    axes: Axes, along: FloatArray, up: FloatArray, saving: FloatArray, colours: SavingColours
) -> None:
    for row, y in enumerate(up):
        for column, x in enumerate(along):
            share = float(saving[row, column])
            if not np.isnan(share):
                ink = PAPER if colours.is_dark(share) else INK
                axes.text(x, y, _rounded(share), size=_CELL_PT, color=ink, ha="center", va="center")


def _rounded(share: float) -> str:
    """Return a share as whole percent, from a tenth on."""
    return percent(round(share, 2) if abs(share) >= 0.1 else share)  # noqa: PLR2004


def _borders(axes: Axes, x: FloatArray, y: FloatArray, saving: FloatArray) -> None:
    """Draw the break-even along the borders of cells with a loss on one side alone."""
    from matplotlib.collections import LineCollection

    is_loss = np.where(np.isnan(saving), np.nan, saving < 0)
    beside = np.abs(np.diff(is_loss, axis=1)) == 1
    above = np.abs(np.diff(is_loss, axis=0)) == 1
    lines = [[(x[j + 1], y[i]), (x[j + 1], y[i + 1])] for i, j in np.argwhere(beside)]
    lines += [[(x[j], y[i + 1]), (x[j + 1], y[i + 1])] for i, j in np.argwhere(above)]
    axes.add_collection(LineCollection(lines, colors=INK, linewidths=1.8, capstyle="round"))


def _contours(axes: Axes, along: FloatArray, up: FloatArray, saving: FloatArray) -> None:
    """Draw the break-even thick, and a few savings thin, each with its words."""
    there = saving[~np.isnan(saving)]
    low, high = (float(there.min()), float(there.max())) if there.size else (0.0, 0.0)
    levels = [level for level in _LEVELS if low < level < high]
    if not levels:
        return
    lines = axes.contour(
        along,
        up,
        saving,
        levels=levels,
        colors=INK,
        linewidths=[1.8 if level == 0 else 0.6 for level in levels],
        negative_linestyles="solid",
    )
    axes.clabel(lines, fmt=lambda level: "break-even" if level == 0 else percent(level), fontsize=7)
