"""A Trace is one run after parsing: a row a request, a row a token event; saved as raw record.

Its arrays lie as three Parquet tables in a point's folder (docs/records.md tells the columns):

- `requests.parquet`, in the order sent: `row` of the workload, `session` (unique over all laps)
  and `turn` in it, `stream`, `is_first` (the discarded one of random length), `intended_ns`,
  `sent_ns`, `end_ns`, `connect_ns`, `asked_input`, `asked_output`, `failure` (text, empty for a
  good answer), `status`, `usage_input`, `usage_output`, `usage_cached` (-1: not reported),
  `events`;
- `events.parquet`, per event that holds tokens: `event_request` (row of the request),
  `event_ns`, `event_tokens`, `event_slack_ns` (by so much it may have arrived earlier: 0 where
  the kernel's stamp is its own);
- `pulses.parquet`, every 20 ms: `pulse_ns`, and `pulse_late_ns`, how late the client's loop
  woke then.

Times are nanoseconds of the machine's monotonic clock.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tco.errors import InputError
from tco.measure.client_log import ENDS, ClientRecords, ProcessRecords
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
    event_slack_ns: Ints
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
    return _together([_parse(process) for process in records.processes])


def _parse(records: ProcessRecords) -> Trace:
    by_request = np.argsort(records.read_request, kind="stable")
    requests = records.read_request[by_request]
    starts, stops = (records.offsets[by_request + n] for n in (0, 1))
    bounds = np.searchsorted(requests, records.column("request")[:, None] + [0, 1]).tolist()
    data, answers = records.data.data, []
    event_places, event_tokens, event_counts = array("q"), array("q"), array("q")
    for (low, high), end in zip(bounds, records.column("end").tolist(), strict=True):
        edges = zip(starts[low:high].tolist(), stops[low:high].tolist(), strict=True)
        reads = [(low + n, bytes(data[start:stop])) for n, (start, stop) in enumerate(edges)]
        answer = read_answer(reads, end=ENDS[end])
        event_places.extend(answer.times_ns)
        event_tokens.extend(answer.tokens)
        event_counts.append(len(answer.tokens))
        answers.append(replace(answer, times_ns=(), tokens=()))  # events may be millions
    # So far an event's time is the place of its read.
    places = np.array(event_places, dtype=np.int64)
    of_event = by_request[places]
    arrived_ns = records.read_ns[of_event]
    slack_ns = np.where(
        _is_exact(places, np.array([high - 1 for _, high in bounds]))
        & records.is_stamped[of_event],
        0,
        arrived_ns - records.read_since_ns[of_event],
    )
    rows = np.repeat(np.arange(len(answers), dtype=np.int64), event_counts)
    events = {
        "event_request": rows,
        "event_ns": arrived_ns,
        "event_tokens": np.array(event_tokens, dtype=np.int64),
        "event_slack_ns": slack_ns,
    }
    return _trace(records, answers, events)


def _is_exact(places: Ints, last: Ints) -> npt.NDArray[np.bool_]:
    """Say which events' last byte was surely the last of their read, which the kernel stamps.

    Of several in a read the last one; of the read that ends a response none, for what says
    so follows the tokens.
    """
    is_last = np.append(places[1:] != places[:-1], True)[: len(places)]
    return is_last & ~np.isin(places, last)


def _trace(records: ProcessRecords, answers: list[Answer], events: dict[str, Ints]) -> Trace:
    def reported(name: str) -> Ints:
        values = [getattr(answer, name) for answer in answers]
        return np.array([-1 if value is None else value for value in values], dtype=np.int64)

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
        **events,
        pulse_ns=records.late[:, 0],
        pulse_late_ns=records.late[:, 1],
        row=records.column("row"),
        session=records.column("session"),
        turn=records.column("turn"),
    )


def _together(traces: list[Trace]) -> Trace:
    """Return the traces of several processes as one, requests in the order they were sent."""
    if len(traces) == 1:
        return traces[0]
    whole = {f.name: np.concatenate([getattr(t, f.name) for t in traces]) for f in fields(Trace)}
    before = np.cumsum([0, *(len(trace) for trace in traces[:-1])])
    events = [len(trace.event_request) for trace in traces]
    requests = whole["event_request"] + np.repeat(before, events)
    order = np.argsort(whole["sent_ns"], kind="stable")
    place = np.argsort(order, kind="stable")
    whole["event_request"] = place[requests]
    by_event = np.argsort(whole["event_request"], kind="stable")
    by_pulse = np.argsort(whole["pulse_ns"], kind="stable")
    for name, values in whole.items():
        by = {"event": by_event, "pulse": by_pulse}.get(name.partition("_")[0], order)
        whole[name] = values[by] if name != "events" else values[order]
    return Trace(**whole)
