"""A SearchPlan is what a search may try, checked before any engine is started."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError
from tco.scenario import Scenario
from tco.scenario_file import LoadedScenario, load_scenario
from tco.tune.change import accelerators_of, launch_of
from tco.tune.engine_check import Options, options_of, why_not_taken, why_unchecked
from tco.tune.records import TUNE_NAME, read_tuning
from tco.tune.search.domain import Domain, Settings
from tco.tune.search.objective import Objective
from tco.tune.search.settings import (
    changes_numerics,
    domain_of,
    overrides_for,
    own_settings,
)
from tco.tune.search.space import ENV, LoadedSpace, Switch
from tco.tuning import Setting


@dataclass(frozen=True)
class SearchPlan:
    """What to try, and how.

    Attributes:
        base: the scenario, with its own settings of the engine.
        sets: overrides of the user's.
        domain: what may be tried.
        starts: settings to begin with; the first are the scenario's own.
        skipped: why a parameter of the space is left as it is.
        unchecked: why the parameters could not be checked; None where they were.
        latency: the field that the front sets against the cost.
        repeats: engine starts a side, of the confirmation.
        folder: for `search.json`, the study and the trials.
        storage: URL of a database that workers share; None: a file of the folder.
        limit_s: the most it may take, this time; None: as long as it lasts.
        most_trials: of all workers, the confirmation not counted; None: no limit.
        allowed: parameters with which the best may be used though its answers are worse.
        alternative: the one that a saving is against; None where there is none.
    """

    base: LoadedScenario
    sets: tuple[str, ...]
    space: LoadedSpace
    domain: Domain
    starts: tuple[dict[str, Setting], ...]
    skipped: dict[str, str]
    unchecked: str | None
    objective: Objective
    latency: str
    seed: int
    repeats: int
    folder: Path
    worker: str
    storage: str | None = None
    limit_s: float | None = None
    most_trials: int | None = None
    allowed: frozenset[str] = frozenset()
    alternative: str | None = None

    def overrides(self, settings: Settings) -> tuple[str, ...]:
        """Return the overrides that give the engine these settings."""
        return overrides_for(self.space.space, settings, self.base.scenario)

    def numerics(self, settings: Settings) -> tuple[str, ...]:
        """Return the parameters by which settings may answer otherwise than the scenario's own."""
        return changes_numerics(self.space.space, settings, self.starts[0])

    def scenario(self, overrides: tuple[str, ...]) -> LoadedScenario:
        """Return the scenario with further settings."""
        return load_scenario(self.base.path, [*self.sets, *overrides])


def search_plan(
    base: LoadedScenario,
    sets: tuple[str, ...],
    space: LoadedSpace,
    *,
    objective: Objective,
    latency: str,
    seed: int,
    repeats: int,
    folder: Path,
    worker: str,
    ladder_folder: Path | None = None,
    storage: str | None = None,
    limit_s: float | None = None,
    most_trials: int | None = None,
    allowed: frozenset[str] = frozenset(),
    alternative: str | None = None,
) -> SearchPlan:
    """Return what to try, with what the engine does not take left out.

    Raises:
        InputError: the scenario starts no engine, nothing of the space is left, or a drop is
            allowed of a parameter that is none of the space's.
        EngineError: the engine's command is not on this machine.
    """
    if unknown := allowed - space.space.parameters().keys():
        raise InputError(
            f"the space has no parameter named {', '.join(map(repr, sorted(unknown)))}",
            file=str(space.path),
            remedy="name a parameter in --allow-quality-drop as the space does",
        )
    options = options_of(base)
    skipped = _skipped(space, base.scenario, options)
    ladder = _ladder_best(base, sets, space, ladder_folder)
    domain = domain_of(space.space, base.scenario, skipped, also=ladder)
    if not domain.levels:
        raise InputError(
            "the engine takes none of the space's parameters",
            file=str(space.path),
            remedy="name another space",
        )
    starts = tuple(
        {name: each[name] for name in domain.levels}
        for each in (own_settings(space.space, launch_of(base.scenario)), *ladder)
    )
    unchecked = why_unchecked(options)
    return SearchPlan(
        base, sets, space, domain, starts, skipped, unchecked, objective, latency, seed, repeats,
        folder, worker, storage, limit_s, most_trials, allowed, alternative,
    )  # fmt: skip


def _skipped(space: LoadedSpace, scenario: Scenario, options: Options) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, parameter in space.space.parameters().items():
        if parameter.accelerators and accelerators_of(scenario) is None:
            found[name] = "the scenario does not say how many a replica takes (engine.accelerators)"
        if name.startswith(ENV):
            continue
        negated = isinstance(parameter, Switch) and parameter.negated
        asked = [name, f"no-{name}"] if negated else [name]
        if why := why_not_taken(asked, options):
            found[name] = why
    return found


def _ladder_best(
    base: LoadedScenario, sets: tuple[str, ...], space: LoadedSpace, folder: Path | None
) -> tuple[dict[str, Setting], ...]:
    """Return the best of a ladder tried on just this scenario, as far as the space goes."""
    record = None if folder is None else folder / TUNE_NAME
    if record is None or not record.is_file():
        return ()
    tuning = read_tuning(record)
    if tuning.scenario_sha256 != base.sha256 or not tuning.best.sets:
        return ()
    best = load_scenario(base.path, [*sets, *tuning.best.sets])
    return (own_settings(space.space, launch_of(best.scenario)),)
