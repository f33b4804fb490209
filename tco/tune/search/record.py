"""`search.json`: what the trials of a search, so far, come to."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tco import __version__
from tco.measure.engine_command import serve_line
from tco.output_file import write_whole
from tco.search_document import (
    Confirmation,
    Front,
    FrontPoint,
    Search,
    SearchBest,
    SearchTrial,
)
from tco.tune.change import launch_of
from tco.tune.records import record_bytes
from tco.tune.search.objective import Objective, further_latencies
from tco.tune.search.plan import SearchPlan
from tco.tune.search.search_findings import search_findings
from tco.tune.search.study import Kept
from tco.tuning import TuneTrial

SEARCH_NAME: Final = "search.json"
_COST: Final = "usd_per_million_output"


def write_search(search: Search, folder: Path) -> None:
    """Write `search.json`.

    Raises:
        InputError: it cannot be written.
    """
    write_whole(folder / SEARCH_NAME, record_bytes(search))


def failure_of(trial: TuneTrial, figures: dict[str, float], objective: Objective) -> str | None:
    """Return why a trial is no good; None of one whose objective counts."""
    if trial.failure is not None:
        return trial.failure
    if trial.holds_service_level is False:
        return "breaks the service level"
    value = figures.get(objective.field)
    if value is None:
        return f"gave no {objective.field}"
    return None if objective.goodness(value) else f"{objective.field} is {value:g}, not above 0"


def searched(
    plan: SearchPlan,
    kept: Sequence[Kept],
    *,
    noise: float | None,
    stopped: str | None,
    is_complete: bool,
    confirmation: Confirmation | None,
    blocked: Confirmation | None,
) -> Search:
    """Return the document of all trials that ended."""
    trials = _with_pruned([each.record for each in kept if each.record is not None])
    own, settings, sets = plan.starts[0], plan.starts[0], tuple[str, ...]()
    if confirmation is not None and confirmation.decision == "kept":
        settings = next(t.settings for t in trials if t.number == confirmation.trial)
        sets = plan.overrides(settings)
    serve = serve_line(launch_of(plan.scenario(sets).scenario))
    slo = {key: limit.value for key, limit in plan.base.scenario.slo.items()}
    return Search(
        tool_version=__version__,
        created_at=min(
            (t.started_at for t in trials),
            default=dt.datetime.now(dt.UTC),
        ),
        name=plan.base.scenario.name,
        scenario_sha256=plan.base.sha256,
        space=plan.space.space.name,
        space_sha256=plan.space.sha256,
        seed=plan.seed,
        objective=plan.objective.field,
        aim=plan.objective.aim,
        latency=plan.latency,
        alternative=plan.alternative,
        slo=slo,
        own=own,
        skipped=plan.skipped,
        noise=noise,
        stopped=stopped,
        is_complete=is_complete,
        engine_s=sum(trial.took_s for trial in trials),
        trials=tuple(trials),
        confirmation=confirmation,
        blocked=blocked,
        best=SearchBest(settings=settings, sets=sets, serve=serve),
        front=_front(trials, plan.latency),
        further_fronts=tuple(
            Front(latency=each, points=_front(trials, each)) for each in further_latencies(slo)
        ),
        findings=search_findings(confirmation, blocked),
    )


def _with_pruned(trials: list[SearchTrial]) -> list[SearchTrial]:
    full = [trial.settings for trial in trials if trial.rung == "full"]
    return [
        t.model_copy(update={"pruned": t.rung == "short" and t.settings not in full})
        for t in trials
    ]


def _front(trials: Sequence[SearchTrial], latency: str) -> tuple[FrontPoint, ...]:
    """Return the full, valid trials that no other beats in both cost and latency."""
    points = [
        FrontPoint(
            trial=t.number, usd_per_million_output=t.figures[_COST], latency_ms=t.figures[latency]
        )
        for t in trials
        if t.rung == "full" and not t.failure and not t.invalid
        and _COST in t.figures and latency in t.figures
    ]  # fmt: skip
    front = list[FrontPoint]()
    for point in sorted(points, key=lambda p: (p.usd_per_million_output, p.latency_ms)):
        if not front or point.latency_ms < front[-1].latency_ms:
            front.append(point)
    return tuple(front)
