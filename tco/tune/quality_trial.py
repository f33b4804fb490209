"""Asks the engine of a trial for its quality, while it runs: no start is spent on it alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from pydantic import ValidationError

from tco.errors import InputError
from tco.measure.engine_handle import EngineHandle
from tco.measure.progress import Progress
from tco.measure.quality_probe import probe_engine
from tco.output_file import write_whole
from tco.quality import QualityProbe
from tco.scenario import Scenario
from tco.scenario.quality import QualityLimits
from tco.scenario_file import LoadedScenario
from tco.tune.change import launch_of, overrides_of
from tco.tune.ladder import Step
from tco.tune.numerics import changed_numerics
from tco.tune.plan import TunePlan
from tco.tune.quality import judged
from tco.tune.quality_command import scored
from tco.tune.records import QUALITY_NAME, trial_folder
from tco.tune.trial import run_trial
from tco.tuning import Role, TuneQuality, TuneTrial


class MaybeAsked(Protocol):
    """A trial whose engine may have been asked."""

    @property
    def quality(self) -> str | None:
        """Return the file of what it made of the prompts; None where it was not asked."""


def touches_numerics(step: Step, before: Scenario, after: Scenario) -> bool:
    """Say whether a step may change what the model answers: by its own word, or by its names."""
    return step.numerics or bool(changed_numerics(launch_of(before), launch_of(after)))


class ProbedTrials:
    """Runs trials; the scenario's own settings and each change of numerics are asked once.

    Stands in for `run_trial`, and judges by what was asked.
    """

    def __init__(self, plan: TunePlan) -> None:
        self._plan = plan
        self._asked: set[str] = set()

    def __call__(
        self,
        loaded: LoadedScenario,
        *,
        number: int,
        step: int,
        role: Role,
        folder: Path,
        progress: Callable[[Progress], None],
        is_fresh: bool,
    ) -> TuneTrial:
        """Measure the scenario once, and ask its engine where that is due."""
        measure = run_probed if self._is_due(loaded, step, role) else run_trial
        trial = measure(
            loaded,
            number=number,
            step=step,
            role=role,
            folder=folder,
            progress=progress,
            is_fresh=is_fresh,
        )
        if trial.quality is not None:
            self._asked.add(loaded.sha256)
        return trial

    def _is_due(self, loaded: LoadedScenario, step: int, role: Role) -> bool:
        if step == 0:
            return any(touches_base(each, self._plan) for each in self._plan.ladder.ladder.steps)
        if role == "incumbent" or loaded.sha256 in self._asked:
            return False
        tried = self._plan.ladder.ladder.steps[step - 1]
        return touches_numerics(tried, self._plan.base.scenario, loaded.scenario)


def touches_base(step: Step, plan: TunePlan) -> bool:
    """Say whether a step may change what the scenario's own settings answer."""
    after = plan.scenario(overrides_of(step, plan.base.scenario)).scenario
    return touches_numerics(step, plan.base.scenario, after)


def run_probed(
    loaded: LoadedScenario,
    *,
    number: int,
    step: int,
    role: Role,
    folder: Path,
    progress: Callable[[Progress], None],
    is_fresh: bool,
) -> TuneTrial:
    """Run a trial as `run_trial` does, and ask its engine after the load.

    The incumbent's, which is the scenario's own settings, is asked twice.

    Raises:
        InputError: as `run_trial`; or the user's command gives the incumbent no score.
        InterruptedRunError: as `run_trial`.
    """
    file = f"{trial_folder(number)}/{QUALITY_NAME}"

    def ask(handle: EngineHandle) -> None:
        progress(Progress("engine", "asking the fixed prompts, one at a time"))
        limits = loaded.scenario.tune.quality
        probe = probed(handle, limits, is_baseline=role == "incumbent")
        write_whole(folder / file, probe.model_dump_json(by_alias=True) + "\n")

    trial = run_trial(
        loaded,
        number=number,
        step=step,
        role=role,
        folder=folder,
        progress=progress,
        is_fresh=is_fresh,
        on_capacity=ask,
    )
    has_asked = (folder / file).is_file()
    return trial.model_copy(update={"quality": file}) if has_asked else trial


def probed(handle: EngineHandle, limits: QualityLimits, *, is_baseline: bool) -> QualityProbe:
    """Return what the engine makes of the fixed set, and the score of the user's command.

    Raises:
        InputError: the command gives the scenario's own settings no score.
    """
    probe = probe_engine(handle, twice=is_baseline)
    score, failure = scored(handle, limits)
    if failure is not None and is_baseline:
        raise InputError(
            failure,
            key="tune.quality.command",
            remedy="it must print a score of the endpoint at TCO_BASE_URL as its last line",
        )
    return probe.model_copy(update={"score": score, "score_failure": failure})


def quality_of(
    base: Sequence[MaybeAsked],
    candidate: Sequence[MaybeAsked],
    folder: Path,
    limits: QualityLimits,
    *,
    is_allowed: bool,
) -> TuneQuality:
    """Judge settings by the first trial of either side that was asked."""
    before, after = _first(base, folder), _first(candidate, folder)
    return judged(before, after, limits, is_allowed=is_allowed)


def _first(trials: Sequence[MaybeAsked], folder: Path) -> QualityProbe | None:
    file = next((trial.quality for trial in trials if trial.quality is not None), None)
    if file is None:
        return None
    try:
        return QualityProbe.model_validate_json((folder / file).read_bytes())
    except (OSError, ValidationError) as error:
        raise InputError(
            "is not the record of a quality probe",
            file=str(folder / file),
            remedy="begin afresh with --force",
        ) from error
