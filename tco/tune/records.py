"""The folder of a tuning: `tune.json`, rewritten after every trial, and a folder for each."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Protocol

from pydantic import ValidationError

from tco.errors import InputError
from tco.measurement import Measurement
from tco.measurement_file import read_measurement
from tco.output_file import write_whole
from tco.tuning import Tuning

TUNE_NAME: Final = "tune.json"
TRIALS_NAME: Final = "trials"
MEASUREMENT_NAME: Final = "measurement.json"


class WithMeasurement(Protocol):
    """A trial that may have a measurement, named as seen from the folder of its record."""

    @property
    def measurement(self) -> str | None:
        """Return the file of its measurement; None of one that failed."""


def tuning_bytes(tuning: Tuning) -> bytes:
    """Return a tuning as its file has it."""
    return (tuning.model_dump_json(by_alias=True, indent=2) + "\n").encode()


def write_tuning(tuning: Tuning, folder: Path) -> None:
    """Write `tune.json`.

    Raises:
        InputError: it cannot be written.
    """
    write_whole(folder / TUNE_NAME, tuning_bytes(tuning))


def read_tuning(path: Path) -> Tuning:
    """Read a tuning.

    Raises:
        InputError: it is none.
    """
    try:
        return Tuning.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(
            "is not the record of a tuning",
            file=str(path),
            remedy="begin afresh with --force, or name another folder with -o",
        ) from error


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
