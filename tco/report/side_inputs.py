"""The inputs in which several scenarios differ, in columns."""

from __future__ import annotations

from collections.abc import Sequence

from tco.report.inputs import is_share, unit_beside
from tco.report.numbers import NBSP, count, exact
from tco.report.side_names import side_layout
from tco.report.table import Column, Table, row
from tco.report.text import shorten
from tco.side_by_side import DifferingInput, InputValue, SideBySide


def inputs_that_differ(
    differing: Sequence[DifferingInput], heads: tuple[Column, ...]
) -> Table | None:
    """Return a row for each key that differs; None where none does."""
    if not differing:
        return None
    texts = [[_value(each.key, value) for value in each.values] for each in differing]
    rows = tuple(
        row(_titled(each.key), *cells) for each, cells in zip(differing, texts, strict=True)
    )
    plain_heads = tuple(Column(head.title) for head in heads)
    layout = f"{side_layout(len(heads))} long"
    return Table("Inputs that differ", (Column("Key"), *plain_heads), rows, layout)


def _titled(key: str) -> str:
    unit = unit_beside(key)
    return f"{key}, {unit}" if unit else key


def _value(key: str, value: InputValue) -> str:
    stated = value.value
    if stated is None:
        return "not stated"
    if isinstance(stated, bool):
        return "yes" if stated else "no"
    if isinstance(stated, str):
        return shorten(stated, 160)
    text = _number(key, stated)
    if value.low is None and value.high is None:
        return text
    low = _number(key, stated if value.low is None else value.low)
    high = _number(key, stated if value.high is None else value.high)
    return f"{text} ({low} to {high})"


def _number(key: str, value: float) -> str:
    # As many digits as were stated: what differs must be seen to differ.
    return f"{exact(value * 100)}{NBSP}%" if is_share(key) else exact(value)


def inputs_words(side_by_side: SideBySide) -> str:
    """Return how many keys differ, and how many do not."""
    many, equal = len(side_by_side.inputs), side_by_side.equal_inputs
    differ = "1 key differs" if many == 1 else f"{count(many)} keys differ"
    same = "1 other is" if equal == 1 else f"{count(equal)} others are"
    if not many:
        return f"All {count(equal)} values of the scenarios are the same."
    return f"{differ}; {same} the same in all and not listed. Sources of values are not compared."
