"""A table of text for the terminal."""

from __future__ import annotations

ABSENT = "–"
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def as_text(table: Table) -> str:
    """Return a table with aligned columns, the first one to the left."""
    lines = [table[0], *table[1]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])])
        for line in lines
    )


def number(value: float | None, digits: int) -> str:
    """Return a number with so many decimals, or a dash."""
    return ABSENT if value is None else f"{value:,.{digits}f}"


def as_markdown(table: Table) -> str:
    """Return a table for a document, all columns but the first to the right."""
    marks = ("---", *["---:"] * (len(table[0]) - 1))
    return "\n".join("| " + " | ".join(line) + " |" for line in (table[0], marks, *table[1]))
