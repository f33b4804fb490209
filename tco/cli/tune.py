"""`tco tune`: try other settings of the engine for this traffic, one change at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import (
    force_option,
    json_option,
    prices_option,
    set_option,
)
from tco.cli.tune_asked import Asked, pricer, say, say_plan
from tco.errors import InputError

if TYPE_CHECKING:
    from tco.tuning import Tuning

_EXAMPLES = """
\b
Examples:
  tco tune my.yaml --ladder vllm-general
  tco tune my.yaml --ladder cline-hybrid --repeats 5
  tco tune my.yaml --search --max-minutes 120
  tco tune my.yaml --ladder mine.yaml --max-minutes 60      again: goes on where it stopped
  tco tune --shapes chat.yaml code.yaml --ladder mine.yaml  does the winner follow the traffic?

\b
Ladders that come with tco: cline-hybrid, vllm-cpu, vllm-general (docs/tune.md).
The best settings are written beside the scenario, as <its name>-tuned.yaml.
Exit code 3: the engine does not start with the scenario's own settings.
"""


@click.command(epilog=_EXAMPLES)
@click.argument(
    "scenarios", nargs=-1, required=True, metavar="SCENARIO…", type=click.Path(path_type=Path)
)
@click.option(
    "--shapes",
    "is_of_shapes",
    is_flag=True,
    help="Tune each of several scenarios by the same ladder, and say where the winner changes.",
)
@click.option(
    "--ladder",
    "named",
    metavar="NAME|FILE",
    help="The steps to try: a ladder that comes with tco, or a file of your own.",
)
@click.option(
    "--search",
    "space",
    is_flag=False,
    flag_value="auto",
    metavar="[SPACE]",
    help="Search settings instead: a space that comes with tco, or a file of your own.",
)
@click.option(
    "--objective",
    default="usd_per_million_output",
    show_default=True,
    metavar="FIELD",
    help="With --search: the figure of the comparison, rate or latency to improve.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, help="With --search: of its draws.")
@click.option(
    "--max-trials",
    type=click.IntRange(min=1),
    metavar="N",
    help="With --search: stop after so many, the confirmation not counted.",
)
@click.option(
    "--worker",
    metavar="NAME",
    help="With --search: this process's name; several share the trials of one folder.",
)
@click.option(
    "--storage",
    metavar="URL",
    help="With --search: a database for workers that share no folder.",
)
@click.option(
    "--repeats",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Engine starts a side, for each step or confirmation; fewer than 3 decide nothing.",
)
@click.option(
    "--max-minutes",
    type=click.FloatRange(min=0, min_open=True),
    metavar="N",
    help="Begin no trial that would end later; the same command goes on.",
)
@click.option(
    "-o",
    "--output",
    "out_dir",
    type=click.Path(path_type=Path),
    help="The folder of the record; reports/<scenario name>/tune/ (or search/) if left out.",
)
@click.option(
    "--allow-quality-drop",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Keep the ladder's step of this name even if answers change beyond tune.quality; with "
    "--search, the best settings though they change this parameter (kv-cache-dtype); repeatable.",
)
@set_option
@prices_option
@json_option
@force_option
def command(
    *,
    scenarios: tuple[Path, ...],
    is_of_shapes: bool,
    named: str | None,
    space: str | None,
    objective: str,
    seed: int,
    max_trials: int | None,
    worker: str | None,
    storage: str | None,
    repeats: int,
    max_minutes: float | None,
    out_dir: Path | None,
    allowed: Sequence[str],
    sets: Sequence[str],
    price_files: Sequence[Path],
    as_json: bool,
    force: bool,
) -> int:
    """Try a ladder of changes of the engine's settings on the scenario's traffic.

    Each step is measured against the best so far, by turns and over engine starts of its own. It
    is kept only if the interval of the ratio of their output rates says that it is faster, at the
    service level; else the best so far stays. A step that changes how the model computes must also
    answer as the scenario's own settings do, within `tune.quality`. With --search, settings are
    chosen by a model of what was measured, and the best is confirmed against the scenario's own
    in the same way, its answers too. With --shapes the best settings of each scenario are measured
    on the others.
    """
    _refuse_together(named, space, is_of_shapes=is_of_shapes, is_any_allowed=bool(allowed))
    asked = Asked(tuple(sets), tuple(price_files), repeats, max_minutes, out_dir)
    if is_of_shapes:
        from tco.cli.tune_shapes import tune_several

        if named is None:
            raise click.UsageError("--shapes needs --ladder")
        return tune_several(scenarios, named, asked, as_json=as_json, force=force)
    scenario = _single(scenarios)
    if space is not None:
        from tco.cli.tune_search import SearchOptions, run_search

        return run_search(
            scenario,
            asked,
            SearchOptions(space, objective, seed, max_trials, worker, storage, frozenset(allowed)),
            as_json=as_json,
            force=force,
        )
    if named is None:
        raise click.UsageError("give --ladder or --search")
    from tco.cli.bench import progress_on_stderr
    from tco.cli.tune_tables import print_tuning
    from tco.prices import load_tables
    from tco.report.tune_files import render_tuning
    from tco.results_folder import results_folder
    from tco.scenario_file import load_scenario
    from tco.tune.best_files import write_best_files
    from tco.tune.change import launch_of
    from tco.tune.ladder import load_ladder
    from tco.tune.plan import tune_plan
    from tco.tune.records import TUNE_NAME, record_bytes
    from tco.tune.tune import tune
    from tco.tune.tuned_scenario import refuse_overwriting, tuned_path, write_tuned
    from tco.tuned_record import engine_tuned

    loaded = load_scenario(scenario, sets)
    ladder = load_ladder(named)
    price, usd_per_hour = pricer(loaded, load_tables(price_files))
    folder = out_dir or results_folder(loaded.scenario.name) / "tune"
    refuse_overwriting(folder, tuned_path(scenario), force=force)
    plan = tune_plan(
        loaded,
        asked.sets,
        ladder,
        repeats=repeats,
        folder=folder,
        limit_s=asked.limit_s,
        is_fresh=force,
        allowed=frozenset(allowed),
    )
    say_plan(plan)
    with progress_on_stderr() as progress:
        tuning = tune(plan, price=price, progress=progress, say=say, usd_per_hour=usd_per_hour)
    tuning = write_tuned(tuning, plan)
    engine = engine_tuned(tuning, folder)
    named = None if engine is None else engine.name_and_version
    report = render_tuning(tuning, folder, engine=named)
    best = launch_of(plan.scenario(tuning.best.sets).scenario)
    files = write_best_files(best, None if engine is None else engine.version, folder)
    if as_json:
        click.echo(record_bytes(tuning).decode(), nl=False)
    else:
        print_tuning(tuning)
    _say_end(tuning, (folder / TUNE_NAME, *report, *files))
    return 0


def _refuse_together(
    named: str | None, space: str | None, *, is_of_shapes: bool, is_any_allowed: bool
) -> None:
    """Refuse options that exclude each other."""
    if named is not None and space is not None:
        raise click.UsageError("--ladder and --search exclude each other")
    if is_of_shapes and is_any_allowed:
        raise click.UsageError("--allow-quality-drop is for one scenario, not for --shapes")


def _single(scenarios: Sequence[Path]) -> Path:
    if len(scenarios) > 1:
        raise InputError(
            f"{len(scenarios)} scenarios are given, and one is tuned at a time",
            remedy="add --shapes to tune each and compare their best settings",
        )
    return scenarios[0]


def _say_end(tuning: Tuning, files: Sequence[Path]) -> None:
    for finding in tuning.findings:
        say(f"{finding.word}: {finding.message} {finding.advice}")
    if not tuning.is_complete:
        say("not all steps were tried: the same command goes on where this one stopped")
    for file in files:
        say(f"written: {file}")
    if tuning.best.scenario_file is not None:
        say(f"written: {tuning.best.scenario_file}")
