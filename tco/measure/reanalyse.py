"""Computes a measurement anew from its raw records alone."""

from __future__ import annotations

from pathlib import Path

from tco.errors import InputError
from tco.measure.point_record import POINT, load_record
from tco.measure.rested import rested
from tco.measure.run_record import RUN, load_run
from tco.measurement import LoadPoint, Measurement

_REMEDY = "give the raw folder that `tco bench` wrote, as it wrote it"


def reanalyse(raw: Path) -> Measurement:
    """Return the measurement whose raw records lie in a folder.

    Every figure of every point is computed from the records; what was known before the
    points (engine, host, times, which point was chosen) is as the run kept it. So the same
    records give the same measurement, and another version of tco its own reading of them. A
    wall meter's export that came after the run is taken in.

    Raises:
        InputError: the folder holds no whole record of a run.
    """
    run = load_run(raw)
    count = len(run.points)
    for name in run.points:
        if Path(name).name != name or name == ".." or "\0" in name:
            raise _fault(raw, f"names a point {name!r} outside its folder")
    for chosen in (run.capacity_point, run.target_point):
        if chosen is not None and not 0 <= chosen < count:
            raise _fault(raw, f"chooses point {chosen}, which is none of its {count}")
    points = [_point(raw / name) for name in run.points]
    return run.measurement.model_copy(
        update={
            "points": rested(points, run.capacity_point, run.target_point),
            "capacity_point": run.capacity_point,
            "target_point": run.target_point,
        }
    )


def _point(folder: Path) -> LoadPoint:
    record = load_record(folder).with_late_wall_meter()
    try:
        return record.point()
    except (ArithmeticError, TypeError, ValueError) as error:
        raise InputError(
            "no load point can be computed from it: a time or an amount in it is out of all bounds",
            file=str(folder / POINT),
            remedy=_REMEDY,
        ) from error


def _fault(raw: Path, message: str) -> InputError:
    return InputError(message, file=str(raw / RUN), remedy=_REMEDY)
