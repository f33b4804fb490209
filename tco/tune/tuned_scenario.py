"""The scenario with the best settings, written beside the one that was tuned."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from tco.errors import InputError
from tco.output_file import check_place, write_whole
from tco.override import parse_override
from tco.quantity import Model, Quantity
from tco.scenario import Scenario
from tco.scenario_file import LoadedScenario
from tco.scenario_rewrite import rewritten
from tco.tune.plan import TunePlan
from tco.tune.records import TUNE_NAME, read_tuning, write_tuning
from tco.tune.tune_findings import OF_QUALITY
from tco.tuned_traffic import settings_of, traffic_of
from tco.tuning import Tuning
from tco.yamlfile import read_yaml


def tuned_path(scenario: Path) -> Path:
    """Return the place of the tuned scenario: the same folder, since it may name files there."""
    return scenario.with_name(f"{scenario.stem}-tuned.yaml")


def refuse_existing(
    record: Path,
    tuned: Path,
    *,
    is_complete: Callable[[Path], bool],
    kind: str,
    again: str,
    shown_by: str = "",
) -> None:
    """Refuse, before any engine starts, what is finished; what is unfinished goes on.

    Args:
        record: of the tuning or search.
        tuned: where the best settings would be written.
        is_complete: reads the record, and says whether it is finished.
        kind: what it is, for a message.
        again: how one says to do it once more.
        shown_by: how one sees the finished one instead, for the end of that message.

    Raises:
        InputError: it is finished, or what others wrote lies where the best settings would be.
    """
    if record.is_file():
        if is_complete(record):
            raise InputError(
                f"the {kind} exists already",
                file=str(record),
                remedy=f"give --force to {again} anew, or another folder with -o{shown_by}",
            )
    elif tuned.exists():
        raise InputError(
            "exists already, and the best settings would be written there",
            file=str(tuned),
            remedy="move it away, or give --force to overwrite it",
        )


def refuse_overwriting(
    folder: Path, tuned: Path, *, force: bool, takes_finished: bool = False
) -> None:
    """Refuse what a finished tuning of a ladder wrote; an unfinished one goes on.

    Args:
        folder: of the tuning.
        tuned: where the best settings would be written.
        force: refuse nothing.
        takes_finished: a finished one is taken as it is.

    Raises:
        InputError: it is finished, or a place cannot hold what is to be written.
    """
    record = folder / TUNE_NAME
    for place in (record, tuned):
        check_place(place)
    if not force:
        refuse_existing(
            record,
            tuned,
            is_complete=lambda path: not takes_finished and read_tuning(path).is_complete,
            kind="tuning",
            again="tune",
            shown_by=f"; `tco report {record}` shows this one",
        )


def write_tuned(tuning: Tuning, plan: TunePlan) -> Tuning:
    """Write the scenario of the best settings, where a step was kept; return what names it.

    Raises:
        InputError: it cannot be written.
    """
    if not tuning.best.sets:
        return tuning
    kept = [step for step in tuning.steps if step.decision == "kept"]
    path = write_best(
        plan,
        tuning.best.sets,
        record=plan.folder / TUNE_NAME,
        said=f"the settings that `tco tune` kept: {', '.join(step.name for step in kept)}",
        warnings=tuple(each.message for each in tuning.findings if each.kind in OF_QUALITY),
    )
    best = tuning.best.model_copy(update={"scenario_file": str(path)})
    tuning = tuning.model_copy(update={"best": best})
    write_tuning(tuning, plan.folder)
    return tuning


class Plan(Protocol):
    """What a ladder's plan and a search's have in common."""

    @property
    def base(self) -> LoadedScenario:
        """Return the scenario with its own settings."""

    @property
    def sets(self) -> tuple[str, ...]:
        """Return the user's overrides."""

    def scenario(self, overrides: tuple[str, ...]) -> LoadedScenario:
        """Return the scenario with further settings."""


def write_best(
    plan: Plan, sets: tuple[str, ...], *, record: Path, said: str, warnings: tuple[str, ...]
) -> Path:
    """Write the scenario with the best settings beside its own, and return its place.

    Args:
        plan: that found them.
        sets: the overrides that make them.
        record: file of the tuning or search.
        said: of the settings, in the first line.
        warnings: of the answers with these settings, a line each.

    Raises:
        InputError: it cannot be written.
    """
    base = plan.base
    path = tuned_path(base.path)
    name = f"name={json.dumps(f'{base.scenario.name}, tuned', ensure_ascii=False)}"
    origin = tuned_origin(plan.scenario(sets).scenario, record, path)
    overrides = [parse_override(each) for each in (*plan.sets, *sets, name, origin)]
    text = base.path.read_text(encoding="utf-8-sig")
    head = f"# {base.path.name} with {said}\n"
    warned = "".join(f"# {each}\n" for each in warnings)
    write_whole(path, head + warned + rewritten(read_yaml(base.path), text, overrides))
    return path


def tuned_origin(best: Scenario, record: Path, path: Path) -> str:
    """Return the override that says where the best settings come from.

    Args:
        best: the scenario with them.
        record: file of the tuning or search that found them.
        path: of the scenario to be written.
    """
    settings = settings_of(best)
    place = Path(os.path.relpath(record, path.parent)).as_posix()
    shape = _numbers(traffic_of(best))
    origin = {"record": place, "shape": shape, "settings": settings and _numbers(settings)}
    return f"engine.tuned={json.dumps(origin, ensure_ascii=False)}"


def _numbers(part: Model) -> dict[str, Any]:
    """Return what a part states as a file has it: bare numbers, and nothing that is not there."""
    stated = ((name, getattr(part, name)) for name in type(part).model_fields)
    return {name: _stated(value) for name, value in stated if value not in (None, {})}


def _stated(value: object) -> object:
    if isinstance(value, Quantity):
        return int(value.value) if value.value.is_integer() else value.value
    if isinstance(value, dict):
        return {name: _stated(each) for name, each in value.items()}
    return value
