"""Tunes an engine by a ladder: each step against the best so far, and what came of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tco import __version__
from tco.errors import EngineError
from tco.measure.engine_command import serve_line
from tco.measure.host import host_facts
from tco.measure.progress import Progress
from tco.measurement import HostFacts
from tco.scenario_file import LoadedScenario
from tco.tune.change import accelerators_of, launch_of, overrides_of
from tco.tune.figures import Priced, Pricer, figures_of
from tco.tune.ladder import Step
from tco.tune.plan import TunePlan
from tco.tune.quality import guarded
from tco.tune.quality_trial import ProbedTrials, quality_of, touches_numerics
from tco.tune.records import write_tuning
from tco.tune.resume import forget, forget_trials, unfinished
from tco.tune.step_trials import StepTrials, trials_of_a_step
from tco.tune.timing import Timing
from tco.tune.trial import start_of
from tco.tune.trials import TrialRunner, Trials
from tco.tune.tune_findings import tune_findings
from tco.tune.verdict import Start, verdict
from tco.tuning import Decision, TuneBest, TuneFigures, TuneStep, TuneTrial, Tuning

__all__ = ["Priced", "Pricer", "TrialRunner", "tune"]


def tune(
    plan: TunePlan,
    *,
    price: Pricer,
    progress: Callable[[Progress], None],
    say: Callable[[str], None],
    measure: TrialRunner | None = None,
    host: Callable[[], HostFacts] = host_facts,
    usd_per_hour: float | None = None,
) -> Tuning:
    """Try the ladder's steps and return what each did; `tune.json` is written after every trial.

    An unfinished tuning that lies in the folder goes on: no trial of it is measured again.

    Args:
        plan: what to try.
        price: what a measured configuration costs.
        progress: shows how a measurement goes.
        say: prints a line.
        measure: starts an engine and measures it; left out, it is also asked whether its answers
            are as good.
        host: tells what this machine is.
        usd_per_hour: what the machine costs; None where that is not known.

    Raises:
        InputError: the unfinished one is of another scenario, ladder, machine or engine version,
            or cannot be written.
        EngineError: the engine does not start with the scenario's own settings.
        InterruptedRunError: Ctrl-C; what was measured until then is kept.
    """
    before = None if plan.is_fresh else unfinished(plan)
    if plan.is_fresh:
        forget(plan.folder)
    timing = Timing(plan.limit_s, 1 + most_trials(plan), usd_per_hour=usd_per_hour)
    kept = before.trials if before else ()
    measure = measure or ProbedTrials(plan)
    trials = Trials(plan, timing, kept, host(), measure=measure, progress=progress, say=say)
    created_at = before.created_at if before else dt.datetime.now(dt.UTC)
    return _Tune(plan, price, say, trials, timing, created_at, plan.base).run()


@dataclass(slots=True)
class _Tune:
    plan: TunePlan
    price: Pricer
    say: Callable[[str], None]
    trials: Trials
    timing: Timing
    created_at: dt.datetime
    best: LoadedScenario
    best_sets: tuple[str, ...] = ()
    steps: list[TuneStep] = field(default_factory=list)
    baseline: TuneFigures | None = None

    def run(self) -> Tuning:
        first = self.trials.add(0, "incumbent", self.best)
        if first.failure is not None:
            raise EngineError(
                f"the scenario's own settings cannot be measured: {first.failure}",
                remedy="mend engine.launch first: a ladder starts from there",
            )
        self.baseline = self._figures(self.best, [first])
        self._written(is_complete=False)
        for number, step in enumerate(self.plan.ladder.ladder.steps, start=1):
            row = self._step(number, step)
            self.steps.append(row)
            self.baseline = self._figures(self.plan.base, self.trials.of(self.plan.base))
            self.timing.left_are(most_trials(self.plan, after=number))
            self.say(f"step {number}, {step.name}: {row.decision.replace('_', ' ')}: {row.why}")
        return self._written(is_complete=all(s.decision != "not_reached" for s in self.steps))

    def _step(self, number: int, step: Step) -> TuneStep:
        if why := self.plan.skipped.get(number):
            return _row(number, step, "skipped", why)
        overrides = overrides_of(step, self.best.scenario)
        if not overrides:
            return _row(number, step, "skipped", "it is so already")
        candidate = self.plan.scenario((*self.best_sets, *overrides))
        measured = StepTrials(number, candidate, self.best, self.trials, self.timing, self._keep)
        if (stop := measured.run(self.plan.repeats)) is not None:
            return _row(number, step, *stop)
        row = self._decided(number, step, measured)
        if row.decision == "kept":
            self.best, self.best_sets = candidate, (*self.best_sets, *overrides)
        return row

    def _decided(self, number: int, step: Step, measured: StepTrials) -> TuneStep:
        found = verdict(
            _starts(measured.sides["incumbent"], measured.incumbent),
            _starts(measured.sides["candidate"], measured.candidate),
            has_level=bool(self.plan.base.scenario.slo),
        )
        figures = self._figures(measured.candidate, measured.sides["candidate"])
        changes = {"ratio": found.ratio, "interval": found.interval, "figures": figures}
        row = _row(number, step, found.decision, found.why).model_copy(update=changes)
        return self._guarded(row, step, measured.candidate)

    def _guarded(self, row: TuneStep, step: Step, candidate: LoadedScenario) -> TuneStep:
        """Return the row with what became of the answers; a drop keeps no step."""
        base = self.plan.base
        if not touches_numerics(step, base.scenario, candidate.scenario):
            return row
        quality = quality_of(
            self.trials.of(base),
            self.trials.of(candidate),
            self.plan.folder,
            base.scenario.tune.quality,
            is_allowed=step.name in self.plan.allowed,
        )
        decision, why = guarded(row.decision, row.why, quality)
        changes = {"numerics": True, "quality": quality, "decision": decision, "why": why}
        return row.model_copy(update=changes)

    def _figures(self, loaded: LoadedScenario, trials: list[TuneTrial]) -> TuneFigures | None:
        return figures_of(loaded, trials, self.plan.folder, self.price)

    def _keep(self) -> None:
        self._written(is_complete=False)

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
            took_s=sum(trial.took_s for trial in self.trials.all),
            baseline=self.baseline,
            steps=tuple(self.steps),
            best=TuneBest(
                steps=tuple(step.number for step in self.steps if step.decision == "kept"),
                sets=self.best_sets,
                serve=serve_line(launch_of(self.best.scenario)),
            ),
            trials=tuple(self.trials.all),
            findings=tune_findings(self.steps, is_dummy=self.trials.is_dummy),
        )
        write_tuning(tuning, self.plan.folder)
        if is_complete:
            forget_trials(self.plan.folder, above=len(self.trials.all))
        return tuning


def most_trials(plan: TunePlan, *, after: int = 0) -> int:
    """Return how many trials the steps after that one can take, retries left out."""
    later = range(after + 1, len(plan.ladder.ladder.steps) + 1)
    return sum(each not in plan.skipped for each in later) * trials_of_a_step(plan.repeats)


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
