"""A wall meter's export: a CSV file of times with watts, or with a counter of energy."""

from __future__ import annotations

import csv
import datetime as dt
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tco.errors import InputError
from tco.measure.power.series import Series
from tco.measure.power.wall_columns import Columns, columns
from tco.measure.power.wall_number import reading
from tco.measure.power.wall_time import unix_ns
from tco.quantity import shown
from tco.units import NS_PER_S

_DELIMITERS = (",", ";", "\t")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
_LEAST_ROWS = 2


@dataclass(frozen=True, slots=True)
class WallTable:
    """What the file says.

    Attributes:
        series: its readings, by the wall's clock.
        quantum_j: the smallest step its counter can show; 0 for watts.
        zone_assumed: some of its times state no zone, and neither does its header.
    """

    series: Series
    quantum_j: float
    zone_assumed: bool


@dataclass(slots=True)
class _Rows:
    times_ns: list[int]
    values: list[float]
    step: float = math.inf
    bare: bool = False


def read_wall_csv(path: Path, zone: dt.tzinfo | None) -> WallTable:
    """Read an export.

    Watts are taken where the file has them, its counter otherwise. Rows without a number (an
    outage) are left out. The newest row may come first.

    Args:
        path: the file.
        zone: of times that state none, as their header does not either; None: they are taken
            as UTC.

    Raises:
        InputError: not a file of times and watts or energy, times that go back, or a number
            that cannot be read without doubt.
    """
    lines = _lines(path)
    delimiter, start = _delimiter(lines, str(path))
    (_, header), *_ = _cells(lines[start : start + 1], delimiter, str(path))
    found = columns(header, str(path), lines[start][0])
    of_bare = dt.UTC if found.says_utc or zone is None else zone
    rows = _rows(lines[start + 1 :], delimiter, found, zone=of_bare, file=str(path))
    times_ns, values = _rising(rows, str(path))
    return WallTable(
        series=Series(times_ns, values, found.value.kind),
        quantum_j=0.0 if found.value.kind == "power" else rows.step,
        zone_assumed=rows.bare and zone is None and not found.says_utc,
    )


def _lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines that say something, with their numbers."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(
            f"cannot be read: {reason}", file=str(path), remedy="check the path"
        ) from error
    except UnicodeDecodeError as error:
        raise InputError(
            "cannot be read: it is no text in UTF-8",
            file=str(path),
            remedy="export it as CSV, in UTF-8",
        ) from error
    numbered = enumerate(text.splitlines(), start=1)
    lines = [(n, line) for n, line in numbered if line.strip() and not line.startswith("#")]
    if not lines:
        raise InputError("is empty", file=str(path), remedy="export it again")
    return lines


def _delimiter(lines: Sequence[tuple[int, str]], file: str) -> tuple[str, int]:
    """Return the delimiter and where the header stands: behind a line `sep=;`, if any."""
    if stated := _SEPARATOR_LINE.fullmatch(lines[0][1].strip()):
        if len(lines) == 1:
            raise InputError("is empty", file=file, remedy="export it again")
        return stated[1], 1
    return max(_DELIMITERS, key=lines[0][1].count), 0


def _rows(
    lines: Sequence[tuple[int, str]],
    delimiter: str,
    found: Columns,
    *,
    zone: dt.tzinfo,
    file: str,
) -> _Rows:
    rows, value = _Rows([], []), found.value
    for line, cells in _cells(lines, delimiter, file):
        if len(cells) <= max(*found.time, value.index):
            continue  # a row cut short by an outage
        if any(cell.strip() for cell in cells[found.count :]):
            raise InputError(
                f"has {len(cells)} columns, and the header {found.count}",
                file=file,
                line=line,
                remedy="put decimal commas in quotes, or part columns by semicolons",
            )
        number = _number(cells[value.index], found, delimiter, file=file, line=line)
        if number is None:
            continue
        text = " ".join(cells[index].strip() for index in found.time)
        try:
            time_ns, is_bare = unix_ns(text, zone)
        except (ValueError, OverflowError):
            raise InputError(
                f"{text!r} is no time that can be read without doubt",
                file=file,
                line=line,
                remedy="write it as 2026-12-02T14:30:00Z, or in seconds since 1970",
            ) from None
        rows.times_ns.append(time_ns)
        rows.values.append(number[0])
        rows.step = min(rows.step, number[1])
        rows.bare |= is_bare
    return rows


def _number(
    text: str, found: Columns, delimiter: str, *, file: str, line: int
) -> tuple[float, float] | None:
    try:
        return reading(text, found.value, delimiter)
    except ValueError:
        raise InputError(
            f"{shown(text.strip())} is no number that can be read without doubt",
            file=file,
            line=line,
            remedy="write it as 1234.5, in the unit of its column",
        ) from None


def _cells(
    lines: Sequence[tuple[int, str]], delimiter: str, file: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield each line's cells."""
    for line, text in lines:
        try:
            cells = next(csv.reader([text], delimiter=delimiter))
        except csv.Error as error:
            raise InputError(
                f"is not CSV: {error}", file=file, line=line, remedy="export it again"
            ) from None
        yield line, cells


def _rising(
    rows: _Rows, file: str
) -> tuple[
    np.ndarray[tuple[int], np.dtype[np.int64]], np.ndarray[tuple[int], np.dtype[np.float64]]
]:
    """Return times that rise, of equal ones the last, and their values."""
    times_ns = np.array(rows.times_ns, dtype=np.int64)
    values = np.array(rows.values, dtype=np.float64)
    if len(times_ns) and times_ns[0] > times_ns[-1]:
        times_ns, values = times_ns[::-1], values[::-1]
    steps_ns = np.diff(times_ns)
    if np.any(steps_ns < 0):
        where = int(np.argmax(steps_ns < 0))
        at = dt.datetime.fromtimestamp(times_ns[where + 1] / NS_PER_S, dt.UTC)
        raise InputError(
            f"its times go back at {at:%Y-%m-%d %H:%M:%S} UTC",
            file=file,
            remedy="export them in UTC or with their offset, in order",
        )
    last = np.append(steps_ns > 0, True) if len(times_ns) else np.zeros(0, dtype=bool)
    if np.count_nonzero(last) < _LEAST_ROWS:
        raise InputError("has no two readings", file=file, remedy="export it again")
    return times_ns[last], values[last]
