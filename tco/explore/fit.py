"""Keeps drawn numbers to the rules between a scenario's keys: one may not lie above another."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tco.cost.number import FloatArray
from tco.cost.reader import Reader
from tco.scenario import Scenario

# What a scenario asks of each pair: the first is not above the second.
_ORDERED = (
    ("power.idle_w", "power.load_w"),
    ("hardware.purchase.residual_usd", "hardware.purchase.price_usd"),
    ("traffic.demand.average_output_tok_per_s", "traffic.demand.peak_output_tok_per_s"),
)
_ONE_SERVER = (
    ("engine.accelerators", "hardware.purchase.accelerators"),
    ("engine.accelerators", "hardware.rent.accelerators"),
)


def fitted(scenario: Scenario, drawn: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Return the draws with each rule kept: a number that breaks one is set to its limit.

    The lower number of a pair gives way; where that was not drawn, the upper one does.
    """
    kept = dict(drawn)
    for lower, upper in _rules(scenario):
        read = Reader(scenario, kept)
        if not (read.given(lower) and read.given(upper)):
            continue
        if lower in kept:
            kept[lower] = np.minimum(kept[lower], read(upper))
        elif upper in kept:
            kept[upper] = np.maximum(kept[upper], read(lower))
    return kept


def _rules(scenario: Scenario) -> tuple[tuple[str, str], ...]:
    return _ORDERED if scenario.traffic.demand is not None else (*_ORDERED, *_ONE_SERVER)
