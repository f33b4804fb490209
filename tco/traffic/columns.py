"""The formats of traffic that are tables: the Azure trace, our own CSV, and logs as CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tco.traffic.error import TrafficError
from tco.traffic.rows import Rows
from tco.traffic.value import clock_as_ticks, seconds, seconds_as_ticks, tokens

_DELIMITERS = ",;\t"
Add = Callable[[Sequence[str]], None]


@dataclass(frozen=True, slots=True)
class TableFormat:
    """Column names (in lower case, the first that is there counts) and how its times are read.

    Attributes:
        sorts: whether rows may stand in any order of time.
    """

    name: str
    input_tokens: str
    output_tokens: str
    times: tuple[str, ...]
    read_time: Callable[[object, str], int]
    cached_tokens: str | None = None
    session: str | None = None
    wait_s: str | None = None
    sorts: bool = False


_AZURE = TableFormat(
    "Azure LLM trace", "contexttokens", "generatedtokens", ("timestamp",), clock_as_ticks
)
_OWN = TableFormat(
    "tco CSV",
    "input_tokens",
    "output_tokens",
    ("at_s",),
    seconds_as_ticks,
    cached_tokens="cached_tokens",
    session="session",
    wait_s="wait_s",
)
_LOG = TableFormat(
    "access log (CSV)",
    "prompt_tokens",
    "completion_tokens",
    ("starttime", "start_time", "timestamp", "created_at", "created", "time"),
    clock_as_ticks,
    cached_tokens="cached_tokens",
    sorts=True,
)
TABLES = (_AZURE, _OWN, _LOG)


def read_table(lines: Iterable[str], rows: Rows) -> str:
    """Read a table with a header line into the rows, and return the format's name.

    Raises:
        TrafficError: a header that is of no known format, or a row that does not fit it.
    """
    text = iter(lines)
    header = next(text)
    if "\r" in header.rstrip("\r\n"):
        raise TrafficError("ends its lines with CR alone", remedy="save it with LF, or CR LF")
    delimiter = max(_DELIMITERS, key=header.count)
    records = _records(csv.reader(_with(header, text), delimiter=delimiter, strict=True))
    names = [name.strip() for name in next(records)]
    found = _format(names)
    rows.sorts = found.sorts
    add = _adder(found, names, rows)
    for record in records:
        if not record:
            continue
        if len(record) != len(names):
            raise TrafficError(f"has {len(record)} columns, and the header {len(names)}")
        add(record)
    return found.name


def _with(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _records(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise TrafficError(f"is not CSV: {error}", remedy="check the quotes on this line") from None


def _format(names: Sequence[str]) -> TableFormat:
    lower = [name.lower() for name in names]
    twice = next((name for name in lower if lower.count(name) > 1), None)
    for table in TABLES:
        if {table.input_tokens, table.output_tokens} <= set(lower):
            if twice is not None:
                raise TrafficError(f"has the column {twice} twice")
            return table
    raise TrafficError(
        "is no table of requests that is known: its columns are " + ", ".join(names)[:200],
        remedy="name the columns at_s, input_tokens, output_tokens "
        "(and session, wait_s, cached_tokens where you have them)",
    )


def _adder(table: TableFormat, names: Sequence[str], rows: Rows) -> Add:
    """Return what adds a record to the rows."""
    place = {name.lower(): index for index, name in enumerate(names)}
    input_at, output_at = place[table.input_tokens], place[table.output_tokens]
    time_at = next((place[name] for name in table.times if name in place), None)
    cached_at, session_at, wait_at = (
        place.get(name or "") for name in (table.cached_tokens, table.session, table.wait_s)
    )

    def given(record: Sequence[str], at: int | None) -> str | None:
        return None if at is None else record[at].strip() or None

    def add(record: Sequence[str]) -> None:
        time, cached, wait = (given(record, at) for at in (time_at, cached_at, wait_at))
        rows.add(
            tokens(record[input_at].strip(), names[input_at]),
            tokens(record[output_at].strip(), names[output_at]),
            ticks=None if time is None else table.read_time(time, names[time_at or 0]),
            cached_tokens=None if cached is None else tokens(cached, names[cached_at or 0]),
            session=given(record, session_at),
            wait_s=0.0 if wait is None else seconds(wait, names[wait_at or 0]),
        )

    return add
