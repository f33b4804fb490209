"""`tco import`: another tool's result file, as a measurement."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import click

from tco.cli.options import force_option, json_option

_EPILOG = """
\b
Examples:
  tco import bench.json                    reports/bench/measurement.json
  tco import guidellm.json -o m.json       then: tco report my.yaml -m m.json
  tco import profile_export_aiperf.json --json

Exit code 4: a finding is `invalid`; the file is written, and says so.
"""


@click.command("import", epilog=_EPILOG, short_help="Read another load tool's result file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Where the measurement goes; reports/<name of FILE>/measurement.json if left out.",
)
@json_option
@force_option
def command(*, file: Path, output: Path | None, as_json: bool, force: bool) -> int:
    """Read the JSON results of `vllm bench serve`, GuideLLM, AIPerf or inference-perf.

    The tool is recognised by the content. What the file does not tell stays unknown and is
    named; what would mislead (a TPOT of another formula) is converted or left out. `tco report`,
    `tco compare` and `tco sweep` take the measurement with -m, and say that it is imported.
    """
    from tco.cli.bench import exit_code, print_summary, refuse_overwriting
    from tco.importers.import_result import import_result
    from tco.measurement_file import measurement_bytes, write_measurement
    from tco.results_folder import results_folder

    target = output or results_folder(file.stem) / "measurement.json"
    refuse_overwriting(target, force=force)
    measurement = import_result(file, created_at=dt.datetime.now(dt.UTC))
    write_measurement(measurement, target)
    if as_json:
        click.echo(measurement_bytes(measurement).decode(), nl=False)
    print_summary(measurement, target)
    return exit_code(measurement)
