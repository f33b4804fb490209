"""A TunePlan is what a tuning is to do, checked before any engine is started."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError
from tco.scenario import Scenario
from tco.scenario_file import LoadedScenario, load_scenario
from tco.tune.change import accelerators_of, launch_of, overrides_of
from tco.tune.engine_check import check_command, options_of, why_not_taken, why_unchecked
from tco.tune.ladder import LoadedLadder, Step


@dataclass(frozen=True, slots=True)
class TunePlan:
    """What to try.

    Attributes:
        base: the scenario, with its own settings of the engine.
        sets: overrides of the user's.
        ladder: the steps.
        skipped: why a step is not tried, by its number.
        unchecked: why the steps' arguments could not be checked; None where they were.
        repeats: engine starts a side, of each step.
        folder: for `tune.json` and the trials.
        limit_s: the most it may take, this time; None: as long as it lasts.
        is_fresh: whether trials that lie there are measured again.
        allowed: names of steps that may be kept though the answers are worse.
    """

    base: LoadedScenario
    sets: tuple[str, ...]
    ladder: LoadedLadder
    skipped: dict[int, str]
    unchecked: str | None
    repeats: int
    folder: Path
    limit_s: float | None = None
    is_fresh: bool = False
    allowed: frozenset[str] = frozenset()

    def scenario(self, overrides: tuple[str, ...]) -> LoadedScenario:
        """Return the scenario with further settings."""
        return load_scenario(self.base.path, [*self.sets, *overrides])


def tune_plan(
    base: LoadedScenario,
    sets: tuple[str, ...],
    ladder: LoadedLadder,
    *,
    repeats: int,
    folder: Path,
    limit_s: float | None = None,
    is_fresh: bool = False,
    allowed: frozenset[str] = frozenset(),
) -> TunePlan:
    """Return what to try, with what the engine does not take left out.

    Raises:
        InputError: the scenario starts no engine, or a step cannot be a change of it.
        EngineError: the engine's command is not on this machine.
    """
    if unknown_names := allowed - {step.name for step in ladder.ladder.steps}:
        raise InputError(
            f"the ladder has no step named {', '.join(map(repr, sorted(unknown_names)))}",
            file=str(ladder.path),
            remedy="name a step in --allow-quality-drop as the ladder does",
        )
    options = options_of(base)
    skipped: dict[int, str] = {}
    for number, step in enumerate(ladder.ladder.steps, start=1):
        if why := _lacks_accelerators(step, base.scenario):
            skipped[number] = why
            continue
        overrides = overrides_of(step, base.scenario)
        changed = load_scenario(base.path, [*sets, *overrides]).scenario
        _check(changed, ladder, number)
        if why := why_not_taken(step.args, options):
            skipped[number] = why
    unchecked = why_unchecked(options)
    return TunePlan(
        base,
        sets,
        ladder,
        skipped,
        unchecked,
        repeats,
        folder,
        limit_s,
        is_fresh=is_fresh,
        allowed=allowed,
    )


def _lacks_accelerators(step: Step, scenario: Scenario) -> str | None:
    """Return why a step that changes a replica's accelerators cannot be tried."""
    if step.accelerators is None:
        return None
    if accelerators_of(scenario) is None:
        return "the scenario does not say how many a replica takes now (engine.accelerators)"
    server = scenario.hardware.purchase or scenario.hardware.rent
    if server is not None and step.accelerators > server.accelerators.value:
        return f"a server has {server.accelerators.value:g}, and it takes {step.accelerators}"
    return None


def _check(scenario: Scenario, ladder: LoadedLadder, number: int) -> None:
    """See that a step makes a command; a fault is the ladder's."""
    try:
        check_command(launch_of(scenario))
    except InputError as error:
        key = (error.key or "").removeprefix("engine.launch.")
        raise InputError(
            error.message,
            file=str(ladder.path),
            key=f"steps.{number - 1}.{key}".rstrip("."),
            remedy=error.remedy,
        ) from None
