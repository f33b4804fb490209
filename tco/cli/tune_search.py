"""`tco tune --search`: choose settings of the engine by what was measured, and confirm the best."""

from __future__ import annotations

import datetime as dt
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.tune_asked import Asked, say, say_scoring

if TYPE_CHECKING:
    from tco.comparison import Comparison
    from tco.measurement import Measurement
    from tco.prices import PriceTables
    from tco.scenario_file import LoadedScenario
    from tco.search_document import Search
    from tco.tune.search.plan import SearchPlan
    from tco.tune.search.search import Scorer

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What the command line asks of a search."""

    space: str
    objective: str
    seed: int
    most_trials: int | None
    worker: str | None
    storage: str | None
    allowed: frozenset[str]


def run_search(
    scenario: Path,
    asked: Asked,
    options: SearchOptions,
    *,
    as_json: bool,
    force: bool,
) -> int:
    """Search, print what was found, and write the scenario of the best settings."""
    from tco.cli.bench import progress_on_stderr
    from tco.cli.search_tables import print_search
    from tco.measure.engine_home import has_nvidia_gpu
    from tco.prices import load_tables
    from tco.results_folder import results_folder
    from tco.scenario_file import load_scenario
    from tco.tune.records import record_bytes
    from tco.tune.search.objective import Objective, front_latency
    from tco.tune.search.plan import search_plan
    from tco.tune.search.record import SEARCH_NAME
    from tco.tune.search.search import search
    from tco.tune.search.space import load_space
    from tco.tune.search.tuned import begin_afresh, refuse_finished, write_searched

    loaded = load_scenario(scenario, asked.sets)
    named = options.space
    if named == AUTO:
        named = "vllm-general" if has_nvidia_gpu() else "vllm-cpu"
    score, alternative = _scorer(loaded, load_tables(asked.price_files), options.objective)
    results = results_folder(loaded.scenario.name)
    folder = asked.out_dir or results / "search"
    refuse_finished(folder, scenario, force=force, allowed=options.allowed)
    plan = search_plan(
        loaded,
        asked.sets,
        load_space(named),
        objective=Objective(options.objective),
        latency=front_latency(loaded.scenario.slo),
        seed=options.seed,
        repeats=asked.repeats,
        folder=folder,
        worker=options.worker or socket.gethostname(),
        ladder_folder=results / "tune",
        storage=options.storage,
        limit_s=asked.limit_s,
        most_trials=options.most_trials,
        allowed=options.allowed,
        alternative=alternative,
    )
    if force:
        begin_afresh(folder)
    say_scoring(loaded)
    if plan.unchecked is not None:
        say(f"the space's parameters are not checked: {plan.unchecked}")
    for name, why in plan.skipped.items():
        say(f"{name}: left as it is: {why}")
    with progress_on_stderr() as progress:
        found = search(plan, score=score, progress=progress, say=say)
    found = write_searched(found, plan)
    files = _report(found, plan)
    if as_json:
        click.echo(record_bytes(found).decode(), nl=False)
    else:
        print_search(found)
    _say_end(found, (folder / SEARCH_NAME, *files))
    return 0


def _report(found: Search, plan: SearchPlan) -> tuple[Path, ...]:
    """Write the report and the files of the best settings beside the record."""
    from tco.report.search_document import render_search
    from tco.tune.best_files import write_best_files
    from tco.tune.change import launch_of
    from tco.tuned_record import engine_searched

    folder = plan.folder
    engine = engine_searched(found, folder)
    named = None if engine is None else engine.name_and_version
    report = render_search(found, folder, engine=named)
    best = launch_of(plan.scenario(found.best.sets).scenario)
    return (*report, *write_best_files(best, None if engine is None else engine.version, folder))


def _say_end(found: Search, files: Sequence[Path]) -> None:
    for finding in found.findings:
        say(f"{finding.word}: {finding.message} {finding.advice}")
    if not found.is_complete:
        say("the search has not ended: the same command goes on where this one stopped")
    for file in files:
        say(f"written: {file}")
    if found.best.scenario_file is not None:
        say(f"written: {found.best.scenario_file}")


def _scorer(
    loaded: LoadedScenario, tables: PriceTables, objective: str
) -> tuple[Scorer, str | None]:
    """Return what tells a measurement's figures, and the alternative that a saving is against.

    Faults of money are found before any run.
    """
    from tco.case import Case
    from tco.cli.answer import any_measurement, compared
    from tco.errors import InputError
    from tco.report.headline import label

    date = loaded.scenario.date or dt.datetime.now(dt.UTC).date()

    def score(scenario: LoadedScenario, measurement: Measurement, sha256: str) -> dict[str, float]:
        found = compared(Case(scenario, measurement, sha256, tables, date))
        return _figures(found) | _measured(measurement)

    any_ = any_measurement(loaded)
    found = compared(Case(loaded, any_, "", tables, date))
    names = [*_figures(found), *_measured(any_), *_LATENCIES, *_RATES]
    if objective not in names:
        raise InputError(
            f"there is no field {objective!r} to search by",
            key="--objective",
            remedy=f"name one of {', '.join(sorted(set(names)))}",
        )
    rival = found.headline_alternative()
    return score, None if rival is None else label(rival)


_LATENCIES = tuple(
    f"{kind}_p{percent}_ms"
    for kind in ("ttft", "tpot", "itl", "e2e")
    for percent in (50, 90, 95, 99)
)
_RATES = ("output_tok_per_s", "requests_per_s")


def _figures(found: Comparison) -> dict[str, float]:
    rival = found.headline_alternative()
    return _numbers(found.self_host) | ({} if rival is None else _rival(_numbers(rival)))


def _numbers(part: object) -> dict[str, float]:
    return {
        name: float(value)
        for name in getattr(type(part), "model_fields", {})
        if isinstance(value := getattr(part, name), int | float) and not isinstance(value, bool)
    }


def _rival(figures: dict[str, float]) -> dict[str, float]:
    """Return the alternative's figures that move with the engine: what is saved against it."""
    return {name: value for name, value in figures.items() if name.startswith("saving")}


def _measured(measurement: Measurement) -> dict[str, float]:
    rates = measurement.capacity()
    figures = {name: float(getattr(rates, name)) for name in _RATES}
    if measurement.capacity_point is None:
        return figures
    latency = measurement.points[measurement.capacity_point].latency
    for name in _LATENCIES:
        kind, _, quantile = name.partition("_")
        seen_ms = getattr(getattr(latency, kind), quantile, None)
        if seen_ms is not None:
            figures[name] = seen_ms
    return figures
