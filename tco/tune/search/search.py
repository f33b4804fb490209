"""Searches an engine's settings: trials one after another, then whether the best is one."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field

from tco.errors import EngineError
from tco.measure.host import host_facts
from tco.measure.progress import Progress
from tco.measurement import HostFacts, Measurement
from tco.scenario_file import LoadedScenario
from tco.search_document import Purpose, Rung, Search, SearchTrial
from tco.setting_words import settings_words
from tco.tune.quality_trial import run_probed
from tco.tune.records import measurement_of
from tco.tune.search.choose import Ask, Stop
from tco.tune.search.domain import Settings
from tco.tune.search.plan import SearchPlan
from tco.tune.search.record import SEARCH_NAME, failure_of, searched, write_search
from tco.tune.search.seen import chooser_of, share_of
from tco.tune.search.study import Study
from tco.tune.search.turns import Turns
from tco.tune.setup import Setup
from tco.tune.timing import Timing
from tco.tune.trial import run_trial
from tco.tune.trials import TrialRunner
from tco.tune.verdict import schedule
from tco.tuning import Role

# The figures of a measured configuration by name: the comparison's, rates and latencies.
Scorer = Callable[[LoadedScenario, Measurement, str], dict[str, float]]

_TIME_UP = "the time was up"
_NO_STEP = 1  # a trial of a ladder names its step; these are of none


def search(
    plan: SearchPlan,
    *,
    score: Scorer,
    progress: Callable[[Progress], None],
    say: Callable[[str], None],
    measure: TrialRunner = run_trial,
    probe: TrialRunner = run_probed,
    host: Callable[[], HostFacts] = host_facts,
) -> Search:
    """Try settings until nothing more is to be gained, then confirm the best by turns.

    `search.json` is written after every trial. What lies in the study is not measured again.

    Args:
        plan: what to try.
        score: what a measured configuration comes to.
        progress: shows how a measurement goes.
        say: prints a line.
        measure: starts an engine and measures it.
        probe: does so too, and asks the engine for its answers.
        host: tells what this machine is.

    Raises:
        InputError: the study there is of another search, machine or engine version, or a place
            cannot be written.
        EngineError: the engine does not start with the scenario's own settings.
        InterruptedRunError: Ctrl-C; what was measured until then is kept.
    """
    identity = {
        "scenario": plan.base.sha256, "space": plan.space.sha256, "aim": plan.objective.aim,
        "objective": plan.objective.field, "latency": plan.latency,
        "settings": json.loads(json.dumps(plan.domain.levels)),
    }  # fmt: skip
    study = Study(
        plan.folder, plan.storage, identity=identity, levels=plan.domain.levels, worker=plan.worker
    )
    setup = Setup(plan.folder / SEARCH_NAME)
    setup.take_up([each.record for each in study.kept() if each.record is not None], host())
    timing = Timing(plan.limit_s, 1)
    return _Search(plan, study, score, progress, say, measure, probe, timing, setup).run()


@dataclass
class _Search:
    plan: SearchPlan
    study: Study
    score: Scorer
    progress: Callable[[Progress], None]
    say: Callable[[str], None]
    measure: TrialRunner
    probe: TrialRunner
    timing: Timing
    setup: Setup
    stopped: str | None = None
    is_complete: bool = False
    turns: Turns = field(init=False)

    def __post_init__(self) -> None:
        self.turns = Turns(self.plan, self.study, self.timing, self.say, self._trial)

    def run(self) -> Search:
        while (ask := self._next()) is not None:
            place = self.plan.domain.settings(ask.place)
            runs = sum(
                each.settings == place and each.rung == ask.rung for each in self.study.tried()
            )
            key = f"{list(ask.place)} {ask.rung} {runs}"
            self._trial(key, place, ask.rung, ask.purpose, expected_gain=ask.expected_gain)
        if self.stopped is not None:
            has_ended = self.turns.run()
            self.is_complete = has_ended and self.stopped != _TIME_UP
        return self._written()

    def _see_own(self, record: SearchTrial) -> None:
        """See that the scenario's own settings run; else the trial is given back, to be retried."""
        is_own = record.purpose == "start" and record.settings == self.plan.starts[0]
        if is_own and record.failure is not None and record.measurement is None:
            raise EngineError(
                f"the scenario's own settings cannot be measured: {record.failure}",
                remedy="mend engine.launch first: a search starts from there",
            )

    def _next(self) -> Ask | None:
        """Return the next trial; None where the search has stopped, or its time is up."""
        tried = self.study.tried()
        if self.plan.most_trials is not None and len(tried) >= self.plan.most_trials:
            self.stopped = f"{self.plan.most_trials} trials were allowed"
            return None
        if not self._has_time():
            self.stopped = _TIME_UP
            return None
        ask = chooser_of(self.plan, tried).next()
        if isinstance(ask, Stop):
            self.stopped = ask.why
            return None
        return ask

    def _has_time(self) -> bool:
        """Say whether one more trial and the confirmation end in time."""
        return self.timing.has_time(1 + len(schedule(self.plan.repeats)))

    def _trial(
        self,
        key: str,
        settings: Settings,
        rung: Rung,
        purpose: Purpose,
        *,
        role: Role | None = None,
        is_asked: bool = False,
        expected_gain: float | None = None,
    ) -> SearchTrial | None:
        """Run a trial and keep it; None where another worker has it."""
        number = self.study.claim(
            key, settings, rung=rung, purpose=purpose, expected_gain=expected_gain
        )
        if number is None:
            return None
        sets = self.plan.overrides(settings)
        if rung == "short":
            share = share_of(self.plan, self.study.kept()) or 1.0
            window_s = share * self.plan.base.scenario.bench.window_s.value
            loaded = self.plan.scenario((*sets, f"bench.window_s={window_s:g}"))
        else:
            loaded = self.plan.scenario(sets)
        words = settings_words(settings, self.plan.starts[0])
        self.say(f"trial {number}, {purpose}, {rung}: {words}")
        measure = self.probe if is_asked else self.measure
        with self.study.beating(number):
            trial = measure(
                loaded, number=number, step=_NO_STEP, role=role or "candidate",
                folder=self.plan.folder, progress=self.progress, is_fresh=True,
            )  # fmt: skip
            found = measurement_of(trial, self.plan.folder)
            figures, windows_s = dict[str, float](), None
            if found is not None:
                self.setup.see(found[0])
                figures = self.score(loaded, *found)
                windows_s = sum(point.window_s for point in found[0].points)
            record = SearchTrial(
                number=number, settings=dict(settings), sets=sets, rung=rung, purpose=purpose,
                role=role, worker=self.study.worker, host=self.study.host,
                started_at=trial.started_at, took_s=trial.took_s,
                engine_start_s=trial.engine_start_s, windows_s=windows_s,
                expected_gain=None if expected_gain is None else math.expm1(expected_gain),
                objective=figures.get(self.plan.objective.field), figures=figures,
                holds_service_level=trial.holds_service_level, invalid=trial.invalid,
                measurement=trial.measurement, quality=trial.quality,
                failure=failure_of(trial, figures, self.plan.objective),
            )  # fmt: skip
            self._see_own(record)
            self.study.finish(record)
        self.timing.took(record.took_s)
        self._written()
        return record

    def _written(self) -> Search:
        noise = chooser_of(self.plan, self.study.tried()).measured_noise
        found = searched(
            self.plan, self.study.kept(), noise=noise, stopped=self.stopped,
            is_complete=self.is_complete, confirmation=self.turns.confirmation,
            blocked=self.turns.blocked,
        )  # fmt: skip
        write_search(found, self.plan.folder)
        return found
