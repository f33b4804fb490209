"""Takes up an unfinished tuning: what of it counts, and what would make it another one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Final

from tco.errors import InputError
from tco.tune.failed_start import FAILED_NAME
from tco.tune.plan import TunePlan
from tco.tune.records import MEASUREMENT_NAME, TRIALS_NAME, TUNE_NAME, read_tuning
from tco.tuning import Role, TuneTrial, Tuning

_NUMBER: Final = re.compile(r"\d{3,}")
_OURS: Final = (MEASUREMENT_NAME, "raw", FAILED_NAME)


def unfinished(plan: TunePlan) -> Tuning | None:
    """Return the tuning that lies in the plan's folder; None where there is none.

    Raises:
        InputError: it is of another scenario, ladder or number of repeats.
    """
    path = plan.folder / TUNE_NAME
    if not path.is_file():
        return None
    found = read_tuning(path)
    mine = (plan.base.sha256, plan.ladder.sha256, plan.repeats)
    if (found.scenario_sha256, found.ladder_sha256, found.repeats) == mine:
        return found
    raise InputError(
        "is the record of another tuning: other scenario, ladder or repeats",
        file=str(path),
        remedy="name another folder with -o, or begin afresh with --force",
    )


def forget(folder: Path) -> None:
    """Delete what an earlier tuning left: its record and its trials."""
    (folder / TUNE_NAME).unlink(missing_ok=True)
    forget_trials(folder)


def forget_trials(folder: Path, *, above: int = 0) -> None:
    """Delete the folders of trials of higher numbers than that, which an earlier tuning left.

    Only what a trial wrote is a trial's folder: one with a number, a measurement, raw records or
    the record of a failed start.
    """
    for found in (folder / TRIALS_NAME).glob("*"):
        is_ours = any((found / name).exists() for name in _OURS) and not found.is_symlink()
        if is_ours and _NUMBER.fullmatch(found.name) and int(found.name) > above:
            shutil.rmtree(found)


class KeptTrials:
    """Trials of an unfinished tuning, taken up in their order as far as they are the same."""

    def __init__(self, folder: Path, trials: tuple[TuneTrial, ...]) -> None:
        self._folder, self._trials = folder, trials

    def take(
        self, number: int, step: int, role: Role, sha256: str, retry_of: int | None = None
    ) -> TuneTrial | None:
        """Return the trial of that number if it tried just this, and its measurement is there.

        At the first that did not, all later ones are forgotten: what they tried rests on it.
        """
        if number <= len(self._trials):
            trial = self._trials[number - 1]
            asked = (step, role, sha256, retry_of)
            same = (trial.step, trial.role, trial.scenario_sha256, trial.retry_of) == asked
            if same and (trial.measurement is None or (self._folder / trial.measurement).is_file()):
                return trial
        self._trials = ()
        return None
