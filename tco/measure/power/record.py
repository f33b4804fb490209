"""A PowerRecord is all that a point's power is computed from: spans, and each meter's readings.

The readings lie in `power.parquet`, the rest goes into the point's own file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tco.errors import InputError
from tco.measure.parquet import read_table, write_table
from tco.measure.power.instant import Span
from tco.measure.power.metered import Metered
from tco.measure.power.readings import LEAST_READINGS, Meter, Readings
from tco.measure.power.recorder import PointPower, PowerRecorder, point_power
from tco.measure.power.series import Kind, Series
from tco.measure.power.wall import WallMeter
from tco.scenario import PowerMeter
from tco.scenario.meter import timezone_of

POWER: Final = "power.parquet"
_COLUMNS: Final = ("meter", "sensor", "time_ns", "value")


@dataclass(frozen=True, slots=True)
class Sensor:
    """What a series is: its kind, and where its counter starts again at 0 (J)."""

    kind: Kind
    wraps_at_j: float | None


@dataclass(frozen=True, slots=True)
class RecordedMeter:
    """A meter and its sensors, without their readings."""

    meter: Meter
    sensors: tuple[Sensor, ...]


@dataclass(frozen=True, slots=True)
class PowerFacts:
    """The spans of a point, its meters, and the wall meter's export that was named."""

    window: Span
    run: Span
    idle: Span | None
    meters: tuple[RecordedMeter, ...] = ()
    wall_csv: str | None = None
    timezone: str | None = None


class _Played(Metered):
    """A recorder that plays back readings."""

    findings = ()

    def __init__(self, readings: Readings) -> None:
        self._readings = readings

    def readings(self) -> Readings:
        """Return all of them."""
        return self._readings

    def start(self) -> None:
        """Do nothing: it was recorded."""

    def stop(self) -> None:
        """Do nothing: it was recorded."""


@dataclass(frozen=True, slots=True)
class PowerRecord:
    """The spans, and the readings in the order of `facts.meters`."""

    facts: PowerFacts
    readings: tuple[Readings, ...]

    def point_power(self, output_tokens: int) -> PointPower:
        """Return what the meters said of the point; `output_tokens` are of its whole run."""
        return point_power(
            [_Played(readings) for readings in self.readings],
            window=self.facts.window,
            run=self.facts.run,
            idle=self.facts.idle,
            output_tokens=output_tokens,
        )

    def save(self, folder: Path) -> None:
        """Write the readings into a point's folder.

        Raises:
            InputError: the file cannot be written.
        """
        rows = [
            (meter, sensor, series)
            for meter, readings in enumerate(self.readings)
            for sensor, series in enumerate(readings.series)
        ]
        counts = [len(series.times_ns) for _, _, series in rows]
        places = np.array([row[:2] for row in rows], dtype=np.int64).reshape(-1, 2)
        times_ns = [series.times_ns for _, _, series in rows]
        values = [series.values for _, _, series in rows]
        columns = (
            np.repeat(places[:, 0], counts),
            np.repeat(places[:, 1], counts),
            np.concatenate([np.empty(0, dtype=np.int64), *times_ns]),
            np.concatenate([np.empty(0), *values]),
        )
        write_table(folder / POWER, dict(zip(_COLUMNS, columns, strict=True)))

    def with_late_wall_meter(self) -> PowerRecord:
        """Return it with the wall meter's export, where that was not read in the run and is now.

        Raises:
            InputError: the file is there, and is no such export.
        """
        place = self.facts.wall_csv
        if place is None or any(self._tells(readings) for readings in self.readings):
            return self
        path = Path(place).expanduser()
        if not path.is_file():
            return self
        zone = timezone_of(self.facts.timezone) if self.facts.timezone is not None else None
        others = [readings for readings in self.readings if readings.meter.meter != "wall"]
        return _record(self.facts, (WallMeter(path, zone).readings(), *others))

    def _tells(self, readings: Readings) -> bool:
        is_wall = readings.meter.meter == "wall"
        return is_wall and readings.energy(*self.facts.window) is not None


def record_power(
    recorders: Sequence[PowerRecorder],
    *,
    window: Span,
    run: Span,
    idle: Span | None,
    named: PowerMeter,
) -> PowerRecord:
    """Return what the meters have read until the end of a point's run.

    Args:
        recorders: the meters; those without readings are left out.
        window: the steady window.
        run: the whole run, from idle to idle.
        idle: a span with the engine loaded and no request; None where there was none.
        named: the scenario's `bench.meter`.
    """
    facts = PowerFacts(window, run, idle, (), named.wall_csv, named.timezone)
    metered = (recorder for recorder in recorders if isinstance(recorder, Metered))
    return _record(facts, tuple(recorder.readings_until(run[1]) for recorder in metered))


def _record(facts: PowerFacts, readings: tuple[Readings, ...]) -> PowerRecord:
    meters = tuple(
        RecordedMeter(each.meter, tuple(Sensor(s.kind, s.wraps_at_j) for s in each.series))
        for each in readings
    )
    return PowerRecord(replace(facts, meters=meters), readings)


def load_power(folder: Path, facts: PowerFacts) -> PowerRecord:
    """Read what `save` wrote.

    Raises:
        InputError: the file is missing, damaged, or none of ours.
    """
    table = read_table(folder / POWER, _COLUMNS)
    readings = []
    for number, recorded in enumerate(facts.meters):
        series = []
        for place, sensor in enumerate(recorded.sensors):
            mine = (table["meter"] == number) & (table["sensor"] == place)
            times_ns, values = table["time_ns"][mine], table["value"][mine]
            if len(times_ns) < LEAST_READINGS:
                raise InputError(
                    f"lacks the readings of {recorded.meter.source}",
                    file=str(folder / POWER),
                    remedy="give the raw folder that `tco bench` wrote, as it wrote it",
                )
            series.append(Series(times_ns, values, sensor.kind, sensor.wraps_at_j))
        readings.append(Readings(recorded.meter, tuple(series)))
    return PowerRecord(facts, tuple(readings))
