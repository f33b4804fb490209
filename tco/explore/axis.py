"""An axis is one `--vary KEY=…`: the key, and the values it takes in order."""

from __future__ import annotations

import math
from dataclasses import dataclass

from tco.errors import InputError

# STOP is included even where START + i STEP misses it by a rounding error.
_ROUNDING = 1e-9
MAX_VALUES = 1_000_000


@dataclass(frozen=True, slots=True)
class Axis:
    """One key and its values, each as the text that `--set` would take.

    Attributes:
        numbers: the same values as numbers; empty where one is not a number.
    """

    key: str
    texts: tuple[str, ...]
    numbers: tuple[float, ...]


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
    if len(parts) == 3 and all(_number(part) is not None for part in parts):  # noqa: PLR2004  START, STOP, STEP
        numbers = _range(text, *(float(part) for part in parts))
        return Axis(key, tuple(f"{each:.15g}" for each in numbers), numbers)
    texts = tuple(part.strip() for part in values.split(","))
    if not all(texts):
        raise _fault(text, "has an empty value")
    found = [_number(part) for part in texts]
    return Axis(key, texts, () if None in found else tuple(n for n in found if n is not None))


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    if "_" in text or not math.isfinite(number):
        return None
    return number


def _range(text: str, start: float, stop: float, step: float) -> tuple[float, ...]:
    if step == 0:
        raise _fault(text, "has a STEP of 0, so it never ends")
    steps = (stop - start) / step + _ROUNDING
    if steps < 0:
        raise _fault(text, "has a STEP that leads away from STOP")
    if steps >= MAX_VALUES:
        raise _fault(text, f"has more than {MAX_VALUES:,} values")
    # Twelve digits: 0.1 + 2 x 0.1 is to read 0.3.
    return tuple(float(f"{start + i * step:.12g}") for i in range(math.floor(steps) + 1))


def _fault(text: str, problem: str) -> InputError:
    return InputError(
        f"--vary {problem}, got {text!r}",
        remedy="write for example --vary power.usd_per_kwh=0.1:0.3:0.05",
    )
