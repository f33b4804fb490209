"""A sweep's table as CSV and as JSON, batch by batch."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from tco.explore.sweep_table import rows_of
from tco.finding import Finding
from tco.spreadsheet_text import FORMULA, as_text


def csv_chunks(schema: pa.Schema, table: Iterable[pa.RecordBatch]) -> Iterator[bytes]:
    """Yield the table as CSV; null is an empty cell, and text never reads as a formula."""
    header = (",".join(_quoted(name) for name in schema.names) + "\n").encode()
    for batch in table:
        out = io.BytesIO(header)
        out.seek(0, io.SEEK_END)
        header = b""
        csv.write_csv(_as_text(batch), out, csv.WriteOptions(include_header=False))
        yield out.getvalue()


def json_chunks(
    columns: Sequence[str],
    table: Iterable[pa.RecordBatch],
    findings: Callable[[], Sequence[Finding]],
) -> Iterator[str]:
    """Yield one `tco.sweep/1` document: column names, rows of cells, findings.

    The findings are asked for once the grid has been seen to be allowed.
    """
    between = f'{{"schema": "tco.sweep/1", "columns": {_json(list(columns))}, "rows": ['
    for row in rows_of(table):
        yield between + _json(row)
        between = ", "
    yield f'], "findings": {_json([each.model_dump() for each in findings()])}}}'


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _quoted(name: str) -> str:
    text = as_text(name)
    return '"' + text.replace('"', '""') + '"' if set(text) & set('",\n\r') else text


def _as_text(batch: pa.RecordBatch) -> pa.RecordBatch:
    columns = [
        _without_formulas(column) if pa.types.is_string(column.type) else column
        for column in batch.columns
    ]
    return pa.record_batch(columns, schema=batch.schema)


def _without_formulas(column: pa.Array) -> pa.Array:
    quoted = pc.binary_join_element_wise("'", column, "")
    return pc.if_else(pc.match_substring_regex(column, FORMULA), quoted, column)
