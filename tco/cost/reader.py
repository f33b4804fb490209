"""Reads the scenario's numbers by key, so that an array may stand in a figure's place.

That is how a sweep varies a key: it overrides the number, and the same code runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from tco.cost.number import FloatArray, Number
from tco.quantity import PriceQuantity, Quantity
from tco.scenario import LengthSpread, Scenario


def at_key(scenario: Scenario, key: str) -> Any:
    """Return what a scenario holds at a dotted key; None where that is nothing."""
    node: Any = scenario
    for part in key.split("."):
        listed = isinstance(node, tuple) and part.isdigit() and int(part) < len(node)
        node = node[int(part)] if listed else getattr(node, part, None)
    return node


@dataclass(slots=True)
class Reader:
    """Reads a number by its dotted key; an override's array wins over the scenario's figure.

    Attributes:
        used: the keys of overrides that were read.
        asked: every other number that was read, or the default where there is none.
    """

    scenario: Scenario
    overrides: Mapping[str, FloatArray] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    asked: dict[str, float] = field(default_factory=dict)

    def given(self, key: str) -> bool:
        """Say whether the scenario states the key, or an override gives it."""
        return key in self.overrides or self._value(key) is not None

    def __call__(self, key: str, default: float = 0.0) -> Number:
        """Return the number at the key, or the default where there is none."""
        if key in self.overrides:
            self.used.add(key)
            return self.overrides[key]
        value = self._value(key)
        self.asked[key] = default if value is None else value
        return self.asked[key]

    def _value(self, key: str) -> float | None:
        node = at_key(self.scenario, key)
        if isinstance(node, Quantity | PriceQuantity):
            node = node.value
        if isinstance(node, LengthSpread):
            node = node.mean.value
        return float(node) if isinstance(node, int | float | Decimal) else None
