"""What the chart of a sweep shows: the saving along one number, or over two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tco.errors import InputError
from tco.report.text import plain, shorten

MOST_PANELS = 4
_LABEL_LIMIT = 60
_MOST_ACROSS = 2
_REMEDY = "write a .csv or .parquet file, or vary one or two numbers"

FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Panel:
    """The saving against one alternative; NaN is "none".

    Attributes:
        saving: by the value along, or (up, along) where there are two numbers.
    """

    title: str
    saving: FloatArray


@dataclass(frozen=True, slots=True)
class SweepFigure:
    """The whole chart.

    Attributes:
        along: the number under the axis, and its values in ascending order.
        up: the second number; None with one.
        left_out: alternatives beyond the panels that fit.
    """

    title: str
    along: str
    along_values: FloatArray
    up: str | None
    up_values: FloatArray
    panels: tuple[Panel, ...]
    left_out: int


def sweep_figure(
    title: str, keys: Sequence[str], rows: Iterable[Sequence[str | float | None]]
) -> SweepFigure:
    """Return what to draw of a sweep's rows: the varied values, the alternative, the saving.

    Of two numbers the first goes up and the last along.

    Raises:
        InputError: a value that is no number, more than two keys, or no alternative.
    """
    if len(keys) > _MOST_ACROSS:
        raise InputError(f"a chart has one or two numbers, got {len(keys)} keys", remedy=_REMEDY)
    columns = list(zip(*rows, strict=True))
    *varied, names, savings = columns
    for key, column in zip(keys, varied, strict=True):
        if any(isinstance(each, str) for each in column):
            raise InputError(f"a chart needs numbers, and --vary {key} has none", remedy=_REMEDY)
    if all(name is None for name in names):
        raise InputError("there is no alternative to save against", remedy="state one")
    along, along_at = np.unique(np.array(varied[-1], dtype=float), return_inverse=True)
    up, up_at = np.unique(
        np.array(varied[0] if len(keys) == _MOST_ACROSS else [0.0] * len(names), dtype=float),
        return_inverse=True,
    )
    saving = np.array([np.nan if each is None else each for each in savings], dtype=float)
    found = list(dict.fromkeys(name for name in names if isinstance(name, str)))
    name_of = np.array([found.index(name) if isinstance(name, str) else -1 for name in names])
    panels = []
    for number, name in enumerate(found[:MOST_PANELS]):
        grid = np.full((len(up), len(along)), np.nan)
        at = name_of == number
        grid[up_at[at], along_at[at]] = saving[at]
        panels.append(Panel(shorten(plain(name), _LABEL_LIMIT), grid if len(keys) > 1 else grid[0]))
    return SweepFigure(
        title=shorten(plain(title), _LABEL_LIMIT),
        along=keys[-1],
        along_values=along,
        up=keys[0] if len(keys) > 1 else None,
        up_values=up,
        panels=tuple(panels),
        left_out=max(0, len(found) - MOST_PANELS),
    )
