"""A SideDocument is the finished report of several scenarios: strings only, for every format."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tco.report.capacity import ORIGIN_WORDS
from tco.report.document import DEMONSTRATION
from tco.report.findings import FindingLine
from tco.report.headline import (
    invalid_words,
    is_demonstration,
    label,
    none_because,
    quotable,
    quotable_of,
    verdict,
)
from tco.report.numbers import percent
from tco.report.side_answers import answers_table
from tco.report.side_chart import SideBars, side_bars
from tco.report.side_inputs import inputs_that_differ, inputs_words
from tco.report.side_names import WIDE_FROM, letter, short_name, side_heads
from tco.report.side_steps import step_notes, steps_table
from tco.report.table import Column, Table, row
from tco.report.text import plain, shorten
from tco.side_by_side import Side, SideBySide

_OTHER_REQUEST = (
    "The requests differ, so the costs of a request and of a million tokens are of different "
    "things and cannot be compared across scenarios; each saving holds for its own request."
)
_OTHER_VOLUME = (
    "The scenarios serve different numbers of requests, so amounts a year and present values are "
    "of different amounts of work."
)
_ADD_UP = (
    "One key at a time is set to its value in the other scenario, all others stay as in the first. "
    "The steps do not add up to the whole where keys act together."
)


@dataclass(frozen=True, slots=True)
class SideFindings:
    """The findings of one scenario."""

    title: str
    findings: tuple[FindingLine, ...]


@dataclass(frozen=True, slots=True)
class SideDocument:
    """All that a template prints of several scenarios."""

    title: str
    short_name: str
    author: str
    date: str
    banner: str | None
    running_banner: str | None
    headline: str
    notes: tuple[str, ...]
    chart: SideBars
    chart_caption: str
    scenarios: Table
    answers: Table
    inputs: Table | None
    inputs_words: str
    steps_words: str
    steps: tuple[Table, ...]
    step_notes: tuple[str, ...]
    findings: tuple[SideFindings, ...]


def compose_sides(
    side_by_side: SideBySide, findings: Sequence[tuple[FindingLine, ...]]
) -> SideDocument:
    """Return the finished report; `findings` are those of each scenario, its measurement's too."""
    sides = side_by_side.sides
    heads = side_heads(sides)
    banner = sides_banner(sides, findings)
    names = " / ".join(shorten(plain(side.label), 40) for side in sides)
    differ = (
        (side_by_side.same_request, _OTHER_REQUEST),
        (side_by_side.same_volume, _OTHER_VOLUME),
    )
    return SideDocument(
        title=f"Side by side: {shorten(names, 140)}",
        short_name=f"{len(sides)} scenarios side by side",
        author=f"tco {side_by_side.tool_version}",
        date=max(side.comparison.date for side in sides).isoformat(),
        banner=banner,
        running_banner=None if banner is None else shorten(banner, 110),
        headline=_headline(sides),
        notes=tuple(words for same, words in differ if not same),
        chart=side_bars([(letter(place), side) for place, side in enumerate(sides)]),
        chart_caption="Own cost as a share of the API's, each for its own request and traffic",
        scenarios=_scenarios(sides),
        answers=answers_table(side_by_side, heads),
        inputs=inputs_that_differ(side_by_side.inputs, heads),
        inputs_words=inputs_words(side_by_side),
        steps_words=_ADD_UP,
        steps=tuple(
            steps_table(each, side_by_side) for each in side_by_side.attributions if each.steps
        ),
        step_notes=tuple(step_notes(side_by_side)),
        findings=tuple(
            SideFindings(f"{letter(place)}: {short_name(side)}", lines)
            for place, (side, lines) in enumerate(zip(sides, findings, strict=True))
            if lines
        ),
    )


def side_headline(side: Side) -> str:
    """Return one scenario's answer as a sentence, without its name."""
    return quotable(f"Own hardware {_clause(side)}.", side.comparison)


def _clause(side: Side) -> str:
    rival = side.comparison.headline_alternative()
    if rival is None:
        return "names no alternative to compare with"
    if rival.saving is None:
        return f"has no saving to state against {label(rival)}: {none_because(rival.saving_reason)}"
    return verdict(rival.saving, label(rival))


def is_sides_invalid(findings: Sequence[tuple[FindingLine, ...]]) -> bool:
    """Say whether any finding of any scenario is `invalid`."""
    return any(each.severity == "invalid" for lines in findings for each in lines)


def _headline(sides: Sequence[Side]) -> str:
    lettered = {letter(place): side for place, side in enumerate(sides)}
    said = _between(sides) if len(sides) >= WIDE_FROM else None
    if said is None:
        clauses = (f"{name} {_clause(side)}" for name, side in lettered.items())
        said = f"Own hardware of {'; '.join(clauses)}."
    return quotable_of(said, {name: side.comparison for name, side in lettered.items()})


def _between(sides: Sequence[Side]) -> str | None:
    """Return the least and the greatest saving; None where fewer than two have any."""
    rivals = [side.comparison.headline_alternative() for side in sides]
    savings = [
        (rival.saving, letter(place))
        for place, rival in enumerate(rivals)
        if rival is not None and rival.saving is not None
    ]
    if len(savings) <= 1:
        return None
    (least, at_least), (most, at_most) = min(savings), max(savings)
    return (
        f"Own hardware saves between {percent(least)} ({at_least}) and {percent(most)} ({at_most}) "
        "against the API."
    )


def sides_banner(sides: Sequence[Side], findings: Sequence[tuple[FindingLine, ...]]) -> str | None:
    """Return what must be read before any figure, and of which scenarios."""
    bad = [
        letter(place)
        for place, lines in enumerate(findings)
        if any(each.severity == "invalid" for each in lines)
    ]
    shown = [letter(place) for place, side in enumerate(sides) if is_demonstration(side.comparison)]
    said = [invalid_words(bad)] if bad else []
    said += [f"{DEMONSTRATION} ({', '.join(shown)})"] if shown else []
    return ". ".join(said) or None


def _scenarios(sides: Sequence[Side]) -> Table:
    columns = tuple(map(Column, ("", "Scenario", "File", "Measurement", "Prices in force on")))
    rows = tuple(
        row(
            letter(place),
            short_name(side),
            side.file,
            side.measurement_file or ORIGIN_WORDS[side.comparison.capacity.origin],
            side.comparison.date.isoformat(),
        )
        for place, side in enumerate(sides)
    )
    return Table("The scenarios", columns, rows, "scenarios")
