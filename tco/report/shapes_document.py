"""The report of one ladder on several traffics: strings only, for every format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tco.report.numbers import count, gain_and_interval, number, percent, several
from tco.report.search_fields import limit_of
from tco.report.sectioned import (
    Command,
    Part,
    Section,
    SectionedReport,
    Words,
    write_sectioned,
)
from tco.report.table import Column, Table, facts, row
from tco.report.text import plain, shorten
from tco.shapes import CrossCell, ShapeGain, Shapes, ShapeTuned
from tco.units import SECONDS_PER_MINUTE

SHAPES_FILE_NAMES = {"pdf": "shapes.pdf", "html": "shapes.html", "md": "shapes.md"}
_TITLE_LIMIT = 70
_CROSS = {"same": "the same settings", "not_reached": "not reached"}
WINNERS = {
    "same": "the same winner",
    "changes": "the winner changes",
    "undecided": "undecided",
    "not_reached": "not reached",
}
_STEPS_NOTE = (
    "A gain is against that traffic's own best before the step, with its 95 % interval. It differs "
    "where the intervals of two traffics do not overlap."
)
_CROSS_NOTE = (
    "Each row is a traffic that is served, each column the traffic whose best settings serve it: "
    "the output rate against that of the row's own best settings, with its 95 % interval. Worse is "
    "only what the interval shows to be worse."
)


def render_shapes(
    shapes: Shapes, folder: Path, *, formats: Sequence[str] = tuple(SHAPES_FILE_NAMES)
) -> tuple[Path, ...]:
    """Write the report in these formats and return the files.

    Raises:
        InputError: the folder cannot be written.
    """
    return write_sectioned(compose_shapes(shapes), folder, SHAPES_FILE_NAMES, formats)


def compose_shapes(shapes: Shapes) -> SectionedReport:
    """Return the finished report."""
    names = " and ".join(plain(each.name) for each in shapes.shapes) or plain(shapes.ladder)
    name = shorten(names, _TITLE_LIMIT)
    return SectionedReport(
        title=f"Engine settings by traffic: {name}",
        kicker=f"One ladder on {several(len(shapes.shapes), 'traffic')}",
        short_name=name,
        author=f"tco {shapes.tool_version}",
        date=shapes.created_at.date().isoformat(),
        banner=None if shapes.is_complete else "Unfinished: not all was tried",
        headline=shapes_headline(shapes),
        findings=(),
        sections=(
            Section(None, (_pairs(shapes), _cross(shapes), Words(_CROSS_NOTE, is_note=True))),
            Section("The traffics and their best settings", _bests(shapes)),
            Section(
                "Every step on every traffic", (_steps(shapes), Words(_STEPS_NOTE, is_note=True))
            ),
            Section("Where these figures come from", (_provenance(shapes),)),
        ),
    )


def shapes_headline(shapes: Shapes) -> str:
    """Return whether the winner follows the traffic."""
    found = [pair for pair in shapes.pairs if pair.winner != "not_reached"]
    changed = [pair for pair in found if pair.winner == "changes"]
    if not found:
        return "Whether the best settings follow the traffic was not measured yet."
    of = "" if len(found) == 1 else f" in {len(changed)} of {len(found)} pairs"
    if changed:
        return f"The best settings follow the traffic{of}: each one's are worse on the other."
    if all(pair.winner == "same" for pair in found):
        return "The same settings are best on every traffic measured."
    return "It is not shown that the best settings follow the traffic."


def gain_words(gain: ShapeGain) -> str:
    """Return what became of a step on one traffic: `kept +3.0 % (+1.0 % to +5.0 %)`."""
    decision = gain.decision.replace("_", " ")
    return f"{decision} {gain_and_interval(gain.ratio, gain.interval)}".rstrip()


def _pairs(shapes: Shapes) -> Table:
    rows = tuple(
        row(" and ".join(pair.shapes), WINNERS[pair.winner], pair.why) for pair in shapes.pairs
    )
    heads = tuple(map(Column, ("Traffics", "Result", "Why")))
    return Table("Does the winner change with the traffic?", heads, rows, "pairs-of-shapes")


def _cross(shapes: Shapes) -> Table:
    names = [shape.name for shape in shapes.shapes]
    cells = {(cell.shape, cell.best_of): cell for cell in shapes.cross}
    rows = tuple(
        row(
            here,
            *("its own" if here == of else _cell(cells.get((here, of))) for of in names),
        )
        for here in names
    )
    heads = (Column("Traffic"), *(Column(f"With the best of {name}") for name in names))
    return Table("The best settings of each traffic on every other", heads, rows, "across")


def _cell(cell: CrossCell | None) -> str:
    if cell is None:
        return "not reached"
    if cell.decision in _CROSS:
        return _CROSS[cell.decision]
    gain = gain_and_interval(cell.ratio, cell.interval)
    return f"{cell.decision}: {gain or cell.why}"


def _bests(shapes: Shapes) -> tuple[Part, ...]:
    parts: list[Part] = []
    for shape in shapes.shapes:
        parts += [facts(shape.name, _traffic(shape)), Command(plain(shape.serve))]
    return tuple(parts)


def _traffic(shape: ShapeTuned) -> tuple[tuple[str, str], ...]:
    tokens = f"{number(shape.input_tokens)} in, {number(shape.output_tokens)} out"
    cached = f"{percent(shape.cached_input_share)} of the input cached"
    streams = "as many as the service level lets" if shape.concurrency is None else (
        number(shape.concurrency)
    )  # fmt: skip
    session = shape.requests_per_session
    level = ", ".join(limit_of(field, shape.slo) for field in shape.slo)
    return (
        ("Tokens a request", f"{tokens}, {cached}"),
        ("Requests a session", "none" if session is None else number(session)),
        ("Streams at once", streams),
        ("Service level", level or "none"),
        ("Steps kept", ", ".join(shape.best_steps) or "none: the scenario's own settings"),
        ("Scenario", shape.scenario_file),
        ("Scenario of the best settings", shape.tuned_file or "none written"),
        ("Record", shape.record),
    )


def _steps(shapes: Shapes) -> Table:
    names = [shape.name for shape in shapes.shapes]
    rows = tuple(
        row(
            f"{step.number} {step.name}",
            *(gain_words(gain) for gain in step.gains),
            *("" for _ in names[len(step.gains) :]),
            "" if step.differs is None else "yes" if step.differs else "not shown",
        )
        for step in shapes.steps
    )
    heads = (Column("Step"), *map(Column, names), Column("Differs"))
    return Table(f"Ladder {plain(shapes.ladder)}: what became of each step", heads, rows, "across")


def _provenance(shapes: Shapes) -> Table:
    pairs = (
        ("Begun", shapes.created_at.isoformat(timespec="minutes")),
        ("Engine starts a side", count(shapes.repeats)),
        ("Time of the trials", several(round(shapes.took_s / SECONDS_PER_MINUTE, 1), "minute")),
        ("Record", "shapes.json, beside this report"),
        ("Ladder, SHA-256", shapes.ladder_sha256),
    )
    return facts("Record and settings", pairs)
