"""`tco sweep`: a what-if grid over one or more scenario keys."""

from __future__ import annotations

from pathlib import Path

import click

from tco.cli.options import (
    json_option,
    measurement_option,
    prices_option,
    scenario_argument,
    set_option,
)

_EXAMPLES = """
\b
Examples:
  tco sweep my.yaml --vary traffic.target_utilisation=0.1:1:0.1
  tco sweep my.yaml --vary power.usd_per_kwh=0.1,0.2 --vary finance.method=annuity,straight_line
  tco sweep my.yaml --vary hardware.catalog=dgx-station-gb300,h100-sxm-runpod -o grid.csv

\b
STOP is included. The last --vary changes fastest, after those that are not numbers.
"""


@click.command(epilog=_EXAMPLES)
@scenario_argument
@click.option(
    "--vary",
    "varies",
    multiple=True,
    required=True,
    metavar="KEY=START:STOP:STEP|a,b,c",
    help="A key and its values; may be repeated for a grid.",
)
@click.option(
    "-o",
    "--output",
    "out_file",
    type=click.Path(path_type=Path),
    help="A .csv file to write; on the terminal if left out.",
)
@measurement_option
@prices_option
@json_option
@set_option
def command(
    scenario: Path,
    varies: tuple[str, ...],
    out_file: Path | None,
    measurement_file: Path | None,
    price_files: tuple[Path, ...],
    *,
    sets: tuple[str, ...],
    as_json: bool,
) -> None:
    """Print own cost and saving over a grid: one row per point and alternative."""
    from tco.case import load_case, measurement_for, placed_errors
    from tco.explore.axis import parse_axis
    from tco.explore.sweep import Source, sweep
    from tco.explore.sweep_table import csv_text, json_text
    from tco.output_file import check_output, write_whole
    from tco.scenario_file import load_scenario

    axes = [parse_axis(text) for text in varies]
    check_output(out_file, ".csv", later=(".parquet", ".svg", ".png"))
    case = load_case(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    source = Source(
        scenario=lambda values: load_scenario(scenario, [*sets, *values]).scenario,
        measurement=lambda varied: measurement_for(case, varied),
        tables=case.tables,
        date=case.date,
    )
    with placed_errors(case.loaded):
        blocks = list(sweep(axes, source))
    keys = [axis.key for axis in axes]
    if out_file is not None:
        write_whole(out_file, csv_text(keys, blocks))
        click.echo(f"wrote {out_file}", err=True)
    if as_json:
        click.echo(json_text(keys, blocks))
    elif out_file is None:
        click.echo(csv_text(keys, blocks), nl=False)
