"""A wall meter: its export is read after the run, and again if it has changed since."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from pathlib import Path

from tco.errors import InputError
from tco.finding import Finding
from tco.measure.power.instant import Instant
from tco.measure.power.metered import Metered
from tco.measure.power.readings import Meter, Readings
from tco.measure.power.wall_csv import read_wall_csv


class WallMeter(Metered):
    """A recorder that reads a CSV export; the file may come after the run.

    Args:
        path: the file.
        zone: of times that state none; None: they are taken as UTC, with a finding.

    Raises:
        InputError: the file is there already, and is no such export.
    """

    findings: tuple[Finding, ...] = ()

    def __init__(self, path: Path, zone: dt.tzinfo | None = None) -> None:
        self._path, self._zone = path, zone
        self._meter = Meter(
            meter="wall",
            covers="wall",
            accelerators=None,
            source=f"wall meter, {path.name}",
            clock="unix",
            file=path.name,
        )
        self._state: tuple[int, int] | None = None
        self._readings = self._without(f"{path.name} is not there")
        if path.exists():
            self._state = self._state_now()
            self._readings = self._read()

    def start(self) -> None:
        """Do nothing: the meter records by itself."""

    def stop(self) -> None:
        """Do nothing: the meter records by itself."""

    def readings(self) -> Readings:
        """Return what the file says, as last read."""
        return self._readings

    def readings_until(self, stop: Instant) -> Readings:  # noqa: ARG002
        """Return what the file says now; a fault in it is a reason, so that no run is lost."""
        state = self._state_now()
        if state is not None and state != self._state:
            self._state = state
            try:
                self._readings = self._read()
            except InputError as error:
                self._readings = self._without(str(error))
        return self._readings

    def _read(self) -> Readings:
        table = read_wall_csv(self._path, self._zone)
        meter = replace(self._meter, quantum_j=table.quantum_j, zone_assumed=table.zone_assumed)
        return Readings(meter, (table.series,))

    def _without(self, reason: str) -> Readings:
        return Readings(replace(self._meter, absence=reason), ())

    def _state_now(self) -> tuple[int, int] | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size
