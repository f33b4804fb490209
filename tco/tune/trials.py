"""The trials of a tuning in their order: those measured before, then new ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from tco.measure.progress import Progress
from tco.measurement import HostFacts
from tco.scenario_file import LoadedScenario
from tco.tune.plan import TunePlan
from tco.tune.records import TUNE_NAME, measurement_of
from tco.tune.resume import KeptTrials
from tco.tune.setup import Setup
from tco.tune.timing import Timing
from tco.tuning import Role, TuneTrial


class TrialRunner(Protocol):
    """What `run_trial` is; another may stand in for it in a test."""

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
        """Measure the scenario once."""


class Trials:
    """Measures trials one after another, and keeps them.

    Args:
        plan: whose trials they are.
        timing: told of each.
        before: trials of an unfinished tuning.
        host: this machine.
        measure: starts an engine and measures it.
        progress: shows how a measurement goes.
        say: prints a line.
    """

    def __init__(
        self,
        plan: TunePlan,
        timing: Timing,
        before: tuple[TuneTrial, ...],
        host: HostFacts,
        *,
        measure: TrialRunner,
        progress: Callable[[Progress], None],
        say: Callable[[str], None],
    ) -> None:
        self._plan, self._timing = plan, timing
        self._measure, self._progress, self._say = measure, progress, say
        self._kept = KeptTrials(plan.folder, before)
        self._setup = Setup(plan.folder / TUNE_NAME)
        self._setup.take_up(before, host)
        self.all: list[TuneTrial] = []
        self.is_dummy = False

    def add(
        self, step: int, role: Role, loaded: LoadedScenario, *, retry_of: int | None = None
    ) -> TuneTrial:
        """Return the next trial: as measured before, if it was just this one, or else anew.

        Raises:
            InputError: it ran on another machine or version of the engine than those before.
        """
        number = len(self.all) + 1
        trial = self._kept.take(number, step, role, loaded.sha256, retry_of)
        if trial is None:
            trial = self._measured(number, step, role, loaded, retry_of)
        self._timing.took(trial.took_s)
        found = measurement_of(trial, self._plan.folder)
        if found is not None:
            self._setup.see(found[0])
            self.is_dummy |= found[0].engine is not None and found[0].engine.model_is_dummy
        self.all.append(trial)
        return trial

    def of(self, loaded: LoadedScenario) -> list[TuneTrial]:
        """Return all trials of these settings: each start tells more of them."""
        return [trial for trial in self.all if trial.scenario_sha256 == loaded.sha256]

    def _measured(
        self, number: int, step: int, role: Role, loaded: LoadedScenario, retry_of: int | None
    ) -> TuneTrial:
        again = "" if retry_of is None else f", again for trial {retry_of}"
        words = f"{_words(step, role, self._plan)}{again}"
        self._say(f"trial {number}, {words}; {self._timing.words()}")
        trial = self._measure(
            loaded,
            number=number,
            step=step,
            role=role,
            folder=self._plan.folder,
            progress=self._progress,
            is_fresh=self._plan.is_fresh,
        )
        return trial.model_copy(update={"retry_of": retry_of})


def _words(step: int, role: Role, plan: TunePlan) -> str:
    if step == 0:
        return "the scenario's own settings"
    name = plan.ladder.ladder.steps[step - 1].name
    return f"step {step}, {name}: {'with it' if role == 'candidate' else 'the best before it'}"
