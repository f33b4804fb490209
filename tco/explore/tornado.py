"""A tornado: each ranged number at its low, then its high end, all others as stated.

Eschenbach 1992, Spiderplots versus tornado diagrams, Interfaces 22(6).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tco.cost.number import FloatArray
from tco.explore.draw import number_at
from tco.uncertainty import Bar, Tornado, Varied

_ENDS = np.array([0.025, 0.975])
# What the arithmetic of doubles makes of a figure that does not move, as a share of it.
_ROUNDING = 1e-12


def tornado_points(varied: Sequence[Varied]) -> dict[str, FloatArray]:
    """Return every number by its key at 1 + 2n points: as stated, then each one's low and high."""
    points = {each.key: np.full(1 + 2 * len(varied), each.value) for each in varied}
    for place, each in enumerate(varied):
        points[each.key][1 + 2 * place : 3 + 2 * place] = ends_of(each)
    return points


def ends_of(varied: Varied) -> FloatArray:
    """Return the low and high ends: of a normal, which has none, what holds 95 % of it."""
    if varied.shape == "normal":
        return number_at(varied, _ENDS)
    return np.array([varied.low, varied.high])


def tornado_of(varied: Sequence[Varied], figure: FloatArray) -> Tornado | None:
    """Return the tornado of a figure at `tornado_points`; None where there is no such figure."""
    if np.isnan(figure).any():
        return None
    bars = [
        Bar(key=each.key, low=low, high=high, at_low=at_low, at_high=at_high)
        for each, (low, high), (at_low, at_high) in zip(
            varied, map(ends_of, varied), figure[1:].reshape(-1, 2).tolist(), strict=True
        )
        if differs(np.array([at_low, at_high]), float(figure[0])).any()
    ]
    return Tornado(
        base=float(figure[0]), bars=tuple(sorted(bars, key=lambda bar: bar.swing, reverse=True))
    )


def differs(figure: FloatArray, base: float, *, unit: float = 1.0) -> NDArray[np.bool_]:
    """Say where a figure is another than `base` by more than rounding; of a share `unit` is 1."""
    far: NDArray[np.bool_] = np.abs(figure - base) > _ROUNDING * max(abs(base), unit)
    return far


def moves(varied: Varied, all_varied: Sequence[Varied], figure: FloatArray) -> bool:
    """Say whether a number moves the figure at `tornado_points`."""
    place = all_varied.index(varied)
    ends = figure[1 + 2 * place : 3 + 2 * place]
    return bool(differs(ends, float(figure[0]), unit=0.0).any())
