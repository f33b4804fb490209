"""`tco compare`: own cost against the alternatives, in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from tco.cli.options import (
    json_option,
    measurement_option,
    prices_option,
    scenario_argument,
    set_option,
)

if TYPE_CHECKING:
    from tco.comparison import Comparison

_EXAMPLES = """
\b
Examples:
  tco compare my.yaml                                 a published rate needs no measurement
  tco compare my.yaml -m reports/my/measurement.json
  tco compare my.yaml --set power.usd_per_kwh=0.2 --json
  tco compare my.yaml --fail-under 0.3                for CI: exit 5 when it saves less than 30 %
"""


@click.command(epilog=_EXAMPLES)
@scenario_argument
@measurement_option
@prices_option
@json_option
@click.option(
    "--fail-under",
    type=float,
    metavar="SHARE",
    help="Exit 5 when the headline's saving (against the cheapest alternative, those with the "
    "same weights first) is under SHARE, for example 0.3.",
)
@set_option
def command(
    scenario: Path,
    measurement_file: Path | None,
    price_files: tuple[Path, ...],
    fail_under: float | None,
    sets: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Compare own cost with every alternative, for the same request.

    Exit codes: 0 done; 2 bad input; 4 a finding is invalid; 5 under --fail-under.
    """
    from tco.case import load_case
    from tco.cli.answer import compared
    from tco.cli.comparison_tables import print_comparison
    from tco.gate import check_gate, is_passed

    check_gate(fail_under)
    case = load_case(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    comparison = compared(case)
    if as_json:
        click.echo(comparison.model_dump_json(by_alias=True, indent=1))
    else:
        print_comparison(comparison, case.measurement)
    if any(finding.severity == "invalid" for finding in comparison.findings):
        click.echo("tco: a finding is invalid; these figures must not be used", err=True)
        return 4
    if not is_passed(comparison, fail_under):
        click.echo(f"tco: {_missed(comparison)} --fail-under {fail_under:g} asks for", err=True)
        return 5
    return 0


def _missed(comparison: Comparison) -> str:
    """Return what the saving is, and against whom, as the beginning of a sentence."""
    from tco.report.headline import label, none_because

    rival = comparison.headline_alternative()
    if rival is None:
        return "there is no alternative to save against, which"
    if rival.saving is None:
        why = none_because(rival.saving_reason)
        return f"there is no saving against {label(rival)} ({why}), which"
    return f"the saving against {label(rival)} is {rival.saving:.6g}, less than"
