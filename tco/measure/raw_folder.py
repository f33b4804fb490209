"""The folder of raw records beside a measurement: claimed before a run, cleared for a new one."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from tco.errors import InputError
from tco.measure.client_log import PART_GLOB, RECORDS
from tco.measure.point_record import CLIENT, POINT, SAMPLES
from tco.measure.power.record import POWER
from tco.measure.run_record import RUN
from tco.measure.trace import TABLES

MEASUREMENT_NAME: Final = "measurement.json"
RAW_NAME: Final = "raw"
WORKLOAD_NAME: Final = "workload.npz"
RECORD_NAMES: Final = (*TABLES.values(), SAMPLES, CLIENT, POWER, POINT)


@contextmanager
def claimed(target: Path) -> Iterator[Path]:
    """Make the folder of raw records; a failure leaves no empty folder made for it."""
    raw = target.with_name(
        RAW_NAME if target.name == MEASUREMENT_NAME else f"{target.stem}-{RAW_NAME}"
    )
    made = [folder for folder in (raw, *raw.parents) if not folder.exists()]
    try:
        _require_writable(target, raw)
        yield raw
    except BaseException:
        for folder in made:
            with suppress(OSError):
                folder.rmdir()  # which fails if something was kept in it
        raise


def _require_writable(target: Path, raw: Path) -> None:
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raw.mkdir(parents=True, exist_ok=True)
        for folder in (raw, raw.parent):
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise InputError(
            f"the results cannot be written: {error.strerror or error}",
            file=str(target),
            remedy="choose a file you may write to with -o",
        ) from error


def forget_points(raw: Path) -> None:
    """Delete an earlier run's records, which would lie among the new ones."""
    (raw / RUN).unlink(missing_ok=True)
    for folder in filter(Path.is_dir, raw.glob("point-*")):
        forget_point(folder)


def forget_point(folder: Path) -> None:
    """Delete what an earlier run recorded of a point."""
    forget_reads(folder)
    for name in RECORD_NAMES:
        (folder / name).unlink(missing_ok=True)
    with suppress(OSError):
        folder.rmdir()


def forget_reads(folder: Path) -> None:
    """Delete what the client kept of a point, once it is parsed into its trace."""
    for part in folder.glob(PART_GLOB):
        forget_reads(part)
        with suppress(OSError):
            part.rmdir()
    for name in (*(f"{record}.bin" for record in RECORDS), WORKLOAD_NAME):
        (folder / name).unlink(missing_ok=True)
