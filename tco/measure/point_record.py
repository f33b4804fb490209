"""A PointRecord is all that a load point is computed from, saved whole in the point's folder.

Beside the trace's tables lie `samples.parquet` (readings of the server's /metrics),
`client.parquet` (what the load client said of itself while it ran), `power.parquet` (readings
of the power meters, if there are any) and `point.json` (the window, and what was decided before
the point). docs/records.md tells every column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from pydantic import TypeAdapter, ValidationError

from tco.errors import InputError
from tco.measure.hold import Held
from tco.measure.load import ClientState
from tco.measure.load_point import PointFacts, load_point
from tco.measure.parquet import Column, read_table, write_table
from tco.measure.power.record import PowerFacts, PowerRecord, load_power
from tco.measure.telemetry import MetricsSample
from tco.measure.trace import Trace, load_trace
from tco.measurement import LoadPoint
from tco.output_file import write_whole

SAMPLES: Final = "samples.parquet"
CLIENT: Final = "client.parquet"
POINT: Final = "point.json"
_KINDS: Final = {"int": np.int64, "float": np.float64, "str": np.str_}


@dataclass(frozen=True, slots=True)
class PointRecord:
    """The trace of a point, what was seen beside it, what was decided before, its meters."""

    trace: Trace
    held: Held
    facts: PointFacts
    power: PowerRecord | None = None

    def point(self) -> LoadPoint:
        """Return the load point that the record gives."""
        if self.power is None:
            return load_point(self.trace, self.held, self.facts)
        meters = self.power.point_power(int(self.trace.event_tokens.sum()))
        return load_point(self.trace, self.held, self.facts, meters)

    def with_late_wall_meter(self) -> PointRecord:
        """Return it with a wall meter's export that was not there in the run, and is now.

        Raises:
            InputError: the file is there, and is no such export.
        """
        if self.power is None:
            return self
        return replace(self, power=self.power.with_late_wall_meter())

    def save(self, folder: Path) -> None:
        """Write the record into the point's folder.

        Raises:
            InputError: a file cannot be written.
        """
        self.trace.save(folder)
        write_table(folder / SAMPLES, _columns(MetricsSample, self.held.samples))
        write_table(folder / CLIENT, _columns(ClientState, self.held.history))
        if self.power is not None:
            self.power.save(folder)
        held = replace(self.held, samples=[], history=[])
        meters = self.power.facts if self.power is not None else None
        rest = _Rest("tco.point_record/1", held, self.facts, meters)
        write_whole(folder / POINT, _REST.dump_json(rest, indent=1) + b"\n")


@dataclass(frozen=True, slots=True)
class _Rest:
    schema: Literal["tco.point_record/1"]
    held: Held
    facts: PointFacts
    power: PowerFacts | None = None


_REST: Final = TypeAdapter(_Rest)


def load_record(folder: Path) -> PointRecord:
    """Read what `PointRecord.save` wrote.

    Raises:
        InputError: a file is missing, damaged, or none of ours.
    """
    path = folder / POINT
    try:
        rest = _REST.validate_json(path.read_bytes())
    except OSError as error:
        raise _unreadable(path, error.strerror or str(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        raise _unreadable(path, f"{key}: {first['msg']}" if key else first["msg"]) from None
    samples = _rows(MetricsSample, folder / SAMPLES)
    history = _rows(ClientState, folder / CLIENT)
    held = replace(rest.held, samples=samples, history=history)
    power = load_power(folder, rest.power) if rest.power is not None else None
    return PointRecord(load_trace(folder), held, rest.facts, power)


def _unreadable(path: Path, reason: str) -> InputError:
    return InputError(
        f"cannot be read: {reason}",
        file=str(path),
        remedy="give the raw folder that `tco bench` wrote, as it wrote it",
    )


def _columns(kind: type[Any], rows: Sequence[Any]) -> dict[str, Column]:
    """Return a column for each field of the rows; None becomes NaN."""
    return {
        f.name: np.array([getattr(row, f.name) for row in rows], dtype=_KINDS[_base(f.type)])
        for f in fields(kind)
    }


def _rows(kind: type[Any], path: Path) -> list[Any]:
    """Return the rows that `_columns` was given; a field that came later has its default."""
    required = [f.name for f in fields(kind) if f.default is MISSING]
    later = [f.name for f in fields(kind) if f.default is not MISSING]
    columns = read_table(path, required, optional=later)
    lists = [
        [None if value != value else value for value in column.tolist()]  # noqa: PLR0124
        for column in columns.values()
    ]
    return [kind(**dict(zip(columns, row, strict=True))) for row in zip(*lists, strict=True)]


def _base(annotation: object) -> str:
    return str(annotation).removesuffix(" | None")
