"""A sweep as a long table: one row per point and alternative, as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Sequence

from tco.explore.sweep import SweepBlock

COLUMNS = (
    "alternative",
    "usd_per_hour",
    "usd_per_request",
    "usd_per_million_output",
    "usd_per_million_total",
    "saving",
    "break_even_utilisation",
)
Cell = str | float | None

# A spreadsheet runs a cell that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def rows_of(blocks: Iterable[SweepBlock]) -> Iterator[tuple[Cell, ...]]:
    """Yield the rows: the values of the axes, then COLUMNS; None is "none"."""
    for block in blocks:
        for point, values in enumerate(zip(*block.values, strict=True)):
            varied = tuple(_plain(text) for text in values)
            own = (
                float(block.usd_per_hour[point]),
                float(block.usd_per_request[point]),
                float(block.usd_per_million_output[point]),
                float(block.usd_per_million_total[point]),
            )
            for rival in block.rivals:
                saving = _present(rival.saving[point])
                yield (
                    *varied,
                    rival.name,
                    *own,
                    saving,
                    _present(rival.break_even_utilisation[point]),
                )


def csv_text(keys: Sequence[str], blocks: Iterable[SweepBlock]) -> str:
    """Return the table as CSV; None is an empty cell, and text never reads as a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([_as_text(key) for key in (*keys, *COLUMNS)])
    for row in rows_of(blocks):
        writer.writerow([_as_text(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def json_text(keys: Sequence[str], blocks: Iterable[SweepBlock]) -> str:
    """Return the table as one `tco.sweep/1` document: column names, and rows of cells."""
    document = {
        "schema": "tco.sweep/1",
        "columns": [*keys, *COLUMNS],
        "rows": [list(row) for row in rows_of(blocks)],
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def _as_text(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _plain(text: str) -> Cell:
    try:
        number = float(text)
    except ValueError:
        return text
    return number if math.isfinite(number) and "_" not in text else text


def _present(number: float) -> float | None:
    return None if math.isnan(number) else float(number)
