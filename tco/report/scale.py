"""A scale maps a quantity to a place on paper, linear or logarithmic, and knows its ticks."""

from __future__ import annotations

import math
from dataclasses import dataclass

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_FINE = (1.0, 2.0, 5.0)
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high` of the quantity, and where on paper these lie [pt].

    On a logarithmic scale both are above 0, and what is below `low` is drawn at it.
    """

    low: float
    high: float
    start_pt: float
    end_pt: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a value [pt]."""
        return self.start_pt + self.share(value) * (self.end_pt - self.start_pt)

    def share(self, value: float) -> float:
        """Return where a value lies between low (0) and high (1)."""
        if self.log:
            span = math.log(self.high / self.low)
            return math.log(max(value, self.low) / self.low) / span
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int = 6) -> tuple[float, ...]:
        """Return round values inside the scale, at most about that many."""
        return self._log_ticks(most) if self.log else self._linear_ticks(most)

    def _linear_ticks(self, most: int) -> tuple[float, ...]:
        rough = (self.high - self.low) / most
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(each for each in _STEPS if each * power >= rough * (1 - _ROUNDING))
        first = math.ceil(self.low / step - _ROUNDING)
        last = math.floor(self.high / step + _ROUNDING)
        return tuple(index * step for index in range(first, last + 1))

    def _log_ticks(self, most: int) -> tuple[float, ...]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        decades = [10.0**power for power in range(first, last + 1)]
        inside = [tick for tick in decades if self.low <= tick <= self.high]
        if len(inside) > len(_FINE) - 1:
            return tuple(inside[:: math.ceil(len(inside) / most)])
        fine = [decade * factor for decade in decades for factor in _FINE]
        return tuple(tick for tick in fine if self.low <= tick <= self.high)
