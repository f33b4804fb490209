"""A sheet's years across: rows of figures, one for the start and one for each year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tco.report.workbook.formula import Operand, Term
from tco.report.workbook.page import Page, Style

START = 2  # the column of the start; the years follow it


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of the years, and the range that they are."""

    cells: tuple[Term, ...]
    range: Term


def years_row(
    page: Page,
    title: str,
    figures: Sequence[Operand],
    form: str,
    style: Style = "live",
    *,
    start: Operand | None = None,
) -> Row:
    """Write a row of figures, one a year, with what is there at the start, if anything is."""
    page.put(0, title, "total" if style == "total" else "label")
    if start is not None:
        page.put(START, start, style, form)
    cells = tuple(
        page.put(START + 1 + year, each, style, form) for year, each in enumerate(figures)
    )
    found = page.across(page.row, START + 1, len(cells))
    page.row += 1
    return Row(cells, found)
