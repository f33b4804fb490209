"""Takes up an interrupted bench: points of before whose key is that of the load to hold."""

from __future__ import annotations

from pathlib import Path

from tco.errors import InputError
from tco.measure.point_record import POINT
from tco.measurement import LoadPoint, Measurement
from tco.measurement_file import read_measurement


class KeptPoints:
    """The points of an unfinished measurement; none after `forget`, or from a finished one."""

    def __init__(self, target: Path, raw: Path, *, is_fresh: bool = False) -> None:
        unfinished = None if is_fresh else unfinished_at(target)
        self._points = unfinished.points if unfinished is not None else ()
        self._raw = raw

    def __len__(self) -> int:
        return len(self._points)

    def take(self, number: int, key_sha256: str) -> LoadPoint | None:
        """Return the point of that number if its key is that one and its records are there.

        At the first that is not, all later ones are forgotten: they rest on other points.
        """
        if number < len(self._points):
            point = self._points[number]
            if point.key_sha256 == key_sha256 and (self._raw / f"point-{number}" / POINT).is_file():
                return point
        self._points = ()
        return None


def unfinished_at(target: Path) -> Measurement | None:
    """Return the measurement of a bench that was interrupted; None if there is none."""
    if not target.is_file():
        return None
    try:
        measurement = read_measurement(target).measurement
    except InputError:
        return None
    return None if measurement.is_complete else measurement
