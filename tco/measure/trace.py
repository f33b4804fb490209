"""A Trace is one run after parsing: a row a request, a row a token event; saved as raw record.

Its arrays lie as three Parquet tables in a point's folder (docs/records.md tells the columns):

- `requests.parquet`, in the order sent: `row` of the workload, `session` (unique over all laps)
  and `turn` in it, `stream`, `is_first` (the discarded one of random length), `intended_ns`,
  `sent_ns`, `end_ns`, `connect_ns`, `asked_input`, `asked_output`, `failure` (text, empty for a
  good answer), `status`, `usage_input`, `usage_output`, `usage_cached` (-1: not reported),
  `events`;
- `events.parquet`, per event that holds tokens: `event_request` (row of the request),
  `event_ns`, `event_tokens`;
- `pulses.parquet`, every 20 ms: `pulse_ns`, and `pulse_late_ns`, how late the client's loop
  woke then.

Times are nanoseconds of the machine's monotonic clock.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tco.errors import InputError
from tco.measure.client_log import ENDS, ClientRecords
from tco.measure.parquet import read_table, write_table
from tco.measure.stream import Answer, read_answer

Ints = npt.NDArray[np.int64]
# What a column's name begins with tells its table.
TABLES: Final = {"": "requests.parquet", "event_": "events.parquet", "pulse_": "pulses.parquet"}


@dataclass(frozen=True, slots=True)
class Trace:
    """The arrays the module describes."""

    stream: Ints
    is_first: Ints
    intended_ns: Ints
    sent_ns: Ints
    end_ns: Ints
    connect_ns: Ints
    asked_input: Ints
    asked_output: Ints
    failure: npt.NDArray[np.str_]
    status: Ints
    usage_input: Ints
    usage_output: Ints
    usage_cached: Ints
    events: Ints
    event_request: Ints
    event_ns: Ints
    event_tokens: Ints
    pulse_ns: Ints
    pulse_late_ns: Ints
    row: Ints
    session: Ints
    turn: Ints

    def __len__(self) -> int:
        return len(self.stream)

    def save(self, folder: Path) -> None:
        """Write the tables into a point's folder."""
        for table, names in _tables().items():
            write_table(folder / table, {name: getattr(self, name) for name in names})


def load_trace(folder: Path) -> Trace:
    """Read what `save` wrote.

    Raises:
        InputError: a table is missing, damaged, or none of ours.
    """
    columns: dict[str, npt.NDArray[Any]] = {}
    for table, names in _tables().items():
        columns |= read_table(folder / table, names)
    of = columns["event_request"]
    if len(of) and not (of.min() >= 0 and of.max() < len(columns["stream"])):
        raise InputError(
            f"names a request that is none of the {len(columns['stream'])} sent",
            file=str(folder / TABLES["event_"]),
            remedy="give the raw folder that `tco bench` wrote, as it wrote it",
        )
    return Trace(**columns)


def _tables() -> dict[str, list[str]]:
    """Return the columns of each table."""
    columns: dict[str, list[str]] = {table: [] for table in TABLES.values()}
    for field in fields(Trace):
        kind = next((prefix for prefix in TABLES if prefix and field.name.startswith(prefix)), "")
        columns[TABLES[kind]].append(field.name)
    return columns


def parse(records: ClientRecords) -> Trace:
    """Parse every request's bytes."""
    by_request = np.argsort(records.reads[:, 0], kind="stable")
    serials = records.reads[by_request, 0]
    times_ns = records.reads[by_request, 1].tolist()
    starts, stops = (records.offsets[by_request + n].tolist() for n in (0, 1))
    data, answers = records.data.data, []
    for serial, end in zip(records.column("request"), records.column("end"), strict=True):
        low, high = np.searchsorted(serials, [serial, serial + 1])
        reads = [(times_ns[i], bytes(data[starts[i] : stops[i]])) for i in range(low, high)]
        answers.append(read_answer(reads, end=ENDS[end]))
    return _trace(records, answers)


def _trace(records: ClientRecords, answers: list[Answer]) -> Trace:
    def reported(name: str) -> Ints:
        values = [getattr(answer, name) for answer in answers]
        return np.array([-1 if value is None else value for value in values], dtype=np.int64)

    lengths = [len(answer.tokens) for answer in answers]
    return Trace(
        stream=records.column("stream"),
        is_first=records.column("is_first"),
        intended_ns=records.column("intended_ns"),
        sent_ns=records.column("sent_ns"),
        end_ns=records.column("end_ns"),
        connect_ns=records.column("connect_ns"),
        asked_input=records.column("input_tokens"),
        asked_output=records.column("output_tokens"),
        failure=np.array([answer.failure or "" for answer in answers], dtype=np.str_),
        status=reported("status"),
        usage_input=reported("input_tokens"),
        usage_output=reported("output_tokens"),
        usage_cached=reported("cached_tokens"),
        events=reported("events"),
        event_request=np.repeat(np.arange(len(answers), dtype=np.int64), lengths),
        event_ns=np.array([t for a in answers for t in a.times_ns], dtype=np.int64),
        event_tokens=np.array([n for a in answers for n in a.tokens], dtype=np.int64),
        pulse_ns=records.late[:, 0],
        pulse_late_ns=records.late[:, 1],
        row=records.column("row"),
        session=records.column("session"),
        turn=records.column("turn"),
    )
