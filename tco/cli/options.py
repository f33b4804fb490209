"""Options that several commands share, so that they read the same everywhere."""

from __future__ import annotations

from pathlib import Path

import click

scenario_argument = click.argument("scenario", type=click.Path(path_type=Path))
set_option = click.option(
    "--set",
    "sets",
    multiple=True,
    metavar="KEY=VALUE",
    help="Override a scenario key, for example power.pue=1.3; may be repeated.",
)
measurement_option = click.option(
    "-m",
    "--measurement",
    "measurement_file",
    type=click.Path(path_type=Path),
    help="The measurement to use, as `tco bench` or `tco import` wrote it.",
)
prices_option = click.option(
    "--prices",
    "price_files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A price table of your own, or a public one as it is (docs/prices.md); may be repeated. "
    "Its rows win over the shipped ones.",
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document on stdout, nothing else."
)
allow_remote_option = click.option(
    "--allow-remote",
    "hosts",
    multiple=True,
    metavar="HOST",
    help="A host beyond this machine that may be put under load; may be repeated.",
)
force_option = click.option("--force", is_flag=True, help="Overwrite existing results.")
out_dir_option = click.option(
    "-o",
    "--output",
    "out_dir",
    type=click.Path(path_type=Path),
    help="The folder to write; reports/<scenario name>/ if left out.",
)
