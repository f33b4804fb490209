"""How the scenarios of a side-by-side report are told apart: by letters, and by short names."""

from __future__ import annotations

from collections.abc import Sequence

from tco.report.table import Column
from tco.report.text import plain, shorten
from tco.side_by_side import Side

_NAME_LIMIT = 60
_HEAD_LIMIT, WIDE_FROM = 80, 5


def letter(place: int) -> str:
    """Return the letter of a scenario by its place, the first is A."""
    return "ABCDEFGH"[place]


def short_name(side: Side) -> str:
    """Return a scenario's name, shortened."""
    return shorten(plain(side.label), _NAME_LIMIT)


def side_heads(sides: Sequence[Side]) -> tuple[Column, ...]:
    """Return the heads of columns, one a scenario: letters alone where there are many."""
    if len(sides) >= WIDE_FROM:
        return tuple(Column(letter(place), numeric=True) for place in range(len(sides)))
    return tuple(
        Column(
            f"{letter(place)}: {shorten(plain(side.label), _HEAD_LIMIT // len(sides))}",
            numeric=True,
        )
        for place, side in enumerate(sides)
    )


def side_layout(many: int) -> str:
    """Return the style of a table with so many scenarios."""
    return "together wide" if many >= WIDE_FROM else "together"
