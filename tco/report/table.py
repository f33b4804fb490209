"""A Table of finished cells: strings, with a link where the text is an address."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tco.report.text import cut_words, link, plain, shorten

_UNBROKEN, _HEAD_ROOM = 20, 12
# After a sign that joins two parts of a key, path or address, never within a number.
_BREAKS = re.compile(r"(?<=[A-Za-z0-9\])][._/=,:&?-])(?=[A-Za-z(\[])")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_WORD_LIMIT = 160
# At the narrowest column of long texts, about half a page.
_CELL_LIMIT = 900


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed value; `href` is set only for an http or https address.

    Attributes:
        room: letters that its column has room for in a line.
    """

    text: str
    href: str | None = None
    room: int = _UNBROKEN

    @property
    def pieces(self) -> tuple[str, ...]:
        """The text, cut where a line may end inside a long word: after `.`, `_`, `/` and such."""
        if len(self.text) <= self.room:
            return (self.text,)
        return tuple(_BREAKS.split(self.text))

    @property
    def is_digest(self) -> bool:
        """Whether the text is a SHA-256 in hexadecimal, set in a font of equal widths."""
        return bool(_DIGEST.fullmatch(self.text))


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, and whether its cells are numbers set to the right."""

    title: str
    numeric: bool = False

    @property
    def pieces(self) -> tuple[str, ...]:
        """The title, cut where a line may end inside a long word, as `Cell.pieces`."""
        return Cell(self.title, room=_HEAD_ROOM).pieces


@dataclass(frozen=True, slots=True)
class Row:
    """Cells in the order of the columns; the first one names the row."""

    cells: tuple[Cell, ...]
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A captioned table; `layout` names its class in the style sheet."""

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    layout: str = "plain"


def row(*texts: str, strong: bool = False) -> Row:
    """Return a row of texts, each safe to print."""
    return Row(
        tuple(Cell(text=_fitted(text), href=link(text.strip())) for text in texts), strong=strong
    )


def facts(caption: str, pairs: Iterable[tuple[str, str]]) -> Table:
    """Return a table of two columns: what, and its value."""
    columns = (Column("Fact"), Column("Value"))
    return Table(caption, columns, tuple(row(*pair) for pair in pairs), layout="facts")


def pairs_table(caption: str, pairs: Sequence[tuple[str, str]]) -> Table:
    """Return facts set two to a row, the first half on the left."""
    half = (len(pairs) + 1) // 2
    right = [*pairs[half:], ("", "")]
    rows = tuple(row(*first, *second) for first, second in zip(pairs[:half], right, strict=False))
    return Table(caption, tuple(map(Column, ("Fact", "Value") * 2)), rows, layout="pairs")


def _fitted(text: str) -> str:
    whole = cut_words(plain(text), _WORD_LIMIT)
    if len(whole) <= _CELL_LIMIT:
        return whole
    return f"{shorten(whole, _CELL_LIMIT)} (cut; {len(whole):,} letters in all)"
