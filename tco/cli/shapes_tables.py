"""One ladder on several traffics in the terminal: the steps, and each best on the others."""

from __future__ import annotations

from rich.console import Console

from tco.cli.terminal_table import add_row, print_table, print_words, table_of
from tco.plural import several
from tco.report.numbers import gain_and_interval
from tco.report.shapes_document import WINNERS, gain_words
from tco.shapes import CrossCell, Shapes

_CROSS = {
    "same": "same settings",
    "worse": "worse",
    "better": "better",
    "undecided": "undecided",
    "failed": "failed",
    "not_reached": "not reached",
}


def print_shapes(shapes: Shapes) -> None:
    """Print what each step did on each traffic, then the bests across, then the verdict."""
    out = Console(highlight=False)
    names = [shape.name for shape in shapes.shapes]
    table = table_of(f"Ladder {shapes.ladder} on {len(names)} traffics", "step", *names, "differs")
    for step in shapes.steps:
        differs = "" if step.differs is None else "yes" if step.differs else "not shown"
        add_row(table, f"{step.number} {step.name}", *map(gain_words, step.gains), differs)
    print_table(table, out)
    print_words(
        "A gain is against that traffic's own best before the step, with its 95 % interval over "
        f"{several(shapes.repeats, 'engine start')} a side. It differs "
        "where the intervals of two traffics do not overlap.",
        out,
    )
    if not shapes.cross:
        return
    out.print()
    cells = {(cell.shape, cell.best_of): cell for cell in shapes.cross}
    across = table_of("Best settings of another traffic, against its own", "on", *names)
    for name in names:
        add_row(across, name, *(_cell(cells.get((name, other))) for other in names))
    print_table(across, out)
    out.print()
    for pair in shapes.pairs:
        first = f"{pair.shapes[0]} and {pair.shapes[1]}: {WINNERS[pair.winner]}"
        print_words(f", {pair.why}", out, first=first, style="bold")


def _cell(cell: CrossCell | None) -> str:
    if cell is None:
        return "own"
    ratio = "" if cell.decision == "same" else gain_and_interval(cell.ratio, cell.interval)
    return f"{_CROSS[cell.decision]} {ratio}".rstrip()
