"""A sweep on a terminal: the saving by one number, or as a map over two."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tco.report.headline import in_ascii
from tco.report.numbers import percent
from tco.report.sweep_figure import FloatArray, Panel, SweepFigure
from tco.report.text import shorten, visible

_CELL = 9  # characters of a saving and the space beside it
_LABEL = 28  # characters of a value up
_MOST_ROWS = 24
# From a loss to a saving; the sign and the number say the same without colour.
_STYLES = (
    (-0.5, "white on dark_orange3"),
    (0.0, "black on orange1"),
    (0.25, "black on light_sky_blue1"),
    (0.5, "black on sky_blue2"),
    (math.inf, "white on dodger_blue3"),
)


def print_map(figure: SweepFigure, console: Console | None = None) -> None:
    """Print one table an alternative; of many values some, evenly chosen, and it says so."""
    out = console or Console(highlight=False)
    columns = _some(len(figure.along_values), max(2, (out.width - 14) // _CELL))
    rows = _some(len(figure.up_values), _MOST_ROWS)
    if figure.up is None:
        columns = _some(len(figure.along_values), _MOST_ROWS)
        _print_lines(figure, columns, out)
    else:
        for panel in figure.panels:
            _print_panel(figure, panel, rows, columns, out)
    if len(columns) < len(figure.along_values) or len(rows) < len(figure.up_values):
        out.print("Not all values are shown; -o FILE writes them all.")
    if figure.left_out:
        out.print(f"{figure.left_out} more alternatives are not shown; --alternative names one.")


def _some(count: int, most: int) -> list[int]:
    """Return up to so many places out of `count`, evenly apart, the ends among them."""
    return sorted({round(place) for place in np.linspace(0, count - 1, min(count, most)).tolist()})


def _print_lines(figure: SweepFigure, places: Sequence[int], out: Console) -> None:
    table = Table(pad_edge=False, box=box.SIMPLE_HEAD)
    table.add_column(Text(figure.along), justify="right", overflow="fold")
    for panel in figure.panels:
        table.add_column(Text(panel.title), justify="right", overflow="fold")
    for place in places:
        cells = (_cell(panel.saving[place]) for panel in figure.panels)
        table.add_row(Text(figure.along_texts()[place]), *cells)
    out.print(Text(visible(f"{figure.title}: saving of own hardware")))
    out.print(table)


def _print_panel(
    figure: SweepFigure, panel: Panel, rows: Sequence[int], columns: Sequence[int], out: Console
) -> None:
    table = Table(pad_edge=False, padding=0, box=None, show_header=False)
    heads = [
        Text(shorten(figure.along_texts()[place], _CELL - 1).rjust(_CELL - 1) + " ")
        for place in columns
    ]
    for place in reversed(rows):
        cells = (_cell(saving) for saving in _taken(panel.saving[place], columns))
        table.add_row(Text(f"{shorten(figure.up_texts()[place], _LABEL):>10} "), *cells)
    table.add_row("", *heads)
    out.print(Text(visible(f"Saving against {panel.title}: {figure.up} up, {figure.along} along")))
    out.print(table)
    out.print()


def _taken(row: FloatArray, places: Sequence[int]) -> list[float]:
    return [float(row[place]) for place in places]


def _cell(saving: float) -> Text:
    if math.isnan(saving):
        return Text("none".rjust(_CELL - 1) + " ")
    style = next(style for bound, style in _STYLES if saving < bound)
    return Text(in_ascii(percent(saving)).rjust(_CELL - 1) + " ", style=style)
