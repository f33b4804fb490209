"""The scenario with the best settings, written beside the one that was tuned."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tco.errors import InputError
from tco.output_file import check_place, write_whole
from tco.override import parse_override
from tco.quantity import Model, Quantity
from tco.scenario import Scenario
from tco.scenario_rewrite import rewritten
from tco.tune.plan import TunePlan
from tco.tune.records import TUNE_NAME, read_tuning, write_tuning
from tco.tuned_traffic import settings_of, traffic_of
from tco.tuning import Tuning
from tco.yamlfile import read_yaml


def tuned_path(scenario: Path) -> Path:
    """Return the place of the tuned scenario: the same folder, since it may name files there."""
    return scenario.with_name(f"{scenario.stem}-tuned.yaml")


def refuse_overwriting(
    folder: Path, tuned: Path, *, force: bool, takes_finished: bool = False
) -> None:
    """Refuse, before any engine starts, what a finished tuning wrote; an unfinished one goes on.

    Args:
        folder: of the tuning.
        tuned: where the best settings would be written.
        force: refuse nothing.
        takes_finished: a finished one is taken as it is.

    Raises:
        InputError: it is finished, or a place cannot hold what is to be written.
    """
    for place in (folder / TUNE_NAME, tuned):
        check_place(place)
    if force:
        return
    record = folder / TUNE_NAME
    is_ours = record.is_file()
    if is_ours and not takes_finished and read_tuning(record).is_complete:
        raise InputError(
            "the tuning exists already",
            file=str(record),
            remedy="give --force to tune anew, or another folder with -o",
        )
    if tuned.exists() and not is_ours:
        raise InputError(
            "exists already, and the best settings would be written there",
            file=str(tuned),
            remedy="move it away, or give --force to overwrite it",
        )


def write_tuned(tuning: Tuning, plan: TunePlan) -> Tuning:
    """Write the scenario of the best settings, where a step was kept; return what names it.

    Raises:
        InputError: it cannot be written.
    """
    if not tuning.best.sets:
        return tuning
    path = tuned_path(plan.base.path)
    name = f"name={json.dumps(f'{tuning.name}, tuned', ensure_ascii=False)}"
    origin = tuned_origin(plan.scenario(tuning.best.sets).scenario, plan.folder / TUNE_NAME, path)
    sets = (*plan.sets, *tuning.best.sets, name, origin)
    overrides = [parse_override(each) for each in sets]
    text = plan.base.path.read_text(encoding="utf-8-sig")
    kept = ", ".join(step.name for step in tuning.steps if step.decision == "kept")
    head = f"# {plan.base.path.name} with the settings that `tco tune` kept: {kept}\n"
    numeric = any(step.numerics and step.decision == "kept" for step in tuning.steps)
    warned = "# Whether the answers are as good was not checked.\n" if numeric else ""
    write_whole(path, head + warned + rewritten(read_yaml(plan.base.path), text, overrides))
    best = tuning.best.model_copy(update={"scenario_file": str(path)})
    tuning = tuning.model_copy(update={"best": best})
    write_tuning(tuning, plan.folder)
    return tuning


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
