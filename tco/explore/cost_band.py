"""The interval of own cost along the utilisation: what the ranges of everything else make of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping

import numpy as np

from tco.cost.evaluate import Inputs, evaluate_fleet
from tco.cost.fleet import Fleet
from tco.cost.number import FloatArray
from tco.explore.quantile import quantiles
from tco.uncertainty import CostBand

# Enough for a band on paper; the figures of the comparison rest on all draws.
DRAWS = 10_000
_LOAD = ("traffic.target_utilisation", "traffic.demand.")
_UTILISATIONS = (*(n / 100 for n in range(1, 10)), *(n / 20 for n in range(2, 21)))


def without_load(drawn: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the first draws of what is neither the utilisation nor the demand."""
    return {key: each[:DRAWS] for key, each in drawn.items() if not key.startswith(_LOAD)}


def cost_band(inputs: Inputs, fleet: Fleet, level: float) -> tuple[CostBand, ...]:
    """Return the interval of USD per million output tokens at each utilisation.

    Args:
        inputs: with the draws of `without_load`.
        fleet: as sized at the stated values; it stays, whatever is drawn.
        level: the share of the draws between low and high, the rest equally on both sides.

    Returns:
        Nothing where no draw moves own cost.

    Raises:
        ValueError: as `evaluate_fleet`.
    """
    rows = tuple(_rows(dataclasses.replace(inputs, alternatives=()), fleet, level))
    return rows if any(row.low < row.high for row in rows) else ()


def _rows(inputs: Inputs, fleet: Fleet, level: float) -> Iterator[CostBand]:
    tail = (1 - level) / 2
    for share in _UTILISATIONS:
        at = evaluate_fleet(inputs, dataclasses.replace(fleet, utilisation=share))
        cost = np.atleast_1d(np.asarray(at.usd_per_million_output))
        low, high = quantiles(cost, (tail, 1 - tail))
        yield CostBand(utilisation=share, low=low, high=high)
