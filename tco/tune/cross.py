"""The best settings of one traffic on another: by what was measured there, or measured now."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from tco.measurement import Interval
from tco.results_folder import results_folder
from tco.scenario_file import LoadedScenario
from tco.shapes import CrossDecision
from tco.tune.change import overrides_of
from tco.tune.ladder import Ladder, LoadedLadder
from tco.tune.plan import TunePlan
from tco.tune.settings import Settings, settings_in_effect, step_between
from tco.tuning import TuneStep, Tuning


@dataclass(frozen=True, slots=True)
class TunedShape:
    """A traffic whose ladder was tuned, with what came of it."""

    plan: TunePlan
    tuning: Tuning

    @property
    def name(self) -> str:
        """Return the scenario's name, by which the traffic goes."""
        return self.plan.base.scenario.name

    def best(self) -> LoadedScenario:
        """Return the scenario with its best settings."""
        return self.plan.scenario(self.tuning.best.sets)


@dataclass(frozen=True, slots=True)
class Found:
    """How the best settings of another traffic do on this one.

    Attributes:
        folder: of the tuning that measured it; None where nothing had to be.
        step: which of its steps.
        took_s: what was measured for this alone.
    """

    decision: CrossDecision
    why: str
    ratio: float | None = None
    interval: Interval | None = None
    folder: Path | None = None
    step: int | None = None
    took_s: float = 0.0


def found_before(here: TunedShape, there: TunedShape) -> Found | None:
    """Return what the ladder's own trials on this traffic say of the other's best settings.

    None where they do not say: those two settings were not measured against each other.
    """
    own = settings_in_effect(here.best().scenario)
    others = settings_in_effect(there.best().scenario)
    if own == others:
        return Found("same", "the same settings", 1.0)
    for step, incumbent, candidate in _steps(here):
        if (incumbent, candidate) == (own, others):
            return _as_found(step, here.plan.folder)
        if (incumbent, candidate) == (others, own) and step.ratio is not None:
            return _as_found(_turned(step), here.plan.folder)
    return None


def cross_plan(here: TunedShape, there: TunedShape, folder: Path) -> TunePlan:
    """Return the plan that measures the other's best settings against this one's own.

    Args:
        here: the traffic that is served.
        there: the one whose best settings are tried.
        folder: of all shapes; the trials get one of their own below it.
    """
    best = here.best()
    step = step_between(best.scenario, there.best().scenario, f"best of {there.name}")
    if step is None:
        raise AssertionError("the same settings need no trial")
    ladder = Ladder.model_construct(schema_="tco.ladder/1", name="cross", steps=(step,))
    digest = hashlib.sha256(ladder.model_dump_json().encode()).hexdigest()
    return replace(
        here.plan,
        base=best,
        sets=(*here.plan.sets, *here.tuning.best.sets),
        ladder=LoadedLadder(ladder, here.plan.ladder.path, digest),
        skipped={},
        folder=folder.joinpath(
            "cross", *(results_folder(each.name).name for each in (here, there))
        ),
    )


def found_now(plan: TunePlan, tune: Callable[[TunePlan], Tuning]) -> Found:
    """Measure such a plan."""
    tuning = tune(plan)
    (step,) = tuning.steps
    return replace(_as_found(step, plan.folder), took_s=tuning.took_s)


def _as_found(step: TuneStep, folder: Path) -> Found:
    decision, why = _decided(step)
    return Found(decision, why, step.ratio, step.interval, folder, step.number)


def _decided(step: TuneStep) -> tuple[CrossDecision, str]:
    if step.decision in {"failed", "not_reached"}:
        return ("failed" if step.decision == "failed" else "not_reached"), step.why
    if step.decision == "kept":
        return "better", step.why
    is_slower = step.interval is not None and step.interval.high < 1
    if step.decision == "reverted" and (is_slower or step.why == "breaks the service level"):
        return "worse", step.why
    why = "not told apart" if step.decision == "reverted" else step.why
    return "undecided", why


def _turned(step: TuneStep) -> TuneStep:
    """Return the step as seen from its candidate: what was kept over these is better than they."""
    interval = step.interval
    turned = interval and Interval(
        low=1 / interval.high, high=1 / interval.low, level=interval.level, covers=interval.covers
    )
    decision, why = ("reverted", "slower") if step.decision == "kept" else (step.decision, step.why)
    if step.decision == "kept" and step.why != "faster":
        why = "breaks the service level"
    changes = {"ratio": 1 / (step.ratio or 1.0), "interval": turned}
    return step.model_copy(update={**changes, "decision": decision, "why": why})


def _steps(here: TunedShape) -> list[tuple[TuneStep, Settings, Settings]]:
    """Return each step that was measured, with the settings before it and with it."""
    best_sets, found = tuple[str, ...](), []
    for step, tried in zip(here.plan.ladder.ladder.steps, here.tuning.steps, strict=True):
        if tried.decision == "skipped":
            continue
        incumbent = here.plan.scenario(best_sets)
        overrides = overrides_of(step, incumbent.scenario)
        candidate = here.plan.scenario((*best_sets, *overrides))
        before, after = (settings_in_effect(each.scenario) for each in (incumbent, candidate))
        found.append((tried, before, after))
        if tried.decision == "kept":
            best_sets = (*best_sets, *overrides)
    return found
