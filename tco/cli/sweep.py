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
  tco sweep my.yaml --vary traffic.target_utilisation=0.1:1:0.01 --fields replicas -o grid.parquet
  tco sweep my.yaml --vary power.pue=1:2:0.1 --vary traffic.target_utilisation=0.1:1:0.05 -o map.png

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
    help="A .csv, .parquet, .svg or .png file to write; on the terminal if left out.",
)
@click.option(
    "--fields",
    "extra",
    metavar="NAME,…",
    help="Further columns, such as servers or saving_usd_per_year; docs/what-if.md lists them.",
)
@click.option("--alternative", metavar="NAME", help="Only against this alternative.")
@measurement_option
@prices_option
@json_option
@set_option
def command(
    scenario: Path,
    varies: tuple[str, ...],
    out_file: Path | None,
    measurement_file: Path | None,
    *,
    extra: str | None,
    alternative: str | None,
    price_files: tuple[Path, ...],
    sets: tuple[str, ...],
    as_json: bool,
) -> int:
    """Print own cost and saving over a grid: one row per point and alternative.

    Exit codes: 0 done; 2 bad input; 4 a finding is invalid (the grid is still written).
    """
    from tco.case import placed_errors
    from tco.cli.sweep_output import Grid, print_grid, print_json, say, write_file
    from tco.explore.axis import parse_axis
    from tco.explore.sweep_table import columns_of
    from tco.output_file import check_output
    from tco.what_if import load_what_if

    axes = [parse_axis(text) for text in varies]
    check_output(out_file, ".csv", ".parquet", ".svg", ".png")
    fields = columns_of([name.strip() for name in extra.split(",")] if extra else [])
    what_if = load_what_if(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    grid = Grid(axes, fields, what_if, alternative)
    with placed_errors(what_if.case.loaded):
        if out_file is not None:
            write_file(grid, out_file)
        if as_json:
            print_json(grid)
        elif out_file is None:
            print_grid(grid)
        return say(grid.findings())
