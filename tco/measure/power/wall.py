"""A wall meter: its export is read after the run, and again if it has grown since."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from tco.errors import InputError
from tco.finding import Finding
from tco.measure.power.instant import Instant
from tco.measure.power.metered import Metered
from tco.measure.power.readings import Meter, Readings, power_finding
from tco.measure.power.wall_csv import WallTable, read_wall_csv


class WallMeter(Metered):
    """A recorder that reads a CSV export; the file may come after the run.

    Args:
        path: the file.
        zone: of times that state none; None: they are taken as UTC, with a finding.

    Raises:
        InputError: the file is there already, and is no such export.
    """

    def __init__(self, path: Path, zone: dt.tzinfo | None = None) -> None:
        self._path, self._zone = path, zone
        self._table: WallTable | None = None
        self._fault: str | None = None
        self._state: tuple[int, int] | None = None
        if path.exists():
            self._state = self._state_now()
            self._table = read_wall_csv(path, zone)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What must be known of the meter as a whole."""
        self._read_again()
        found = []
        if self._fault or self._table is None:
            found.append(_unread(self._path.name, self._fault or "is not there"))
        if self._table is not None and self._table.zone_assumed:
            found.append(_ZONE_ASSUMED)
        return tuple(found)

    def start(self) -> None:
        """Do nothing: the meter records by itself."""

    def stop(self) -> None:
        """Do nothing: the meter records by itself."""

    def readings(self) -> Readings:
        """Return what the file says, as last read."""
        quantum_j = self._table.quantum_j if self._table is not None else 0.0
        source = f"wall meter, {self._path.name}"
        meter = Meter("wall", "wall", None, source, "unix", quantum_j)
        return Readings(meter, () if self._table is None else (self._table.series,))

    def readings_until(self, stop: Instant) -> Readings:  # noqa: ARG002
        """Return what the file says now; a fault in it is a finding, so that no run is lost."""
        self._read_again()
        return self.readings()

    def _read_again(self) -> None:
        state = self._state_now()
        if state is None or state == self._state:
            return
        self._state = state
        try:
            self._table, self._fault = read_wall_csv(self._path, self._zone), None
        except InputError as error:
            self._fault = str(error)

    def _state_now(self) -> tuple[int, int] | None:
        try:
            stat = self._path.stat()
        except OSError:
            return None
        return stat.st_mtime_ns, stat.st_size


def _unread(name: str, reason: str) -> Finding:
    return power_finding(
        "wall_csv_unread",
        "warn",
        f"the wall meter's export {name} gave no readings: {reason}",
        "export it to that place, and let `tco bench --reanalyse` take it in",
    )


_ZONE_ASSUMED = power_finding(
    "power_timezone_assumed",
    "warn",
    "the wall meter's times state no zone and are taken as UTC",
    "state bench.meter.timezone",
)
