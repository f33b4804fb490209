"""`tco run`: measure, compare and write the report."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import click

from tco.cli.options import (
    allow_remote_option,
    force_option,
    out_dir_option,
    prices_option,
    scenario_argument,
    set_option,
)

_EXAMPLES = """
\b
Examples:
  tco run my.yaml                            writes reports/<name>/: PDF, HTML, JSON, raw records
  tco run my.yaml -o out --set engine.concurrency=64
  tco run my.yaml --prices contract.yaml     with a price table of your own

Exit code 4: a finding is `invalid`; the files are written, and say so.
"""
_INVALID = 4


@click.command(epilog=_EXAMPLES)
@scenario_argument
@set_option
@prices_option
@out_dir_option
@allow_remote_option
@force_option
def command(
    *,
    scenario: Path,
    sets: Sequence[str],
    price_files: Sequence[Path],
    out_dir: Path | None,
    hosts: Sequence[str],
    force: bool,
) -> int:
    """Measure the scenario's engine, price both sides, write the report."""
    from tco.case import Case, placed_errors
    from tco.cli.answer import any_measurement, compared
    from tco.cli.bench import measured, print_summary, refuse_overwriting
    from tco.measure.run import bench_plan
    from tco.measurement_file import read_measurement
    from tco.prices import load_tables
    from tco.report.document import headline, is_invalid, print_first
    from tco.report.render import DEFAULT_FORMATS, claim_folder, render
    from tco.results_folder import results_folder
    from tco.scenario_file import load_scenario
    from tco.scenario_shape import shape_of_trace
    from tco.tuned_record import tuned_record

    loaded = load_scenario(scenario, sets)
    tables = load_tables(price_files)
    with placed_errors(loaded):
        bench_plan(loaded.scenario)
    date = loaded.scenario.date or dt.datetime.now(dt.UTC).date()
    compared(Case(loaded, any_measurement(loaded), None, tables, date))
    folder = out_dir or results_folder(loaded.scenario.name)
    target = folder / "measurement.json"
    claim_folder(folder, DEFAULT_FORMATS, force=force)
    refuse_overwriting(target, force=force)
    measured(loaded, target, hosts=hosts, force=force)
    found = read_measurement(target)
    print_summary(found.measurement, target)
    if found.measurement.capacity().output_tok_per_s <= 0:
        click.echo("no report: no request was answered well, so a token has no cost", err=True)
        return _INVALID
    comparison = compared(Case(loaded, found.measurement, found.sha256, tables, date))
    paths = render(
        comparison,
        loaded.scenario,
        found.measurement,
        formats=DEFAULT_FORMATS,
        out_dir=folder,
        traffic=shape_of_trace(loaded.scenario),
        tuned=tuned_record(loaded),
    )
    if (first := print_first(comparison, found.measurement)) is not None:
        click.echo(f"{first}.")
    click.echo(headline(comparison))
    for path in paths:
        click.echo(str(path))
    return _INVALID if is_invalid(comparison, found.measurement) else 0
