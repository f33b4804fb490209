"""Text for a cell of a CSV file: a spreadsheet shows it, and never runs it as a formula."""

from __future__ import annotations

import re

# A spreadsheet takes a cell that begins with one of these for a formula; in East Asian settings
# also with one of their wide forms.
FORMULA = "^[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"


def as_text(text: str) -> str:
    """Return the text, with an apostrophe before it where it would be a formula else."""
    return f"'{text}" if re.match(FORMULA, text) else text
