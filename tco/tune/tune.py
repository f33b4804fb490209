"""Tunes an engine by a ladder: each step against the best so far, and what came of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from tco import __version__
from tco.errors import EngineError, InputError
from tco.measure.engine_command import serve_line
from tco.measure.progress import Progress
from tco.measurement import Measurement
from tco.scenario_file import LoadedScenario
from tco.tune.change import accelerators_of, launch_of, overrides_of
from tco.tune.ladder import Step
from tco.tune.plan import TunePlan
from tco.tune.records import TUNE_NAME, KeptTrials, measurement_of, read_tuning, write_tuning
from tco.tune.timing import Timing
from tco.tune.trial import run_trial, start_of
from tco.tune.tune_findings import tune_findings
from tco.tune.verdict import Start, schedule, verdict
from tco.tuning import Decision, Role, TuneBest, TuneFigures, TuneStep, TuneTrial, Tuning


@dataclass(frozen=True, slots=True)
class Priced:
    """What a configuration costs: USD per million output tokens, and the saving."""

    usd_per_million_output: float
    alternative: str | None
    saving: float | None


# From the scenario, its measurement and the hash of that one's file.
Pricer = Callable[[LoadedScenario, Measurement, str], Priced]


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


def tune(
    plan: TunePlan,
    *,
    price: Pricer,
    progress: Callable[[Progress], None],
    say: Callable[[str], None],
    measure: TrialRunner = run_trial,
) -> Tuning:
    """Try the ladder's steps and return what each did; `tune.json` is written after every trial.

    An unfinished tuning that lies in the folder goes on: no trial of it is measured again.

    Raises:
        InputError: the unfinished one is of another scenario or ladder, or cannot be written.
        EngineError: the engine does not start with the scenario's own settings.
        InterruptedRunError: Ctrl-C; what was measured until then is kept.
    """
    return _Tune(plan, price, progress, say, measure).run()


class _Tune:
    def __init__(
        self,
        plan: TunePlan,
        price: Pricer,
        progress: Callable[[Progress], None],
        say: Callable[[str], None],
        measure: TrialRunner,
    ) -> None:
        self.plan, self.price, self.say = plan, price, say
        self.progress, self.measure = progress, measure
        before = None if plan.is_fresh else _unfinished(plan)
        self.created_at = before.created_at if before else dt.datetime.now(dt.UTC)
        self.kept_trials = KeptTrials(plan.folder, before.trials if before else ())
        self.trials: list[TuneTrial] = []
        self.steps: list[TuneStep] = []
        self.best, self.best_sets = plan.base, tuple[str, ...]()
        self.baseline: TuneFigures | None = None
        self.is_dummy = False
        self.timing = Timing(plan.limit_s, 1 + self._most_after(0))

    def run(self) -> Tuning:
        first = self._trial(0, "incumbent", self.best)
        if first.failure is not None:
            raise EngineError(
                f"the scenario's own settings cannot be measured: {first.failure}",
                remedy="mend engine.launch first: a ladder starts from there",
            )
        self.baseline = self._figures(self.best, [first])
        for number, step in enumerate(self.plan.ladder.ladder.steps, start=1):
            row = self._step(number, step)
            self.steps.append(row)
            self.baseline = self._figures(self.plan.base, self._of_base())
            self.timing.left_are(self._most_after(number))
            self.say(f"step {number}, {step.name}: {row.decision.replace('_', ' ')}: {row.why}")
        return self._written(is_complete=all(s.decision != "not_reached" for s in self.steps))

    def _most_after(self, number: int) -> int:
        """Return how many trials the steps after that one can take."""
        later = range(number + 1, len(self.plan.ladder.ladder.steps) + 1)
        steps = sum(each not in self.plan.skipped for each in later)
        return steps * len(schedule(self.plan.repeats))

    def _step(self, number: int, step: Step) -> TuneStep:
        if why := self.plan.skipped.get(number):
            return _row(number, step, "skipped", why)
        overrides = overrides_of(step, self.best.scenario)
        if not overrides:
            return _row(number, step, "skipped", "it is so already")
        candidate = self.plan.scenario((*self.best_sets, *overrides))
        sides: dict[Role, list[TuneTrial]] = {"incumbent": [], "candidate": []}
        for role in schedule(self.plan.repeats):
            if not self.timing.has_time():
                return _row(number, step, "not_reached", "the time was up")
            tried = candidate if role == "candidate" else self.best
            trial = self._trial(number, role, tried)
            sides[role].append(trial)
            if trial.failure is not None and role == "candidate":
                return _row(number, step, "failed", trial.failure)
            if trial.failure is not None:
                why = f"the best before it failed this time: {trial.failure}"
                return _row(number, step, "undecided", why)
        row = self._decided(number, step, sides, candidate)
        figures = self._figures(candidate, sides["candidate"])
        if row.decision == "kept":
            self.best, self.best_sets = candidate, (*self.best_sets, *overrides)
        return row.model_copy(update={"figures": figures})

    def _decided(
        self,
        number: int,
        step: Step,
        sides: dict[Role, list[TuneTrial]],
        candidate: LoadedScenario,
    ) -> TuneStep:
        found = verdict(
            _starts(sides["incumbent"], self.best),
            _starts(sides["candidate"], candidate),
            has_level=bool(self.plan.base.scenario.slo),
        )
        row = _row(number, step, found.decision, found.why)
        return row.model_copy(update={"ratio": found.ratio, "interval": found.interval})

    def _trial(self, step: int, role: Role, loaded: LoadedScenario) -> TuneTrial:
        number = len(self.trials) + 1
        trial = self.kept_trials.take(number, step, role, loaded.sha256)
        if trial is None:
            self.say(
                f"trial {number}, {_trial_words(step, role, self.plan)}; {self.timing.words()}"
            )
            trial = self.measure(
                loaded,
                number=number,
                step=step,
                role=role,
                folder=self.plan.folder,
                progress=self.progress,
                is_fresh=self.plan.is_fresh,
            )
        self.timing.took(trial.took_s)
        if step > 0 or trial.failure is None:
            self.trials.append(trial)
            found = measurement_of(trial, self.plan.folder)
            engine = found[0].engine if found is not None else None
            self.is_dummy |= engine is not None and engine.model_is_dummy
            self._written(is_complete=False)
        return trial

    def _of_base(self) -> list[TuneTrial]:
        """Return all trials of the scenario's own settings: each start tells more of them."""
        return [t for t in self.trials if t.scenario_sha256 == self.plan.base.sha256]

    def _figures(self, loaded: LoadedScenario, trials: list[TuneTrial]) -> TuneFigures | None:
        """Return the figures of the valid trial of median rate; of two in the middle the lower."""
        valid = [trial for trial in trials if trial.output_tok_per_s and not trial.invalid]
        if not valid:
            return None
        ranked = sorted(valid, key=lambda trial: trial.output_tok_per_s or 0.0)
        trial = ranked[(len(ranked) - 1) // 2]
        found = measurement_of(trial, self.plan.folder)
        if found is None or trial.measurement is None:
            return None
        measurement, sha256 = found
        priced = self.price(loaded, measurement, sha256)
        rates = measurement.capacity()
        return TuneFigures(
            output_tok_per_s=rates.output_tok_per_s,
            requests_per_s=rates.requests_per_s,
            measurement=trial.measurement,
            usd_per_million_output=priced.usd_per_million_output,
            alternative=priced.alternative,
            saving=priced.saving,
        )

    def _written(self, *, is_complete: bool) -> Tuning:
        ladder = self.plan.ladder
        tuning = Tuning(
            tool_version=__version__,
            created_at=self.created_at,
            name=self.plan.base.scenario.name,
            scenario_sha256=self.plan.base.sha256,
            ladder=ladder.ladder.name,
            ladder_sha256=ladder.sha256,
            repeats=self.plan.repeats,
            is_complete=is_complete,
            took_s=sum(trial.took_s for trial in self.trials),
            baseline=self.baseline,
            steps=tuple(self.steps),
            best=TuneBest(
                steps=tuple(step.number for step in self.steps if step.decision == "kept"),
                sets=self.best_sets,
                serve=serve_line(launch_of(self.best.scenario)),
            ),
            trials=tuple(self.trials),
            findings=tune_findings(self.steps, is_dummy=self.is_dummy),
        )
        write_tuning(tuning, self.plan.folder)
        return tuning


def _unfinished(plan: TunePlan) -> Tuning | None:
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


def _row(number: int, step: Step, decision: Decision, why: str) -> TuneStep:
    return TuneStep(
        number=number,
        name=step.name,
        args=dict(step.args),
        env=dict(step.env),
        numerics=step.numerics,
        accelerators=step.accelerators,
        decision=decision,
        why=why,
    )


def _starts(trials: list[TuneTrial], loaded: LoadedScenario) -> list[Start]:
    """Return the starts with their rates per accelerator: what a rate costs goes by them."""
    accelerators = accelerators_of(loaded.scenario) or 1
    found = [start for trial in trials if (start := start_of(trial)) is not None]
    return [replace(each, output_tok_per_s=each.output_tok_per_s / accelerators) for each in found]


def _trial_words(step: int, role: Role, plan: TunePlan) -> str:
    if step == 0:
        return "the scenario's own settings"
    name = plan.ladder.ladder.steps[step - 1].name
    return f"step {step}, {name}: {'with it' if role == 'candidate' else 'the best before it'}"
