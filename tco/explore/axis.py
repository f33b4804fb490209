"""An axis is one `--vary KEY=…`: the key, and the values it takes in order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from tco.cost.number import FloatArray
from tco.errors import InputError

# STOP is included even where START + i STEP misses it by a rounding error.
_ROUNDING = 1e-9
# Whole numbers and powers of ten up to these are exact as doubles.
_EXACT_WHOLE, _EXACT_DECIMALS = 2**53, 22
MAX_VALUES = 1_000_000
_PARTS = 3  # START, STOP, STEP


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """One key and its values.

    Attributes:
        numbers: the values; empty where one of them is not a number.
        words: the values as they were listed; empty for a range.
    """

    key: str
    numbers: FloatArray
    words: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self.words) or len(self.numbers)

    @property
    def is_numeric(self) -> bool:
        """Whether every value is a number."""
        return len(self.numbers) > 0

    def text(self, index: int) -> str:
        """Return a value as the text that `--set` would take."""
        return self.words[index] if self.words else f"{self.numbers[index]:.15g}"

    def texts(self) -> Iterator[str]:
        """Yield all values as text."""
        return (self.text(index) for index in range(len(self)))

    def spread(self, most: int) -> Axis:
        """Return the axis with at most so many of its values, evenly over it, both ends in."""
        if len(self) <= most:
            return self
        at = np.linspace(0, len(self) - 1, most).astype(int)
        words = tuple(self.words[i] for i in at) if self.words else ()
        return Axis(self.key, self.numbers[at] if self.is_numeric else self.numbers, words)


def parse_axis(text: str) -> Axis:
    """Return `KEY=START:STOP:STEP` or `KEY=a,b,c` as an axis.

    A range holds START + i STEP for i = 0 … ⌊(STOP - START) / STEP + 1e-9⌋.

    Raises:
        InputError: no `=`, no values, or a range that does not end.
    """
    key, equals, values = text.partition("=")
    key = key.strip()
    if not equals or not key or not values.strip():
        raise _fault(text, "needs KEY=START:STOP:STEP or KEY=a,b,c")
    parts = values.split(":")
    if len(parts) == _PARTS and all(_number(part) is not None for part in parts):
        return Axis(key, _range(text, *(part.strip() for part in parts)))
    if len(parts) == _PARTS - 1 and all(_number(part) is not None for part in parts):
        raise _fault(text, "has a START and a STOP, and no STEP")
    words = tuple(part.strip() for part in values.split(","))
    if not all(words):
        raise _fault(text, "has an empty value")
    found = [number for number in map(_number, words) if number is not None]
    return Axis(key, np.array(found if len(found) == len(words) else [], dtype=float), words)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text or not math.isfinite(number):
        return None
    return number


def _range(text: str, start_text: str, stop_text: str, step_text: str) -> FloatArray:
    start, stop, step = float(start_text), float(stop_text), float(step_text)
    if step == 0:
        raise _fault(text, "has a STEP of 0, so it never ends")
    steps = (stop - start) / step + _ROUNDING
    if steps < 0:
        raise _fault(text, "has a STEP that leads away from STOP")
    if steps >= MAX_VALUES:
        raise _fault(text, f"has more than {MAX_VALUES:,} values")
    return _steps(Decimal(start_text), Decimal(step_text), math.floor(steps) + 1)


def _steps(start: Decimal, step: Decimal, count: int) -> FloatArray:
    """Return start + i step; counted in the last decimal of the two, so that 0.1 + 0.2 is 0.3."""
    exponents = [each.as_tuple().exponent for each in (start, step)]
    decimals = max(0, *(-each for each in exponents if isinstance(each, int)))
    first, by = start.scaleb(decimals), step.scaleb(decimals)
    largest = max(abs(first), abs(first + by * count))
    if decimals > _EXACT_DECIMALS or largest > _EXACT_WHOLE:
        return np.array(float(start) + float(step) * np.arange(count), np.float64)
    counted = int(first) + int(by) * np.arange(count, dtype=np.int64)
    return np.array(counted / 10.0**decimals, np.float64)


def _fault(text: str, problem: str) -> InputError:
    return InputError(
        f"--vary {problem}, got {text!r}",
        remedy="write for example --vary power.usd_per_kwh=0.1:0.3:0.05",
    )
