"""`tco report`: the report of a scenario and its measurement, or of several, as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import force_option, out_dir_option, prices_option, set_option
from tco.cli.report_tuning import report_tuning
from tco.errors import InputError

if TYPE_CHECKING:
    from tco.case import Case
    from tco.report.brand import Brand

_EXAMPLES = """
\b
Examples:
  tco report my.yaml -m measurement.json           writes ./reports/<name>/
  tco report my.yaml -m m.json -o out --format pdf only the PDF, into out/
  tco report published.yaml --force                a published figure needs no measurement
  tco report my.yaml --summary                     twelve lines for a terminal, no file
  tco report a.yaml b.yaml -o out                  side by side: what differs, and what that does
  tco report reports/my/tune/tune.json --force     the report of a tuning, from its record
  tco report reports/my/search/search.json --force that of a search (or of several traffics)
"""
_DEFAULT = "pdf,html,json"
_DROP_ONE = "drop one of the two"
_INVALID = 4


@click.command(epilog=_EXAMPLES)
@click.argument(
    "scenarios", nargs=-1, required=True, metavar="SCENARIO…", type=click.Path(path_type=Path)
)
@click.option(
    "-m",
    "--measurement",
    "measurement_files",
    multiple=True,
    type=click.Path(path_type=Path),
    help="The measurement to use, as `tco bench` or `tco import` wrote it; of several scenarios "
    "once for all, or once for each in their order.",
)
@out_dir_option
@click.option(
    "--format",
    "formats",
    help="Which files to write: pdf, html, md, json, csv, xlsx; pdf,html,json if left out.",
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
    scenarios: tuple[Path, ...],
    measurement_files: tuple[Path, ...],
    out_dir: Path | None,
    formats: str | None,
    brand_file: Path | None,
    price_files: tuple[Path, ...],
    sets: tuple[str, ...],
    *,
    only_summary: bool,
    force: bool,
) -> int:
    """Write the report of a scenario and its measurement, as files of several formats.

    Several scenarios make one report side by side: what differs in the inputs, and what that does
    to the answer. The record of a tuning (tune.json, search.json, shapes.json) gives that one's
    own report.
    """
    from tco.case import load_case
    from tco.explore.side_by_side import check_number
    from tco.report.brand import read_brand
    from tco.tuned_record import is_of_tuning

    if any(map(is_of_tuning, scenarios)):
        given = {"--summary": only_summary, "--brand": brand_file, "--set": sets,
                 "--prices": price_files, "-m": measurement_files}  # fmt: skip
        return report_tuning(
            _only(scenarios, [name for name, value in given.items() if value]),
            formats,
            out_dir,
            force=force,
        )
    formats = _DEFAULT if formats is None else formats
    check_number(len(scenarios))
    if only_summary and out_dir is not None:
        raise InputError("--summary writes no file, so -o names no folder", remedy=_DROP_ONE)
    brand = None if brand_file is None else read_brand(brand_file)
    pairs = [*zip(scenarios, _for_each(measurement_files, scenarios), strict=True)]
    cases = [
        load_case(path, sets=sets, measurement_file=measured, price_files=price_files)
        for path, measured in pairs
    ]
    if only_summary:
        return _summarised(cases)
    if len(cases) == 1:
        return _single(cases[0], formats, out_dir, brand, force=force)
    return _several(cases, pairs, formats, out_dir, brand, force=force)


def _only(records: Sequence[Path], given: Sequence[str]) -> Path:
    """Return the record of a tuning, which nothing else is given with."""
    if len(records) > 1:
        raise InputError(
            "the record of a tuning has a report of its own", remedy="give one record, alone"
        )
    if given:
        raise InputError(
            "does nothing to the record of a tuning", key=given[0], remedy=f"drop {given[0]}"
        )
    return records[0]


def _for_each(
    measurement_files: Sequence[Path], scenarios: Sequence[Path]
) -> Sequence[Path | None]:
    """Return a measurement file, or none, for every scenario."""
    given, wanted = len(measurement_files), len(scenarios)
    if not given:
        return [None] * wanted
    if given == 1:
        return [measurement_files[0]] * wanted
    if given != wanted:
        several = "scenario" if wanted == 1 else "scenarios"
        raise InputError(
            f"{given} measurements are given for {wanted} {several}",
            key="-m",
            remedy="give one for all of them, or one for each in their order",
        )
    return measurement_files


def _single(
    case: Case, formats: str, out_dir: Path | None, brand: Brand | None, *, force: bool
) -> int:
    from tco.cli.answer import compared
    from tco.report.document import headline, is_invalid, print_first
    from tco.report.render import check_folder, parse_formats, render
    from tco.results_folder import results_folder
    from tco.scenario_shape import shape_of_trace
    from tco.tuned_record import tuned_record

    wanted = parse_formats(formats)
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
        tuned=tuned_record(case.loaded),
        brand=brand,
    )
    if (first := print_first(comparison, case.measurement)) is not None:
        click.echo(f"{first}.")
    click.echo(headline(comparison))
    for path in paths:
        click.echo(str(path))
    return _INVALID if is_invalid(comparison, case.measurement) else 0


def _several(
    cases: Sequence[Case],
    pairs: Sequence[tuple[Path, Path | None]],
    formats: str,
    out_dir: Path | None,
    brand: Brand | None,
    *,
    force: bool,
) -> int:
    from tco.explore.side_by_side import side_by_side
    from tco.report.findings import findings
    from tco.report.headline import in_ascii
    from tco.report.render import check_folder, parse_formats
    from tco.report.side_document import is_sides_invalid, side_headline, sides_banner
    from tco.report.side_files import SIDE_FILE_NAMES, render_sides
    from tco.report.text import plain
    from tco.results_folder import results_folder

    wanted = parse_formats(formats, SIDE_FILE_NAMES)
    names = [case.loaded.scenario.name for case in cases]
    folder = out_dir or results_folder(" vs ".join(names))
    check_folder(folder, wanted, force=force, names=SIDE_FILE_NAMES)
    files = [str(path) for path, _ in pairs]
    measured = [None if path is None else str(path) for _, path in pairs]
    found = side_by_side(cases, files, measured)
    said = [
        findings(side.comparison, case.measurement)
        for side, case in zip(found.sides, cases, strict=True)
    ]
    based_on = [(case.loaded.scenario, case.measurement) for case in cases]
    paths = render_sides(
        found, said, formats=wanted, out_dir=folder, brand=brand, based_on=based_on
    )
    if (first := sides_banner(found.sides, said)) is not None:
        click.echo(f"{first}.")
    for side in found.sides:
        click.echo(in_ascii(f"{plain(side.label)}: {side_headline(side)}"))
    for path in paths:
        click.echo(str(path))
    return _INVALID if is_sides_invalid(said) else 0


def _summarised(cases: Sequence[Case]) -> int:
    from tco.cli.answer import compared
    from tco.report.document import is_invalid
    from tco.report.summary import summary_lines

    code = 0
    for place, case in enumerate(cases):
        comparison = compared(case)
        lines = summary_lines(comparison, case.measurement)
        click.echo("\n".join(lines if place == 0 else ("", *lines)))
        if is_invalid(comparison, case.measurement):
            code = _INVALID
    return code
