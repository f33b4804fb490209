"""`tco bench --compare`: two measurements, figure by figure."""

from __future__ import annotations

from pathlib import Path

import click

_INVALID = 4


def compare_files(a: Path, b: Path, *, as_json: bool) -> int:
    """Print measurement B by measurement A; return the exit code."""
    from tco import __version__
    from tco.cli.bench_comparison_tables import print_bench_comparison
    from tco.measure.compare_runs import compare_runs
    from tco.measurement_file import read_measurement

    comparison = compare_runs(read_measurement(a), read_measurement(b), tool_version=__version__)
    if as_json:
        click.echo(comparison.model_dump_json(by_alias=True, indent=1))
    else:
        print_bench_comparison(comparison)
    is_invalid = any(finding.severity == "invalid" for finding in comparison.findings)
    return _INVALID if is_invalid else 0
