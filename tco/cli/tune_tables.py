"""A tuning in the terminal: a row a step, why it was decided so, and the best settings."""

from __future__ import annotations

from rich.console import Console

from tco.cli.terminal_table import add_row, print_table, print_words, table_of
from tco.plural import several
from tco.report.numbers import gain_interval, gain_percent, number, percent, usd
from tco.report.quality import quality_words
from tco.report.tune_document import change_words
from tco.tuning import TuneFigures, TuneStep, Tuning

_HEADS = ("step", "output tok/s", "gain", "95 % interval", "decision", "USD per M output", "saving")


def print_tuning(tuning: Tuning) -> None:
    """Print the table, then each step's reason, then the command of the best settings."""
    out = Console(highlight=False)
    table = table_of(f"Tuning of {tuning.name}, ladder {tuning.ladder}", *_HEADS)
    own = _figures(tuning.baseline)
    add_row(table, "0 the scenario's own settings", own[0], "", "", "", *own[1:])
    for step in tuning.steps:
        figures = _figures(step.figures)
        decision = step.decision.replace("_", " ")
        gain, interval = _gain(step)
        add_row(
            table, f"{step.number} {step.name}", figures[0], gain, interval, decision, *figures[1:]
        )
    print_table(table, out)
    print_words(_note(tuning), out)
    out.print()
    for step in tuning.steps:
        quality = f" ({quality_words(step.quality)})" if step.numerics else ""
        first = f"{step.number} {change_words(step)}{quality}: "
        print_words(f"{step.decision.replace('_', ' ')}, {step.why}", out, first=first)
    out.print()
    steps = ", ".join(map(str, tuning.best.steps))
    best = f"step{'s' if len(tuning.best.steps) > 1 else ''} {steps}" if steps else "no step"
    print_words(f"{best} kept; the engine's command:", out, first="Best: ", style="bold")
    out.print(tuning.best.serve, soft_wrap=True, markup=False)


def _figures(figures: TuneFigures | None) -> tuple[str, str, str]:
    if figures is None:
        return "", "", ""
    saving = "" if figures.saving is None else percent(figures.saving)
    return number(figures.output_tok_per_s), usd(figures.usd_per_million_output), saving


def _gain(step: TuneStep) -> tuple[str, str]:
    """Return the gain, signed, and its interval."""
    if step.ratio is None:
        return "", ""
    return gain_percent(step.ratio), gain_interval(step.interval)


def _note(tuning: Tuning) -> str:
    rival = tuning.baseline.alternative if tuning.baseline else None
    saving = "" if rival is None else f" The saving is against {rival}."
    return (
        "A gain is against the best before the step, geometric means over "
        f"{several(tuning.repeats, 'engine start')} a side; rate and cost "
        f"are of the start in the middle.{saving}"
    )
