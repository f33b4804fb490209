"""`tco bench`: measure the engine of a scenario."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import (
    allow_remote_option,
    force_option,
    json_option,
    set_option,
)
from tco.report.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tco.measure.progress import Progress
    from tco.measurement import Measurement
    from tco.scenario_file import LoadedScenario

_EPILOG = """
\b
Examples:
  tco bench my.yaml                              reports/<name>/measurement.json and raw/
  tco bench my.yaml --set engine.concurrency=64 --set bench.window_s=120
  tco bench my.yaml --set bench.repeats=3        three engine starts; the median is the capacity
  tco bench my.yaml -o out/m.json --json         the measurement on stdout too
  tco bench my.yaml --allow-remote gpu-host      put load on another machine's server
  tco bench --compare before.json after.json     what changed, and how sure that is
  tco bench --reanalyse reports/my/raw --json    the figures again, from the raw records alone

Exit code 3: the engine failed. 4: a finding is `invalid`; the files are written, and say so.
"""
_INVALID = 4


@click.command(epilog=_EPILOG, short_help="Measure the engine of a scenario.")
@click.argument("scenario", required=False, type=click.Path(path_type=Path))
@set_option
@json_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Where the measurement goes; raw records lie beside it, in raw/ or NAME-raw/.",
)
@allow_remote_option
@force_option
@click.option(
    "--compare",
    "compared",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="A.json B.json",
    help="Measure nothing: print B by A, figure by figure, with intervals.",
)
@click.option(
    "--reanalyse",
    "raw",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Measure nothing: compute the measurement anew from its raw records.",
)
def command(
    *,
    scenario: Path | None,
    sets: Sequence[str],
    as_json: bool,
    output: Path | None,
    hosts: Sequence[str],
    force: bool,
    compared: tuple[Path, Path] | None,
    raw: Path | None,
) -> int:
    """Start (or attach to) the scenario's engine, hold its load, write what was seen.

    It looks for the capacity: at `engine.concurrency` streams, or by closed loops of rising
    concurrency and, with a service level, open loops that narrow it to 5 %. Then it holds the
    load to verify. Each load is a warm-up, which does not count, and `bench.window_s` seconds,
    which do. The measurement holds rates, latencies and findings on whether they may be used.
    Ctrl-C ends the engine, too; the same command goes on where it stopped.
    """
    if sum(one is not None for one in (scenario, compared, raw)) != 1:
        raise click.UsageError(
            "give a scenario to measure, or --compare, or --reanalyse", click.get_current_context()
        )
    if scenario is None and (sets or hosts or (compared and (output or force))):
        raise click.UsageError(
            "--compare takes only --json beside it, and --reanalyse -o, --json and --force",
            click.get_current_context(),
        )
    if compared is not None:
        from tco.cli.bench_compare import compare_files

        return compare_files(*compared, as_json=as_json)
    if raw is not None:
        return reanalyse_folder(raw, output=output, as_json=as_json, force=force)
    assert scenario is not None  # noqa: S101  exactly one is given
    return measure(scenario, sets, output=output, hosts=hosts, as_json=as_json, force=force)


def measure(
    scenario: Path,
    sets: Sequence[str],
    *,
    output: Path | None,
    hosts: Sequence[str],
    as_json: bool,
    force: bool,
) -> int:
    """Measure the scenario's engine, write and print what was seen; return the exit code."""
    from tco.case import placed_errors
    from tco.measure.run import bench_plan
    from tco.measurement_file import measurement_bytes
    from tco.results_folder import results_folder
    from tco.scenario_file import load_scenario

    loaded = load_scenario(scenario, sets)
    target = output or results_folder(loaded.scenario.name) / "measurement.json"
    with placed_errors(loaded):
        bench_plan(loaded.scenario)
        refuse_overwriting(target, force=force)
    measurement = measured(loaded, target, hosts=hosts, force=force)
    if as_json:
        click.echo(measurement_bytes(measurement).decode(), nl=False)
    print_summary(measurement, target)
    return exit_code(measurement)


def measured(
    loaded: LoadedScenario, target: Path, *, hosts: Sequence[str], force: bool
) -> Measurement:
    """Hold the scenario's loads with progress on stderr, and write what was seen to `target`."""
    from tco.case import placed_errors
    from tco.measure.run import bench

    with placed_errors(loaded), progress_on_stderr() as progress:
        return bench(
            loaded.scenario,
            output=target,
            progress=progress,
            allow_remote=frozenset(hosts),
            scenario_sha256=loaded.sha256,
            is_fresh=force,
        )


def reanalyse_folder(raw: Path, *, output: Path | None, as_json: bool, force: bool) -> int:
    """Compute the measurement of a raw folder, write and print it; return the exit code."""
    from tco.measure.reanalyse import reanalyse
    from tco.measurement_file import measurement_bytes, write_measurement

    if output is not None:
        refuse_overwriting(output, force=force)
    measurement = reanalyse(raw)
    if output is not None:
        write_measurement(measurement, output)
    if as_json:
        click.echo(measurement_bytes(measurement).decode(), nl=False)
    print_summary(measurement, output)
    return exit_code(measurement)


def refuse_overwriting(target: Path, *, force: bool) -> None:
    """Refuse an existing measurement unless it may be overwritten, or is to be taken up.

    Raises:
        InputError: it may not, or the place is none for a file.
    """
    from tco.errors import InputError
    from tco.measure.resume import unfinished_at
    from tco.output_file import check_place

    check_place(target)
    if target.is_file() and not force and unfinished_at(target) is None:
        raise InputError(
            "the measurement exists already",
            file=str(target),
            remedy="give --force to overwrite it, or another place with -o",
        )


def exit_code(measurement: Measurement) -> int:
    """Return 4 if a finding is invalid, else 0."""
    is_invalid = any(f.severity == "invalid" for f in measurement.all_findings())
    return _INVALID if is_invalid else 0


def print_summary(measurement: Measurement, target: Path | None) -> None:
    """Print the capacity point and the findings on stderr, and where the file lies, if it does."""
    from tco.measure.summary import summary_lines
    from tco.report.findings import findings

    for line in summary_lines(measurement):
        click.echo(line, err=True)
    for finding in findings(None, measurement):
        click.echo(
            visible(f"{finding.severity_words.lower()}: {finding.message} {finding.advice}"),
            err=True,
        )
    if target is not None:
        click.echo(f"written: {target}", err=True)


def progress_on_stderr() -> AbstractContextManager[Callable[[Progress], None]]:
    """Return a printer of progress: one live line on a terminal, else a line now and then."""
    return _live_line() if sys.stderr.isatty() else _plain_lines()


@contextmanager
def _live_line() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.text import Text

    from tco.measure.summary import is_lasting, progress_text

    with Console(stderr=True, highlight=False).status("") as status:

        def show(progress: Progress) -> None:
            # Text, not markup: a log line may hold brackets.
            text = Text(progress_text(progress))
            if is_lasting(progress):
                status.console.print(text)
            else:
                status.update(text)

        yield show


@contextmanager
def _plain_lines() -> Iterator[Callable[[Progress], None]]:
    from tco.measure.summary import Pace, progress_text

    pace = Pace()

    def show(progress: Progress) -> None:
        if pace.is_due(progress):
            click.echo(progress_text(progress), err=True)

    yield show
