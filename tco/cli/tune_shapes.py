"""`tco tune --shapes`: one ladder on several traffics, and where the winner changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.bench import progress_on_stderr
from tco.cli.tune_asked import Asked, pricer, say, say_plan
from tco.results_folder import results_folder

if TYPE_CHECKING:
    from tco.scenario_file import LoadedScenario
    from tco.tune.ladder import LoadedLadder
    from tco.tune.plan import TunePlan
    from tco.tuning import Tuning


def tune_several(
    scenarios: Sequence[Path], named: str, asked: Asked, *, as_json: bool, force: bool
) -> int:
    """Tune each scenario by the ladder, print where the winner changes, write `shapes.json`."""
    from tco.cli.shapes_tables import print_shapes
    from tco.prices import load_tables
    from tco.report.shapes_document import render_shapes
    from tco.scenario_file import load_scenario
    from tco.tune.ladder import load_ladder
    from tco.tune.records import record_bytes
    from tco.tune.shapes import check_shapes, tune_shapes
    from tco.tune.shapes_record import SHAPES_NAME
    from tco.tune.tune import tune

    ladder = load_ladder(named)
    loaded = [load_scenario(path, asked.sets) for path in scenarios]
    tables = load_tables(asked.price_files)
    names = [each.scenario.name for each in loaded]
    folder = asked.out_dir or results_folder(" vs ".join(names)) / "tune-shapes"
    plans = [_plan(each, ladder, asked, force=force) for each in loaded]
    check_shapes(plans)
    for plan in plans:
        pricer(plan.base, tables)
    say_plan(plans[0])
    with progress_on_stderr() as progress:

        def tuned(plan: TunePlan) -> Tuning:
            price, usd_per_hour = pricer(plan.base, tables)
            return tune(plan, price=price, progress=progress, say=say, usd_per_hour=usd_per_hour)

        shapes = tune_shapes(plans, folder=folder, tune=tuned, say=say)
    if as_json:
        click.echo(record_bytes(shapes).decode(), nl=False)
    else:
        print_shapes(shapes)
    if not shapes.is_complete:
        say("not all was tried: the same command goes on where this one stopped")
    for file in (folder / SHAPES_NAME, *render_shapes(shapes, folder)):
        say(f"written: {file}")
    for shape in shapes.shapes:
        if shape.tuned_file is not None:
            say(f"written: {shape.tuned_file}")
    return 0


def _plan(loaded: LoadedScenario, ladder: LoadedLadder, asked: Asked, *, force: bool) -> TunePlan:
    """Return the plan of one traffic, in the folder of its own tuning."""
    from tco.tune.plan import tune_plan
    from tco.tune.tuned_scenario import refuse_overwriting, tuned_path

    own = results_folder(loaded.scenario.name)
    folder = own / "tune" if asked.out_dir is None else asked.out_dir / own.name
    refuse_overwriting(folder, tuned_path(loaded.path), force=force, takes_finished=True)
    return tune_plan(
        loaded,
        asked.sets,
        ladder,
        repeats=asked.repeats,
        folder=folder,
        limit_s=asked.limit_s,
        is_fresh=force,
    )
