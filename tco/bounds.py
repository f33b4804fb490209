"""The range a number may lie in, and the rule in words where it does not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

HIGHEST_CHANGE = 10
_PERCENT_LOW, _PERCENT_TOP = 2, 100


@dataclass(frozen=True, slots=True)
class Range:
    """The values a quantity may take; an open end is not itself allowed."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def holds(self, number: float | Decimal) -> bool:
        """Say whether the number is finite and inside."""
        if not math.isfinite(number):
            return False
        number = float(number)  # as the bounds are: the decimal 0.001 lies below its own float
        above = number > self.low if self.low_open else number >= self.low
        below = number < self.high if self.high_open else number <= self.high
        return above and below

    def rule(self, number: float | Decimal) -> str:
        """Return the rule that the number breaks, as the words that follow "must be"."""
        if math.isfinite(self.high) and self.high <= HIGHEST_CHANGE:
            left, right = "(" if self.low_open else "[", ")" if self.high_open else "]"
            return f"in {left}{self.low:g}, {self.high:g}{right}"
        if not math.isfinite(number):
            return "a finite number"
        if number > self.high:
            return f"at most {self.high:,.0f}"
        return f"above {self.low:g}" if self.low_open else f"{self.low:g} or more"

    def remedy(self, number: float | Decimal) -> str | None:
        """Return what to write instead, where a percentage was plainly meant."""
        if self.high > HIGHEST_CHANGE or not math.isfinite(number):
            return None
        if not self.high < number <= _PERCENT_TOP:
            return None
        if number < _PERCENT_LOW:
            return "shares go from 0 to 1"
        return f"write {float(number) / _PERCENT_TOP:g} (shares go from 0 to 1, not percent)"


# How often a cash flow buys its hardware again: far above any plan, and it ends.
MAX_LIVES = 100
