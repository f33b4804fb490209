"""The folder of a tuning: `tune.json`, rewritten after every trial, and a folder for each."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol, TypeVar

from pydantic import ValidationError

from tco.errors import InputError
from tco.measurement import Measurement, Record
from tco.measurement_file import read_measurement
from tco.output_file import write_whole
from tco.tuning import Tuning

TUNE_NAME: Final = "tune.json"
TRIALS_NAME: Final = "trials"
MEASUREMENT_NAME: Final = "measurement.json"
QUALITY_NAME: Final = "quality.json"

_R = TypeVar("_R", bound=Record)


class WithMeasurement(Protocol):
    """A trial that may have a measurement, named as seen from the folder of its record."""

    @property
    def measurement(self) -> str | None:
        """Return the file of its measurement; None of one that failed."""


def record_bytes(record: Record) -> bytes:
    """Return a record as its file has it."""
    return (record.model_dump_json(by_alias=True, indent=2) + "\n").encode()


def read_record(path: Path, model: type[_R], kind: str) -> _R:
    """Read the record of a tuning or search, of that kind.

    Raises:
        InputError: it is none.
    """
    try:
        return model.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(
            f"is not the record of a {kind}",
            file=str(path),
            remedy="begin afresh with --force, or name another folder with -o",
        ) from error


def write_tuning(tuning: Tuning, folder: Path) -> None:
    """Write `tune.json`.

    Raises:
        InputError: it cannot be written.
    """
    write_whole(folder / TUNE_NAME, record_bytes(tuning))


def read_tuning(path: Path) -> Tuning:
    """Read a tuning.

    Raises:
        InputError: it is none.
    """
    return read_record(path, Tuning, "tuning")


def trial_folder(number: int) -> str:
    """Return the folder of a trial, seen from that of the tuning."""
    return f"{TRIALS_NAME}/{number:03d}"


def measurement_of(trial: WithMeasurement, folder: Path) -> tuple[Measurement, str] | None:
    """Return what a trial measured, and the hash of its file; None of one that failed.

    Raises:
        InputError: the file is no longer a measurement.
    """
    if trial.measurement is None:
        return None
    loaded = read_measurement(folder / trial.measurement)
    return loaded.measurement, loaded.sha256
