"""What the chart of a sweep shows: the saving along one key, or over two."""

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
_REMEDY = "write a .csv or .parquet file, or vary one or two keys"
# A difference between neighbours that is so many times those beside it is a step.
_STEP = 3.0
_ROUNDING = 1e-9

FloatArray = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
Cell = str | float | None


@dataclass(frozen=True, slots=True)
class Panel:
    """The saving against one alternative; NaN is "none".

    Attributes:
        saving: by the value along, or (up, along) where there are two keys.
        counts: of the same shape; what goes in steps between the values, such as servers.
    """

    title: str
    saving: FloatArray
    counts: tuple[FloatArray, ...] = ()

    def steps(self, axis: int) -> BoolArray:
        """Say between which neighbours on an axis the saving steps, instead of sloping."""
        stepped = _peaks(np.diff(self.saving, axis=axis), axis)
        for count in self.counts:
            stepped |= np.diff(count, axis=axis) != 0
        return stepped

    def is_stepped(self) -> bool:
        """Say whether the saving steps anywhere."""
        return any(self.steps(axis).any() for axis in range(self.saving.ndim))


@dataclass(frozen=True, slots=True)
class SweepFigure:
    """The whole chart.

    Attributes:
        along: the key under the axis, and its values in ascending order.
        up: the second key; None with one.
        left_out: alternatives beyond the panels that fit.
        along_words: the values along where they are no numbers: `along_values` are then their
            places, 0, 1, 2 …; `up_words` likewise.
    """

    title: str
    along: str
    along_values: FloatArray
    up: str | None
    up_values: FloatArray
    panels: tuple[Panel, ...]
    left_out: int
    along_words: tuple[str, ...] = ()
    up_words: tuple[str, ...] = ()

    def along_texts(self) -> tuple[str, ...]:
        """Return the values along as text."""
        return self.along_words or tuple(f"{value:g}" for value in self.along_values)

    def up_texts(self) -> tuple[str, ...]:
        """Return the values up as text."""
        return self.up_words or tuple(f"{value:g}" for value in self.up_values)


def sweep_figure(title: str, keys: Sequence[str], rows: Iterable[Sequence[Cell]]) -> SweepFigure:
    """Return what to draw of a sweep's rows.

    A row has the varied values, the alternative, the saving, and then what goes in steps (such as
    servers), if it is known. Of two keys the first goes up and the last along.

    Raises:
        InputError: more than two keys, or no alternative.
    """
    if len(keys) > _MOST_ACROSS:
        raise InputError(f"a chart has one or two keys, got {len(keys)}", remedy=_REMEDY)
    columns = list(zip(*rows, strict=True))
    varied, (names, savings, *counts) = columns[: len(keys)], columns[len(keys) :]
    if all(name is None for name in names):
        raise InputError("there is no alternative to save against", remedy="state one")
    along, along_at, along_words = _placed(varied[-1])
    up, up_at, up_words = _placed(varied[0] if len(keys) == _MOST_ACROSS else [0.0] * len(names))
    found = list(dict.fromkeys(name for name in names if isinstance(name, str)))
    name_of = np.array([found.index(name) if isinstance(name, str) else -1 for name in names])

    def gridded(column: Sequence[Cell], number: int) -> FloatArray:
        figures = np.array([np.nan if each is None else each for each in column], dtype=float)
        grid = np.full((len(up), len(along)), np.nan)
        at = name_of == number
        grid[up_at[at], along_at[at]] = figures[at]
        return grid if len(keys) > 1 else grid[0]

    return SweepFigure(
        title=shorten(plain(title), _LABEL_LIMIT),
        along=keys[-1],
        along_values=along,
        up=keys[0] if len(keys) > 1 else None,
        up_values=up,
        panels=tuple(
            Panel(
                shorten(plain(name), _LABEL_LIMIT),
                gridded(savings, number),
                tuple(gridded(count, number) for count in counts),
            )
            for number, name in enumerate(found[:MOST_PANELS])
        ),
        left_out=max(0, len(found) - MOST_PANELS),
        along_words=along_words,
        up_words=up_words,
    )


def _placed(column: Sequence[Cell]) -> tuple[FloatArray, NDArray[np.intp], tuple[str, ...]]:
    """Return an axis' values, where each row stands on it, and the words of one of text."""
    words: tuple[str, ...] = ()
    if any(isinstance(each, str) for each in column):
        stated = list(dict.fromkeys(str(each) for each in column))
        words = tuple(shorten(plain(each), _LABEL_LIMIT) for each in stated)
        place = {each: float(at) for at, each in enumerate(stated)}
        column = [place[str(each)] for each in column]
    values, at = np.unique(np.array(column, dtype=float), return_inverse=True)
    return values, at, words


def _peaks(differences: FloatArray, axis: int) -> BoolArray:
    """Say which differences are far above both of those beside them."""
    size = np.moveaxis(np.abs(np.nan_to_num(differences)), axis, -1)
    peaks = np.zeros(size.shape, dtype=bool)
    beside = np.maximum(size[..., :-2], size[..., 2:])
    peaks[..., 1:-1] = size[..., 1:-1] > _STEP * beside + _ROUNDING
    return np.moveaxis(peaks, -1, axis)
