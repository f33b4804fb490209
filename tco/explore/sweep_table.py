"""A sweep as a long table: one row per point and alternative, in the columns of Apache Arrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tco.explore.axis import Axis, parse_axis
from tco.explore.fields import DEFAULT_FIELDS, check_fields
from tco.explore.sweep import SweepBlock, sweep_blocks
from tco.what_if import WhatIf

Cell = str | float | None


def sweep(
    what_if: WhatIf, varies: Sequence[str], *, fields: Sequence[str] = (), alternative: str = ""
) -> pa.Table:
    """Return the grid as an Arrow table; its `to_pandas()` is a DataFrame.

    Args:
        what_if: the case, as `load_what_if` reads it.
        varies: `KEY=START:STOP:STEP` or `KEY=a,b,c`, the last one fastest.
        fields: further columns by name.
        alternative: the only one to be swept; all if left out.

    Raises:
        InputError: a key, value, field or alternative that cannot be.
    """
    axes = [parse_axis(text) for text in varies]
    columns = columns_of(fields)
    blocks = sweep_blocks(axes, what_if, columns, alternative or None)
    return pa.Table.from_batches(batches(axes, columns, blocks), schema=table_schema(axes, columns))


def columns_of(extra: Sequence[str]) -> tuple[str, ...]:
    """Return the contract's columns and then the further ones, each once.

    Raises:
        InputError: one that is not known.
    """
    check_fields(extra)
    return tuple(dict.fromkeys((*DEFAULT_FIELDS, *extra)))


def table_schema(axes: Sequence[Axis], fields: Sequence[str]) -> pa.Schema:
    """Return the columns: one per axis, `alternative`, the fields."""
    varied = [(axis.key, pa.float64() if axis.is_numeric else pa.string()) for axis in axes]
    figures = [(field, pa.float64()) for field in fields]
    return pa.schema([*varied, ("alternative", pa.string()), *figures])


def batches(
    axes: Sequence[Axis], fields: Sequence[str], blocks: Iterable[SweepBlock]
) -> Iterator[pa.RecordBatch]:
    """Yield the rows, block by block; null is "none"."""
    schema = table_schema(axes, fields)
    for block in blocks:
        each = len(block.alternatives)
        varied = [_varied(value, block.points, each) for value in block.values]
        names = _repeated(block.alternatives, block.points)
        figures = [pa.array(one.ravel(), from_pandas=True) for one in block.columns]
        yield pa.record_batch([*varied, names, *figures], schema=schema)


def rows_of(table: Iterable[pa.RecordBatch]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows as plain values."""
    for batch in table:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _varied(value: Any, points: int, each: int) -> pa.Array:
    if isinstance(value, str):
        return _repeated((value,), points * each)
    return pa.array(np.repeat(value, each))


def _repeated(words: Sequence[str | None], times: int) -> pa.Array:
    """Return the words in turn, so many times over."""
    return pa.array(words, pa.string()).take(np.tile(np.arange(len(words)), times))
