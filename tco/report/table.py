"""A Table of finished cells: strings, with a link where the text is an address."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tco.report.text import cut_words, link, plain, shorten

_WORD_LIMIT = 160
_CELL_LIMIT = 2400


@dataclass(frozen=True, slots=True)
class Cell:
    """One printed value; `href` is set only for an http or https address."""

    text: str
    href: str | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """A column's heading, and whether its cells are numbers set to the right."""

    title: str
    numeric: bool = False


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


def _fitted(text: str) -> str:
    return shorten(cut_words(plain(text), _WORD_LIMIT), _CELL_LIMIT)
