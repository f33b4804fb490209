"""The record of a ladder on several traffics: `shapes.json`."""

from __future__ import annotations

import datetime as dt
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tco import __version__
from tco.shapes import CrossCell, ShapeGain, ShapePair, Shapes, ShapesStep, ShapeTuned
from tco.tune.cross import Found, TunedShape
from tco.tune.plan import TunePlan
from tco.tune.records import TUNE_NAME
from tco.tuned_traffic import traffic_of
from tco.tuning import TuneStep

SHAPES_NAME: Final = "shapes.json"
_LEAST_INTERVALS: Final = 2


def shapes_of(
    plans: Sequence[TunePlan],
    tuned: Sequence[TunedShape],
    cells: dict[tuple[str, str], Found],
    folder: Path,
) -> Shapes:
    """Return what is known so far."""
    ladder = plans[0].ladder
    names = [plan.base.scenario.name for plan in plans]
    cross = [_cross_cell(*key, found, folder) for key, found in cells.items()]
    took_s = sum(shape.tuning.took_s for shape in tuned)
    took_s += sum(found.took_s for found in cells.values())
    return Shapes(
        tool_version=__version__,
        created_at=tuned[0].tuning.created_at if tuned else dt.datetime.now(dt.UTC),
        ladder=ladder.ladder.name,
        ladder_sha256=ladder.sha256,
        repeats=plans[0].repeats,
        is_complete=len(cells) == len(plans) * (len(plans) - 1)
        and all(found.decision != "not_reached" for found in cells.values()),
        took_s=took_s,
        shapes=tuple(_shape(each, folder) for each in tuned),
        steps=tuple(
            _step(place, [(each.name, each.tuning.steps[place]) for each in tuned])
            for place in range(len(ladder.ladder.steps))
        ),
        cross=tuple(cross),
        pairs=tuple(_pair(a, b, cells) for a, b in itertools.combinations(names, 2)),
    )


def _seen_from(folder: Path, path: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()


def _shape(tuned: TunedShape, folder: Path) -> ShapeTuned:
    tuning, plan = tuned.tuning, tuned.plan
    traffic = traffic_of(plan.base.scenario)
    sessions, streams = traffic.requests_per_session, traffic.concurrency
    return ShapeTuned(
        name=tuned.name,
        scenario_file=str(plan.base.path),
        scenario_sha256=plan.base.sha256,
        input_tokens=traffic.input_tokens.value,
        cached_input_share=traffic.cached_input_share.value,
        output_tokens=traffic.output_tokens.value,
        requests_per_session=sessions and sessions.value,
        concurrency=streams and streams.value,
        slo={key: limit.value for key, limit in traffic.slo.items()},
        record=_seen_from(folder, plan.folder / TUNE_NAME),
        tuned_file=tuning.best.scenario_file,
        best_steps=tuple(step.name for step in tuning.steps if step.decision == "kept"),
        serve=tuning.best.serve,
        took_s=tuning.took_s,
    )


def _step(place: int, of: Sequence[tuple[str, TuneStep]]) -> ShapesStep:
    gains = tuple(
        ShapeGain(shape=name, decision=step.decision, ratio=step.ratio, interval=step.interval)
        for name, step in of
    )
    held = [gain.interval for gain in gains if gain.interval is not None]
    return ShapesStep(
        number=place + 1,
        name=of[0][1].name,
        gains=gains,
        differs=None
        if len(held) < _LEAST_INTERVALS
        else max(each.low for each in held) > min(each.high for each in held),
    )


def _cross_cell(shape: str, best_of: str, found: Found, folder: Path) -> CrossCell:
    record = None if found.folder is None else _seen_from(folder, found.folder / TUNE_NAME)
    return CrossCell(
        shape=shape,
        best_of=best_of,
        decision=found.decision,
        why=found.why,
        ratio=found.ratio,
        interval=found.interval,
        record=record,
        step=found.step,
    )


def _pair(a: str, b: str, cells: dict[tuple[str, str], Found]) -> ShapePair:
    """Say whether the winner changes: only where each one's best is shown to be worse away."""
    away = [cells.get(key) for key in ((a, b), (b, a))]
    found = [each for each in away if each is not None and each.decision != "not_reached"]
    if len(found) < len(away):
        return ShapePair(shapes=(a, b), winner="not_reached", why="not measured yet")
    if all(each.decision == "same" for each in found):
        return ShapePair(shapes=(a, b), winner="same", why="the same settings are best on both")
    lost = [each.decision in {"worse", "failed"} for each in found]
    if all(lost):
        why = "each one's best settings are worse on the other than its own"
        return ShapePair(shapes=(a, b), winner="changes", why=why)
    if any(lost):
        good, bad = (a, b) if lost[1] else (b, a)
        why = f"those of {good} are worse on {bad}; those of {bad} are not shown worse on {good}"
        return ShapePair(shapes=(a, b), winner="undecided", why=why)
    why = "neither's best settings are shown worse on the other"
    return ShapePair(shapes=(a, b), winner="undecided", why=why)
