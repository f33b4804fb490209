"""`tco solve`: the value of a key at which a target is met."""

from __future__ import annotations

import math
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

# What no one pays or serves: the end of the values of a key that has no limit of its own.
UNBOUNDED = 1e15
# Its other end, where nothing itself is not allowed.
NEXT_TO_NOTHING = 1e-12

if TYPE_CHECKING:
    from tco.solution import Answer, Crossing, Solution

_EXAMPLES = """
\b
Examples:
  tco solve my.yaml traffic.target_utilisation              the break-even
  tco solve my.yaml hardware.purchase.price_usd --saving 0.5
  tco solve my.yaml measurement.published.output_tok_per_s --field usd_per_million_output --target 1
"""


@click.command(epilog=_EXAMPLES)
@scenario_argument
@click.argument("key")
@click.option("--saving", type=float, metavar="SHARE", help="The saving to reach; 0 if left out.")
@click.option("--field", help="Another figure than the saving; docs/what-if.md lists them.")
@click.option("--target", type=float, metavar="NUMBER", help="What the --field is to be.")
@click.option("--between", metavar="LOW:HIGH", help="Values to try; all allowed if left out.")
@click.option("--alternative", metavar="NAME", help="Only against this alternative.")
@measurement_option
@prices_option
@json_option
@set_option
def command(
    scenario: Path,
    key: str,
    saving: float | None,
    measurement_file: Path | None,
    price_files: tuple[Path, ...],
    *,
    field: str | None,
    target: float | None,
    between: str | None,
    alternative: str | None,
    sets: tuple[str, ...],
    as_json: bool,
) -> int:
    """Find the values of KEY at which the saving, or another figure, meets a target.

    Exit codes: 0 done, also where no value meets it; 2 bad input; 4 a finding is invalid.
    """
    from tco.case import placed_errors
    from tco.cli.sweep_output import say
    from tco.explore.solve import solve
    from tco.what_if import load_what_if

    _check(saving, field, target)
    span = None if between is None else _span(between)
    what_if = load_what_if(
        scenario, sets=sets, measurement_file=measurement_file, price_files=price_files
    )
    with placed_errors(what_if.case.loaded):
        solution = solve(
            what_if,
            key,
            (target if field else saving) or 0.0,
            field=field or "saving",
            between=span,
            alternative=alternative,
        )
    if as_json:
        click.echo(solution.model_dump_json(by_alias=True, indent=1))
    else:
        for answer in solution.answers:
            click.echo(_words(solution, answer))
    return say(solution.findings)


def _check(saving: float | None, field: str | None, target: float | None) -> None:
    from tco.errors import InputError

    if (field is None) != (target is None) or (field and saving is not None):
        raise InputError(
            "--field and --target belong together, and not beside --saving",
            remedy="write for example --saving 0.5, or --field servers --target 4",
        )
    if saving is not None and not saving <= 1:
        raise InputError(
            f"--saving must be a share of at most 1, got {saving:g}", remedy="write for example 0.5"
        )


def _span(text: str) -> tuple[float, float]:
    from tco.errors import InputError

    low, _, high = text.partition(":")
    try:
        span = float(low), float(high)
    except ValueError:
        span = (1.0, 0.0)
    if not -math.inf < span[0] < span[1] < math.inf:
        raise InputError(
            f"--between needs LOW:HIGH, got {text!r}", remedy="write for example --between 0.1:1"
        )
    return span


def _words(solution: Solution, answer: Answer) -> str:
    what = solution.field if answer.alternative is None else (
        f"{solution.field} against {answer.alternative}"
    )  # fmt: skip
    now = "" if answer.now is None else f" (now {_figure(solution, answer.now)})"
    head = f"{what}{now}: "
    goal = _figure(solution, solution.target)
    if answer.met:
        more = f"; and at {answer.more} more values" if answer.more else ""
        return head + "; ".join(_met(solution, each, goal) for each in answer.met) + more
    if answer.reason == "no_figure":
        return head + "there is none at any value"
    if answer.nearest_figure is None or answer.nearest_value is None:
        return head + "there is none"
    if answer.reason == "changes_nothing":
        return f"{head}stays {_figure(solution, answer.nearest_figure)} whatever {solution.key} is"
    end = {solution.low: ", the lowest tried", solution.high: ", the highest tried"}
    figure, at = answer.nearest_figure, answer.nearest_value
    return (
        f"{head}no {solution.key} {_range(solution)} gives {goal}; "
        f"nearest is {_figure(solution, figure)} at {_value(solution, at)}{end.get(at, '')}"
    )


def _range(solution: Solution) -> str:
    """Return what was tried; an end that only stands for "as much as you like" is not named."""
    high = _value(solution, solution.high)
    low = _value(solution, solution.low)
    if 0 < solution.low <= NEXT_TO_NOTHING:
        low = "just above 0"
    if solution.high < UNBOUNDED:
        return f"from {low} to {high}"
    return f"of {low} or more" if solution.low > -UNBOUNDED else "at all"


def _met(solution: Solution, met: Crossing, goal: str) -> str:
    trend = "rising" if met.rises else "falling"
    value = _value(solution, met.value)
    if met.before is None:
        return f"{goal} at {solution.key} = {value}, {trend} with it"
    return (
        f"changes from {_figure(solution, met.before)} to {_figure(solution, met.figure)} "
        f"at {solution.key} = {value}"
    )


def _value(solution: Solution, value: float) -> str:
    """Return a value of the key, money as money."""
    return _number(solution.key, value, 7)


def _figure(solution: Solution, figure: float) -> str:
    if solution.field == "saving" or solution.field.endswith(("_saving", "utilisation")):
        return f"{figure * 100:.4g} %"
    return _number(solution.field, figure, 6)


def _number(name: str, value: float, digits: int) -> str:
    """Return a number in the unit that its name bears: money with its sign, else as it is."""
    if not any("usd" in part.split("_") for part in name.split(".")):
        return f"{value:,.{digits}g}"
    return f"{'-' if value < 0 else ''}${abs(value):,.{digits}g}"
