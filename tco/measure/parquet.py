"""A table as one Parquet file: written whole, with checksums, and checked when it is read."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tco.errors import InputError
from tco.output_file import write_whole

Column = npt.NDArray[Any]
_REMEDY = "give the raw folder that `tco bench` wrote, as it wrote it"


def write_table(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns of equal length: integers, floats (NaN becomes null) or text.

    Raises:
        InputError: the file cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: pa.array(c, from_pandas=True) for name, c in columns.items()})
    raw = io.BytesIO()
    pq.write_table(
        table,
        raw,
        compression="zstd",
        use_dictionary=[name for name, c in columns.items() if c.dtype.kind == "U"],
        # Times and rows differ by little from one row to the next.
        column_encoding={
            n: "DELTA_BINARY_PACKED" for n, c in columns.items() if c.dtype.kind == "i"
        },
        write_page_checksum=True,
    )
    write_whole(path, raw.getvalue())


def read_table(
    path: Path, names: Sequence[str], *, optional: Sequence[str] = ()
) -> dict[str, Column]:
    """Read the named columns: integers as int64, floats as float64 (null: NaN), text as str.

    Those of `optional` are left out where the file has none: an earlier version wrote it.

    Raises:
        InputError: the file is missing, damaged, no Parquet file, or not of such a table.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # From memory: Arrow would take a folder of that name for a data set.
        raw = pa.BufferReader(path.read_bytes())
        table = pq.read_table(raw, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or "it is damaged, or no Parquet file"
        raise InputError(f"cannot be read: {reason}", file=str(path), remedy=_REMEDY) from error
    found = [name for name in optional if name in table.column_names]
    return {name: _values(table, name, path) for name in (*names, *found)}


def _values(table: Any, name: str, path: Path) -> Column:
    import pyarrow.types as kinds

    if name not in table.column_names:
        raise InputError(f"has no column {name!r}", file=str(path), remedy=_REMEDY)
    column = table.column(name)
    if kinds.is_floating(column.type):
        return np.asarray(column.to_numpy(), dtype=np.float64)
    is_text = kinds.is_string(column.type)
    if not (is_text or kinds.is_integer(column.type)) or column.null_count:
        raise InputError(
            f"its column {name!r} holds {column.type} with {column.null_count} gaps, not "
            "integers, floats or text without gaps",
            file=str(path),
            remedy=_REMEDY,
        )
    return np.asarray(column.to_numpy(), dtype=np.str_ if is_text else np.int64)
