"""A tornado: each ranged number at its low, then its high end, all others as stated.

Eschenbach 1992, Spiderplots versus tornado diagrams, Interfaces 22(6).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tco.cost.number import FloatArray
from tco.explore.draw import number_at
from tco.uncertainty import Bar, Tornado, Varied

_ENDS = np.array([0.025, 0.975])


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
        if at_low != at_high or at_low != figure[0]
    ]
    return Tornado(
        base=float(figure[0]), bars=tuple(sorted(bars, key=lambda bar: bar.swing, reverse=True))
    )


def moves(varied: Varied, all_varied: Sequence[Varied], figure: FloatArray) -> bool:
    """Say whether a number moves the figure at `tornado_points`."""
    place = all_varied.index(varied)
    return bool(np.any(figure[1 + 2 * place : 3 + 2 * place] != figure[0]))
