"""Tunes one ladder on several traffics, and finds where its winner changes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from tco.errors import InputError
from tco.output_file import write_whole
from tco.results_folder import results_folder
from tco.shapes import Shapes
from tco.tune.change import launch_of
from tco.tune.cross import Found, TunedShape, cross_plan, found_before, found_now
from tco.tune.plan import TunePlan
from tco.tune.records import record_bytes
from tco.tune.shapes_record import SHAPES_NAME, shapes_of
from tco.tune.tuned_scenario import write_tuned
from tco.tuning import Tuning

_LEAST_SHAPES: Final = 2
_NOT_REACHED: Final = Found("not_reached", "the time was up")


def check_shapes(plans: Sequence[TunePlan]) -> None:
    """See that the scenarios are several traffics of one engine.

    Raises:
        InputError: they are not.
    """
    if len(plans) < _LEAST_SHAPES:
        raise InputError(
            "--shapes compares traffics, and one scenario is given",
            remedy="name two scenarios or more, or leave --shapes out",
        )
    names = [results_folder(plan.base.scenario.name).name for plan in plans]
    engines = [launch_of(plan.base.scenario) for plan in plans]
    for place, plan in enumerate(plans):
        if names[place] in names[:place]:
            raise InputError(
                f"has the name of another: {plan.base.scenario.name!r}",
                file=str(plan.base.path),
                key="name",
                remedy="give each scenario a name of its own, by which its results are kept",
            )
        if (engines[place].command, engines[place].model) != (engines[0].command, engines[0].model):
            raise InputError(
                f"starts another engine or model than {plans[0].base.path}",
                file=str(plan.base.path),
                key="engine.launch",
                remedy="--shapes asks how one engine's best settings follow the traffic",
            )


@dataclass(slots=True)
class _Clock:
    """The time that all of it may take together."""

    limit_s: float | None
    begun_s: float

    def left_s(self) -> float | None:
        if self.limit_s is None:
            return None
        return max(0.0, self.limit_s - (time.monotonic() - self.begun_s))

    def is_up(self) -> bool:
        return self.left_s() == 0


def tune_shapes(
    plans: Sequence[TunePlan],
    *,
    folder: Path,
    tune: Callable[[TunePlan], Tuning],
    say: Callable[[str], None],
) -> Shapes:
    """Tune each traffic by its plan, then measure each one's best settings on the others.

    What is measured already is not measured again: a finished tuning in a plan's folder is taken
    as it is, an unfinished one goes on, and where a ladder tried the other's best settings on its
    own, its trials tell. `shapes.json` is written after each part, the scenario of each traffic's
    best settings beside its own.

    Args:
        plans: of one engine and ladder, each with its folder and the same `limit_s` for all.
        folder: for `shapes.json` and the trials across.
        tune: tunes by a plan.
        say: prints a line.

    Raises:
        InputError: they do not fit together, or a record cannot be used.
        EngineError: the engine does not start with a scenario's own settings.
        InterruptedRunError: Ctrl-C; what was measured until then is kept.
    """
    check_shapes(plans)
    clock = _Clock(plans[0].limit_s, time.monotonic())
    tuned: list[TunedShape] = []
    cells: dict[tuple[str, str], Found] = {}

    def kept() -> Shapes:
        found = shapes_of(plans, tuned, cells, folder)
        write_whole(folder / SHAPES_NAME, record_bytes(found))
        return found

    for number, plan in enumerate(plans, start=1):
        if clock.is_up():
            return kept()
        say(f"shape {number} of {len(plans)}: {plan.base.scenario.name}")
        timed = replace(plan, limit_s=clock.left_s())
        tuned.append(TunedShape(timed, write_tuned(tune(timed), timed)))
        kept()
        if not tuned[-1].tuning.is_complete:
            return kept()
    for here, there in itertools.permutations(tuned, 2):
        found = found_before(here, there)
        if found is None and clock.is_up():
            found = _NOT_REACHED
        if found is None:
            say(f"the best settings of {there.name} on {here.name}")
            plan = replace(cross_plan(here, there, folder), limit_s=clock.left_s())
            found = found_now(plan, tune)
        cells[here.name, there.name] = found
        kept()
    return kept()
