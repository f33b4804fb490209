"""A search in the terminal: a row a trial, what turns decided, and the best settings."""

from __future__ import annotations

from rich.console import Console

from tco.cli.terminal_table import add_row, print_table, print_words, table_of
from tco.report.numbers import number
from tco.report.quality import quality_words
from tco.search_document import Confirmation, Search
from tco.setting_words import settings_words


def print_search(found: Search) -> None:
    """Print the table, why it stopped, the confirmation, then the command of the best settings."""
    out = Console(highlight=False)
    heads = ("trial", "settings", "run", found.objective, found.latency, "result")
    table = table_of(f"Search of {found.name}, space {found.space}", *heads)
    for trial in found.trials:
        latency = trial.figures.get(found.latency)
        result = trial.failure or ("pruned" if trial.pruned else trial.purpose)
        add_row(
            table, str(trial.number), settings_words(trial.settings, found.own), trial.rung,
            "" if trial.objective is None else number(trial.objective),
            "" if latency is None else number(latency), result,
        )  # fmt: skip
    print_table(table, out)
    out.print()
    print_words(found.stopped or "not ended", out, first="Stopped: ")
    if found.blocked is not None:
        print_words(_turns(found.blocked), out, first="Not used: ")
    if found.confirmation is not None:
        print_words(_turns(found.confirmation), out, first="Confirmed by turns: ")
    print_words("the engine's command:", out, first="Best: ", style="bold")
    out.print(found.best.serve, soft_wrap=True, markup=False)


def _turns(found: Confirmation) -> str:
    """Return what turns decided of a trial's settings, with the gain and the answers."""
    words = f"trial {found.trial}, {found.decision}: {found.why}"
    if found.ratio is not None:
        words += f"; {found.ratio:.3f} times as good"
    if found.interval is not None:
        words += f" (95 % interval {found.interval.low:.3f} to {found.interval.high:.3f})"
    if not found.numerics:
        return words
    return f"{words}; {', '.join(found.numerics)} changed: {quality_words(found.quality)}"
