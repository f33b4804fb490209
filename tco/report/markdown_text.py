"""Text and tables as GitHub-flavoured Markdown: what a file says is shown, and nothing in it acts.

A backslash makes a sign of punctuation plain. What GitHub reads after the Markdown (mentions,
references to issues, addresses, emoji) is parted by a zero-width space instead, as others do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tco.report.findings import FindingLine
from tco.report.table import Table
from tco.report.text import plain

ZERO_WIDTH_SPACE = "\u200b"
# Emphasis, code, links, HTML, tables, strikethrough, headings, entities. An underscore inside a
# word and the dollar before a number are none of these, and stay as they are to be read.
_SIGNS = re.compile(r"[\\`*\[\]<>|~#{}]|&(?=[#\w])|\$(?!\d)|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")
# What would begin a list or underline a heading at the start of a line.
_BLOCK = re.compile(r"^(\d*)([.)](?=\s|$))|^()([+=-])(?=\s|$|[=-]*$)")
_GITHUB = re.compile(
    r"@(?=\w)|#(?=\d)|(?<=\bGH-)(?=\d)|:(?=//|[\w+-]+:)|\bwww(?=\.)", re.IGNORECASE
)


def escaped(text: str) -> str:
    """Return the text on one line, to be printed as it is wherever Markdown may stand."""
    shown = _GITHUB.sub(rf"\g<0>{ZERO_WIDTH_SPACE}", plain(text))
    shown = _SIGNS.sub(r"\\\g<0>", shown)
    return _BLOCK.sub(r"\1\3\\\2\4", shown)


def markdown_findings(listed: Iterable[FindingLine]) -> str:
    """Return a line of a list for each finding."""
    return "\n".join(
        f"- **{each.severity_words}:** {escaped(each.message)} {escaped(each.advice)}"
        for each in listed
    )


def markdown_table(table: Table) -> str:
    """Return the table under its caption."""
    heads = [escaped(column.title) for column in table.columns]
    rules = ["---:" if column.numeric else "---" for column in table.columns]
    body = [[escaped(cell.text) for cell in row.cells] for row in table.rows]
    lines = "\n".join(f"| {' | '.join(cells)} |" for cells in (heads, rules, *body))
    return f"**{escaped(table.caption)}**\n\n{lines}"


def code_block(lines: str) -> str:
    """Return the lines as they are, in a fence that none of them can close."""
    runs = re.findall(r"`{3,}", lines)
    fence = "`" * max([3, *(len(run) + 1 for run in runs)])
    return f"{fence}text\n{lines}\n{fence}"
