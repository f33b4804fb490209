"""The numbers of a wall meter's export: with a decimal point or comma, perhaps with a unit."""

from __future__ import annotations

import re
from typing import Final

from tco.measure.power.wall_columns import JOULES, WATTS, Value

_NUMBER = re.compile(
    r"([-+]?\d*)(?:([.,])(\d+))?(?:e([-+]?\d{1,2}))?\s*([a-z]*)", re.ASCII | re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_LARGEST: Final = 1e15
_GROUP: Final = 3  # digits between the separators of thousands


def reading(text: str, value: Value, delimiter: str) -> tuple[float, float] | None:
    """Return a cell's watts or joules and the smallest step that it shows; None without a number.

    A cell that names its unit is read in that. A decimal comma that could part thousands counts
    as one only beside semicolons, which are written where commas are decimal.

    Raises:
        ValueError: it holds a number that cannot be read without doubt.
    """
    text = text.strip()
    if not _DIGIT.search(text):
        return None
    found = _NUMBER.fullmatch(text)
    if found is None:
        raise ValueError(text)
    whole, separator, decimals, exponent, unit = found.groups()
    digits = whole.lstrip("+-")
    groups = separator == "," and len(decimals) == _GROUP and 0 < len(digits) <= _GROUP
    if groups and digits[0] != "0" and delimiter != ";":
        raise ValueError(text)
    factor = _factor(unit, value)
    number = float(f"{whole or ''}.{decimals or '0'}e{exponent or 0}") * factor
    if not abs(number) < _LARGEST:
        raise ValueError(text)
    return number, factor * 10.0 ** (int(exponent or 0) - len(decimals or ""))


def _factor(unit: str, value: Value) -> float:
    if not unit:
        return value.unit
    known = WATTS if value.kind == "power" else JOULES
    if unit == "MW" or unit.lower() not in known:
        raise ValueError(unit)
    return known[unit.lower()]
