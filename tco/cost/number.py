"""The numbers of the economics: one float, or an array of them, handled alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Number = float | FloatArray


def as_number(number: object) -> Number:
    """Return a Python float for a single number, so that scalars stay scalars."""
    array = np.asarray(number, dtype=float)
    return float(array) if array.ndim == 0 else array


def require(holds: object, message: str) -> None:
    """Raise ValueError unless the condition holds for every element."""
    if holds is True:  # of plain numbers, which are asked by the ten thousand
        return
    if not np.all(np.asarray(holds)):
        raise ValueError(message)


def non_negative(**named: Number) -> None:
    """Raise ValueError when any named number, or element of it, is negative or NaN."""
    for name, number in named.items():
        require(number >= 0, f"{name} must be 0 or more")


def at_most_one(**named: Number) -> None:
    """Raise ValueError when any named share, or element of it, lies outside 0 to 1."""
    for name, number in named.items():
        require((number >= 0) & (number <= 1), f"{name} must be in [0, 1]")


def utilisation_of(utilisation: Number) -> None:
    """Raise ValueError unless 0 < u <= 1: at 0 there are no tokens and so no cost of one."""
    require((utilisation > 0) & (utilisation <= 1), "utilisation must be in (0, 1]")
