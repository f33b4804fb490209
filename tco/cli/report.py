"""`tco report`: the report of a scenario and its measurement, as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import (
    force_option,
    measurement_option,
    out_dir_option,
    prices_option,
    scenario_argument,
    set_option,
)
from tco.errors import InputError

if TYPE_CHECKING:
    from tco.case import Case

_EXAMPLES = """
\b
Examples:
  tco report my.yaml -m measurement.json           writes ./reports/<name>/
  tco report my.yaml -m m.json -o out --format pdf only the PDF, into out/
  tco report published.yaml --force                a published figure needs no measurement
  tco report my.yaml --summary                     twelve lines for a terminal, no file
"""
_DROP_ONE = "drop one of the two"


@click.command(epilog=_EXAMPLES)
@scenario_argument
@measurement_option
@out_dir_option
@click.option(
    "--format",
    "formats",
    default="pdf,html,json",
    show_default=True,
    help="Which files to write: pdf, html, md, json, csv, xlsx.",
)
@click.option(
    "--summary",
    "only_summary",
    is_flag=True,
    help="Print the answer in twelve lines; write no file.",
)
@click.option(
    "--brand",
    "brand_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A company's name, logo, colour and footer for PDF and HTML (docs/report-files.md).",
)
@prices_option
@set_option
@force_option
def command(  # noqa: PLR0917  click passes by name
    scenario: Path,
    measurement_file: Path | None,
    out_dir: Path | None,
    formats: str,
    brand_file: Path | None,
    price_files: tuple[Path, ...],
    sets: tuple[str, ...],
    *,
    only_summary: bool,
    force: bool,
) -> int:
    """Write the report of a scenario and its measurement, as files of several formats."""
    from tco.case import load_case
    from tco.cli.answer import compared
    from tco.report.brand import read_brand
    from tco.report.document import headline, is_invalid, print_first
    from tco.report.render import check_folder, parse_formats, render
    from tco.results_folder import results_folder
    from tco.scenario_shape import shape_of_trace

    wanted = parse_formats(formats)
    if only_summary and out_dir is not None:
        raise InputError("--summary writes no file, so -o names no folder", remedy=_DROP_ONE)
    brand = None if brand_file is None else read_brand(brand_file)
    case = load_case(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    if only_summary:
        return _summarised(case)
    stated = case.loaded.scenario
    folder = out_dir or results_folder(stated.name)
    check_folder(folder, wanted, force=force)
    comparison = compared(case)
    paths = render(
        comparison,
        stated,
        case.measurement,
        formats=wanted,
        out_dir=folder,
        traffic=shape_of_trace(stated),
        brand=brand,
    )
    if (first := print_first(comparison, case.measurement)) is not None:
        click.echo(f"{first}.")
    click.echo(headline(comparison))
    for path in paths:
        click.echo(str(path))
    return 4 if is_invalid(comparison, case.measurement) else 0


def _summarised(case: Case) -> int:
    from tco.cli.answer import compared
    from tco.report.document import is_invalid
    from tco.report.summary import summary_lines

    comparison = compared(case)
    for line in summary_lines(comparison, case.measurement):
        click.echo(line)
    return 4 if is_invalid(comparison, case.measurement) else 0
