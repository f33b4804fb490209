"""Text for a cell: a spreadsheet shows it whole or says it is cut, and never runs it."""

from __future__ import annotations

import re

# A spreadsheet takes a cell that begins with one of these for a formula; in East Asian settings
# also with one of their wide forms.
FORMULA = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"

# A spreadsheet holds 32,767 UTF-16 units in a cell; the words on the cut need some.
_MOST_UNITS, _KEPT_UNITS = 32_767, 32_000
_BYTES_PER_UNIT = 2


def cut_to_cell(text: str) -> str:
    """Return the text, cut with a word where it is longer than a spreadsheet's cell holds."""
    if len(text) * _BYTES_PER_UNIT <= _MOST_UNITS:
        return text
    units = text.encode("utf-16-le", "surrogatepass")
    if len(units) <= _MOST_UNITS * _BYTES_PER_UNIT:
        return text
    kept = units[: _KEPT_UNITS * _BYTES_PER_UNIT].decode("utf-16-le", "ignore")
    return f"{kept}… (cut: {len(text)} characters)"


def as_text(text: str) -> str:
    """Return the text, with an apostrophe before it where it would be a formula else."""
    return f"'{text}" if re.match(FORMULA, text) else text
