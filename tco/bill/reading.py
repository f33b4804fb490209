"""Reading a bill's files: each one's export is recognised from its content, never its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from tco.bill.bill import Bill, BillFile
from tco.bill.format import Format, empty_row, row_of
from tco.bill.formats import format_of
from tco.bill.records import Record, Records
from tco.bill.row import Row
from tco.bill.sums import Cell, Sums, cell_of
from tco.errors import InputError
from tco.file_kind import refuse_tcos_own
from tco.input_file import unreadable
from tco.quantity import shown
from tco.traffic.error import TrafficError
from tco.traffic.lines import Lines

_MOST_CELLS = 5_000_000
# All that a bucket without results has.
_TIMES = {
    "object", "start_time", "end_time", "start_time_iso", "end_time_iso", "starting_at",
    "ending_at",
}  # fmt: skip


@dataclass(slots=True)
class _Reading:
    """What is read of a file so far.

    Attributes:
        form: None until a record says.
        early: buckets without results that stood before that.
    """

    form: Format | None = None
    early: list[Record] = field(default_factory=list)
    cells: dict[Cell, Sums] = field(default_factory=dict)
    left_out: int = 0
    twice: int = 0


def load_bill(paths: Sequence[Path]) -> Bill:
    """Read the files of one bill; their sums are joined.

    Raises:
        InputError: no such file, no known export, or a row that does not fit, with its line; or
            the same file twice.
    """
    seen: dict[str, Path] = {}
    ids: set[str] = set()
    files = []
    for path in paths:
        try:
            with path.open("rb") as stream:
                refuse_tcos_own(stream.peek(), "an export of a bill", path)
                file = parsed_bill(stream, path.name, str(path), ids)
        except (OSError, ValueError) as error:
            raise unreadable(error, path) from None
        if file.sha256 in seen:
            raise InputError(
                f"holds the same as {seen[file.sha256]}, and would be counted twice",
                file=str(path),
                remedy="name it once",
            )
        seen[file.sha256] = path
        files.append(file)
    return Bill(tuple(files))


def parsed_bill(stream: BinaryIO, name: str, file: str, ids: set[str]) -> BillFile:
    """Return what a stream of bytes tells.

    Args:
        stream: the export.
        name: by which the bill speaks of it.
        file: names it in errors.
        ids: of requests seen in files before; this one's are added.

    Raises:
        InputError: as `load_bill`.
    """
    lines = Lines(stream)
    records = Records(lines)
    reading = _Reading()
    try:
        _fold(records, reading, ids)
    except TrafficError as fault:
        remedy = fault.remedy or "correct it in the file, or export it again"
        raise InputError(
            fault.message, remedy=remedy, file=file, line=lines.number or None, key=fault.key
        ) from None
    form = reading.form
    if form is None or not reading.cells:
        what = "no usage and no costs"
        if reading.twice:
            what = "only requests that are in the files before it"
        raise InputError(f"holds {what}", file=file, remedy="export a period that has others")
    return BillFile(
        name=name,
        format=form.name,
        provider=form.provider,
        sha256=lines.sha256(),
        has_usage=form.has_usage(),
        has_cost=form.has_cost(),
        cells=reading.cells,
        left_out=reading.left_out,
        twice=reading.twice,
        has_more=records.has_more,
    )


def _fold(records: Iterable[Record], reading: _Reading, ids: set[str]) -> None:
    for record in records:
        if reading.form is None:
            reading.form = format_of(record)
            if reading.form is None:
                _hold_early(record, reading)
                continue
        _add(record, reading.form, reading, ids)
    if reading.form is None:
        if reading.early:
            raise _unknown(reading.early[0])
        return
    for record in reading.early:
        _add(record, reading.form, reading, ids)


def _hold_early(record: Record, reading: _Reading) -> None:
    """Keep a bucket that has no results yet; refuse a record that no export has."""
    if record.keys() - _TIMES:
        raise _unknown(record)
    reading.early.append(record)


def _unknown(record: Record) -> TrafficError:
    keys = f"its keys are {shown(', '.join(record))}" if record else "a record has no keys"
    return TrafficError(
        f"is no usage or cost export that is known: {keys}",
        remedy="docs/bill.md lists the exports and their keys",
    )


def _add(record: Record, form: Format, reading: _Reading, ids: set[str]) -> None:
    if form.left_out(record):
        reading.left_out += 1
        return
    if record.keys() <= _TIMES:
        row = empty_row(form, record)
    elif record.keys() >= set(form.needs) or format_of(record) is None:
        row = row_of(form, record)
    else:
        raise TrafficError(
            f"is a record of another kind than the {form.name} before it",
            remedy="give each export a file of its own",
        )
    _add_row(row, reading, ids)


def _add_row(row: Row, reading: _Reading, ids: set[str]) -> None:
    if row.end_s < row.start_s:
        raise TrafficError("ends before it starts")
    if row.id is not None:
        if row.id in ids:
            reading.twice += 1
            return
        ids.add(row.id)
    cell = cell_of(row)
    sums = reading.cells.get(cell)
    if sums is None:
        if len(reading.cells) >= _MOST_CELLS:
            raise TrafficError("has too many rows", remedy="export it by day")
        sums = reading.cells[cell] = Sums()
    sums.add_row(row)
