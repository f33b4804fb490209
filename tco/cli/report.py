"""`tco report`: the report of a scenario and its measurement, as files."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import measurement_option, prices_option, scenario_argument, set_option

if TYPE_CHECKING:
    from tco.measurement import Measurement
    from tco.scenario_file import LoadedScenario

_EXAMPLES = """
\b
Examples:
  tco report my.yaml -m measurement.json           writes ./reports/<name>/
  tco report my.yaml -m m.json -o out --format pdf only the PDF, into out/
  tco report published.yaml --force                a published figure needs no measurement
"""


@click.command(epilog=_EXAMPLES)
@scenario_argument
@measurement_option
@click.option(
    "-o",
    "--output",
    "out_dir",
    type=click.Path(path_type=Path),
    help="The folder to write; ./reports/<scenario name>/ if left out.",
)
@click.option(
    "--format", "formats", default="pdf,html,json", show_default=True, help="Which files to write."
)
@prices_option
@set_option
@click.option("--force", is_flag=True, help="Overwrite an existing report.")
def command(  # noqa: PLR0917  click passes by name
    scenario: Path,
    measurement_file: Path | None,
    out_dir: Path | None,
    formats: str,
    price_files: tuple[Path, ...],
    sets: tuple[str, ...],
    *,
    force: bool,
) -> int:
    """Write the report of a scenario and its measurement: PDF, HTML and JSON."""
    from tco import __version__
    from tco.cost.compare import compare
    from tco.prices import load_tables
    from tco.report.document import headline, is_invalid
    from tco.report.render import claim_folder, parse_formats, render
    from tco.report.text import slug
    from tco.scenario_file import load_scenario

    wanted = parse_formats(formats)
    loaded = load_scenario(scenario, sets)
    folder = out_dir or Path("reports") / slug(loaded.scenario.name)
    claim_folder(folder, wanted, force=force)
    date = loaded.scenario.date or dt.datetime.now(tz=dt.UTC).date()
    measurement, measurement_sha256 = _measurement(loaded, measurement_file, date)
    comparison = compare(
        loaded.scenario,
        measurement,
        load_tables(price_files),
        scenario_sha256=loaded.sha256,
        measurement_sha256=measurement_sha256,
        date=date,
        tool_version=__version__,
    )
    paths = render(comparison, loaded.scenario, measurement, formats=wanted, out_dir=folder)
    click.echo(headline(comparison))
    for path in paths:
        click.echo(str(path))
    return 4 if is_invalid(comparison, measurement) else 0


def _measurement(
    loaded: LoadedScenario, file: Path | None, date: dt.date
) -> tuple[Measurement, str | None]:
    """Return the measurement to use and its hash; a published figure has no file."""
    from tco import __version__
    from tco.errors import InputError
    from tco.measurement_file import published_measurement, read_measurement

    if file is not None:
        found = read_measurement(file)
        return found.measurement, found.sha256
    if loaded.scenario.measurement is None:
        raise InputError(
            "has neither a measurement nor a published figure",
            file=str(loaded.path),
            key="measurement",
            remedy="run `tco bench` and give its file with -m, or state measurement.published",
        )
    start_of_day = dt.datetime.combine(date, dt.time(), tzinfo=dt.UTC)
    return published_measurement(loaded.scenario, start_of_day, __version__), None
