"""What each difference of two scenarios does to the answer, one at a time and together."""

from __future__ import annotations

from collections.abc import Iterator

from tco.comparison import AlternativeResult
from tco.report.numbers import MINUS, NBSP, percent, usd
from tco.report.side_names import letter, short_name
from tco.report.table import Column, Row, Table, row
from tco.report.text import plain, shorten
from tco.side_by_side import Attribution, SideBySide, Step

_MOST_KEYS = 5


def steps_table(each: Attribution, side_by_side: SideBySide) -> Table:
    """Return the answer after each difference by itself, and after all of them."""
    sides = side_by_side.sides
    volume = "" if side_by_side.same_volume else ", different volumes"
    start = sides[0].comparison.headline_alternative()
    end = sides[each.scenario].comparison.headline_alternative()
    other = letter(each.scenario)
    columns = (
        Column(f"Changed from A to {other}"),
        Column("Saving then", numeric=True),
        Column("Change", numeric=True),
        Column(f"USD a year{volume}", numeric=True),
        Column("Change", numeric=True),
    )
    rows = (
        row("Nothing: as A", *_pair(start), strong=True),
        *(_step(step, None if start is None else start.name) for step in each.steps),
        row(
            f"All together: as {other}",
            *_pair(end, _points_words(each.saving_change), _money_change(start, end)),
            strong=True,
        ),
    )
    caption = f"What each difference does: from A to {other}, {short_name(sides[each.scenario])}"
    return Table(caption, columns, rows, "steps")


def _pair(
    rival: AlternativeResult | None, change: str = "", money_change: str = ""
) -> tuple[str, str, str, str]:
    if rival is None:
        return "none", change, "none", money_change
    saving = "none" if rival.saving is None else percent(rival.saving)
    return saving, change, usd(rival.saving_usd_per_year), money_change


def _money_change(start: AlternativeResult | None, end: AlternativeResult | None) -> str:
    if start is None or end is None:
        return "none"
    return _signed_usd(end.saving_usd_per_year - start.saving_usd_per_year)


def _step(step: Step, before: str | None) -> Row:
    keys = ", ".join(step.keys[:_MOST_KEYS])
    more = len(step.keys) - _MOST_KEYS
    keys += f" and {more} more" if more > 0 else ""
    if step.against is not None and step.against != before:
        keys += f" (then against {shorten(plain(step.against), 40)})"
    yearly, change = step.saving_usd_per_year, step.saving_usd_per_year_change
    return row(
        keys,
        "none" if step.saving is None else percent(step.saving),
        _points_words(step.saving_change),
        "none" if yearly is None else usd(yearly),
        "none" if change is None else _signed_usd(change),
    )


def _points_words(change: float | None) -> str:
    if change is None:
        return "none"
    tenths = round(change * 100, 1)
    text = f"{tenths:+,.1f}".replace("-", MINUS) if tenths else "0"
    return f"{text}{NBSP}points"


def _signed_usd(change: float) -> str:
    text = usd(change)
    return text if text.startswith(MINUS) else f"+{text}"


def step_notes(side_by_side: SideBySide) -> Iterator[str]:
    """Yield what the tables of steps leave out: their sum, keys without effect."""
    for each in side_by_side.attributions:
        said = []
        if each.sum_of_changes is not None and each.saving_change is not None and each.steps:
            added, whole = _points_words(each.sum_of_changes), _points_words(each.saving_change)
            said.append(f"the steps sum to {added}, all together make {whole}")
        if each.changes_nothing:
            said.append(f"changing no saving by themselves: {', '.join(each.changes_nothing)}")
        if each.not_alone:
            said.append(f"cannot be changed apart from others: {', '.join(each.not_alone)}")
        if said:
            yield f"From A to {letter(each.scenario)}: {'; '.join(said)}."
