"""A Page is one sheet as it will be written: cells in their places, charts, and how it prints."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from tco.report.text import plain
from tco.report.workbook.formula import Term, if_
from tco.spreadsheet_text import cut_to_cell

# What a cell is; each has one look, explained on the first sheet.
Style = Literal[
    "title", "banner", "intro", "headline", "status", "heading", "column", "label", "text",
    "words_column", "words", "note", "written", "input", "figures", "key", "given", "live",
    "total", "fixed", "fixed_words", "check",
]  # fmt: skip
Content = Term | float | str
# What stands instead of a figure that rests on what tco found for other inputs.
RERUN = "inputs changed: run tco again"


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a place, counted from 0.

    Attributes:
        form: the number format.
        limits: least and largest number that may be typed in; `whole` ones only.
        choices: the words that may be typed in.
    """

    row: int
    column: int
    content: Content
    style: Style
    form: str = ""
    limits: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """A line or row of bars of a chart; name and values are ranges of cells."""

    name: str
    xs: str
    ys: str
    colour: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart and the place of its upper left corner."""

    kind: Literal["lines", "columns", "bars"]
    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    row: int
    column: int
    width: int = 760
    height: int = 380
    x_form: str = ""
    y_form: str = ""
    y_low: float | None = None
    y_high: float | None = None
    x_high: float | None = None
    y_log: bool = False
    overlaid: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    """A name that formulas use for a range of cells."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Greyed:
    """A range of cells that are shown in grey where a formula, of its first cell, holds."""

    row: int
    column: int
    last_row: int
    last_column: int
    formula: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A finished sheet.

    Attributes:
        widths: of the columns, in characters.
        frozen: rows and columns that stay when the rest is scrolled.
        repeated_row: printed on top of every page.
        breaks: rows that begin a printed page.
    """

    title: str
    cells: tuple[Cell, ...]
    names: tuple[Name, ...]
    charts: tuple[Chart, ...]
    widths: tuple[float, ...]
    frozen: tuple[int, int]
    repeated_row: int | None
    landscape: bool
    greyed: tuple[Greyed, ...]
    breaks: tuple[int, ...]


@dataclass(slots=True)
class Page:
    """A sheet while it is filled; `sheet` returns it finished.

    Attributes:
        row: the next free one.
        stale: while set, no formula shows a figure where it holds.
    """

    title: str
    widths: tuple[float, ...]
    landscape: bool = False
    row: int = 0
    frozen: tuple[int, int] = (0, 0)
    repeated_row: int | None = None
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    names: list[Name] = field(default_factory=list)
    charts: list[Chart] = field(default_factory=list)
    greyed: list[Greyed] = field(default_factory=list)
    breaks: list[int] = field(default_factory=list)
    stale: Term | None = None

    def put(
        self,
        column: int,
        content: Content,
        style: Style = "text",
        form: str = "",
        *,
        row: int | None = None,
        name: str | None = None,
        limits: tuple[float, float] | None = None,
        choices: tuple[str, ...] = (),
        whole: bool = False,
    ) -> Term:
        """Fill a cell (of the next free row unless said) and return it, to be reckoned with."""
        at = self.row if row is None else row
        if content == "" and style != "column":
            return Term(self.address(at, column), "")
        if isinstance(content, str):
            content = cut_to_cell(plain(content))
        elif isinstance(content, Term):
            content = unless(self.stale, content)
        self.cells[at, column] = Cell(at, column, content, style, form, limits, choices, whole)
        value = content.value if isinstance(content, Term) else content
        address = self.address(at, column)
        if name is None:
            return Term(address, value)
        self.names.append(Name(name, address))
        return Term(name, value)

    @contextmanager
    def withheld(self, stale: Term | None) -> Iterator[None]:
        """Let the formulas that are put meanwhile show no figure where `stale` holds."""
        before, self.stale = self.stale, stale
        try:
            yield
        finally:
            self.stale = before

    def head(self, title: str, banner: str | None, words: str = "") -> None:
        """Write the sheet's title, what must be read before any figure, and what it shows."""
        self.put(0, title, "title")
        self.row += 1
        if banner is not None:
            self.put(0, banner, "banner")
            self.row += 1
        if words:
            self.put(0, words, "intro")
            self.row += 1
        self.row += 1

    def heading(self, *titles: str, words: tuple[int, ...] = (), frozen: bool = False) -> None:
        """Write a row of column titles.

        Args:
            titles: of the columns.
            words: the columns that hold words, beside the first; the others hold figures.
            frozen: they stay when the sheet is scrolled, and are printed on every page.
        """
        for column, title in enumerate(titles):
            style: Style = "words_column" if column in words else "figures"
            self.put(column, title, style if column else "column")
        self.row += 1
        if frozen:
            self.frozen = (self.row, 1)
            self.repeated_row = self.row - 1

    def section(self, title: str) -> None:
        """Write a title within the sheet, after an empty row."""
        self.row += 1
        self.put(0, title, "heading")
        self.row += 1

    def cell(self, row: int, column: int) -> Term:
        """Return a cell that is filled, to be reckoned with."""
        content = self.cells[row, column].content
        value = content.value if isinstance(content, Term) else content
        return Term(self.address(row, column), value)

    def down(self, row: int, column: int, count: int, *, name: str | None = None) -> Term:
        """Return the range of `count` cells from a place downwards."""
        return self._range(row, column, row + count - 1, column, name)

    def across(self, row: int, column: int, count: int) -> Term:
        """Return the range of `count` cells from a place to the right."""
        return self._range(row, column, row, column + count - 1, None)

    def address(self, row: int, column: int) -> str:
        """Return a cell's address with its sheet, as formulas write it."""
        return f"{quoted(self.title)}!${letters(column)}${row + 1}"

    def sheet(self) -> Sheet:
        """Return the finished sheet."""
        return Sheet(
            title=self.title,
            cells=tuple(self.cells.values()),
            names=tuple(self.names),
            charts=tuple(self.charts),
            widths=self.widths,
            frozen=self.frozen,
            repeated_row=self.repeated_row,
            landscape=self.landscape,
            greyed=tuple(self.greyed),
            breaks=tuple(self.breaks),
        )

    def _range(
        self, row: int, column: int, last_row: int, last_column: int, name: str | None
    ) -> Term:
        values = [
            _number(self.cells.get((each_row, each_column)))
            for each_row in range(row, last_row + 1)
            for each_column in range(column, last_column + 1)
        ]
        address = f"{self.address(row, column)}:${letters(last_column)}${last_row + 1}"
        if name is not None:
            self.names.append(Name(name, address))
        return Term(name or address, np.array(values))


def unless(stale: Term | None, figure: Term) -> Term:
    """Return a figure, or what to do where it rests on other inputs."""
    return figure if stale is None else if_(stale, RERUN, figure)


def quoted(title: str) -> str:
    """Return a sheet's title as formulas write it."""
    return title if title.isalnum() else f"'{title}'"


def letters(column: int) -> str:
    """Return the letters of a column, counted from 0."""
    found = ""
    at = column + 1
    while at:
        at, rest = divmod(at - 1, 26)
        found = chr(ord("A") + rest) + found
    return found


def _number(cell: Cell | None) -> float:
    """Return a cell's number; a text and an empty cell have none."""
    content = "" if cell is None else cell.content
    value = content.value if isinstance(content, Term) else content
    return float("nan") if isinstance(value, str) else float(np.asarray(value))
