"""Uncertainty is how sure a comparison is: what its stated ranges make of the saving.

Part of the Comparison's JSON (`docs/uncertainty.md` says how it is found). `None` means "there
is none", and the field ending in `_reason` says why.
"""

from __future__ import annotations

from typing import Literal

from tco.part import Part

DrawShape = Literal["uniform", "triangular", "normal"]
# What a probability must not take as certain.
Need = Literal["utilisation", "api_price", "capital"]
NoSpread = Literal["zero_price", "no_range_moves_it"]
# The capacity is no key of a scenario; this names it beside those that are.
CAPACITY_KEY = "capacity.output_tok_per_s"


class Varied(Part):
    """A number that was drawn, in the unit its key carries.

    Attributes:
        key: the scenario's, or `capacity.output_tok_per_s` for the measured rate.
        value: what every other figure of the comparison rests on.
        low: of the range; of a normal distribution (truncated at 0) the lower end of the
            interval that was measured, beyond which it goes.
        high: likewise.
        shape: how it was drawn.
        whole: only whole numbers were drawn.
    """

    key: str
    value: float
    low: float
    high: float
    shape: DrawShape
    whole: bool = False


class Held(Part):
    """A number that stayed as stated; None for the prices of a table's row."""

    key: str
    value: float | None


class Spread(Part):
    """The median and the interval that holds a share of the draws (`Uncertainty.level`)."""

    median: float
    low: float
    high: float


class CostBand(Part):
    """The interval of USD per million output tokens at a utilisation, the fleet as it is."""

    utilisation: float
    low: float
    high: float


class Bar(Part):
    """A figure with one number at the low, then at the high end of its range, all else as stated.

    A bar is one-sided where a range begins or ends at its value.
    """

    key: str
    low: float
    high: float
    at_low: float
    at_high: float

    @property
    def swing(self) -> float:
        """How far the figure moves."""
        return abs(self.at_high - self.at_low)


class Tornado(Part):
    """A figure as stated, and its bars, the widest first; what does not move it has none."""

    base: float
    bars: tuple[Bar, ...]


class RivalUncertainty(Part):
    """How sure the result against one alternative is.

    Attributes:
        saving: a share; None where there is none, in every draw or in some, or where nothing
            that was drawn moves it. So is `saving_usd_per_year`.
        probability_cheaper: the share of the draws in which own hardware costs less.
        probability_needs: what carries no range; while anything does, there is no probability.
    """

    name: str
    saving: Spread | None
    saving_reason: NoSpread | None = None
    saving_usd_per_year: Spread | None
    saving_usd_per_year_reason: NoSpread | None = None
    probability_cheaper: float | None
    probability_reason: Literal["bare_numbers", "zero_price"] | None = None
    probability_needs: tuple[Need, ...] = ()
    saving_tornado: Tornado | None


class Uncertainty(Part):
    """What is known of every figure when each ranged number is drawn independently.

    Attributes:
        level: the share of the draws that an interval holds, the rest equally on both sides.
        varied: what was drawn.
        held: what else the figures rest on, and was held fixed.
        alternatives: in the order of the comparison's.
        cost_band: of own cost along the utilisation, from every range but those of utilisation
            and demand; nothing where none of them moves it.
    """

    draws: int
    seed: int
    level: float
    varied: tuple[Varied, ...]
    held: tuple[Held, ...]
    usd_per_million_output: Spread
    usd_per_million_total: Spread
    usd_per_million_total_tornado: Tornado
    alternatives: tuple[RivalUncertainty, ...]
    cost_band: tuple[CostBand, ...] = ()

    def moving(self, index: int) -> tuple[Varied, ...]:
        """Return what was drawn and moves the saving against the alternative at `index`."""
        tornado = self.alternatives[index].saving_tornado
        if tornado is None:
            return tuple(each for each in self.varied if not _of_another(each.key, index))
        keys = {bar.key for bar in tornado.bars}
        return tuple(each for each in self.varied if each.key in keys)

    def held_against(self, index: int) -> tuple[Held, ...]:
        """Return what the result against that alternative rests on, and was held fixed."""
        return tuple(each for each in self.held if not _of_another(each.key, index))


def _of_another(key: str, index: int) -> bool:
    """Say whether a key is of another alternative than the one at `index`."""
    return key.startswith("alternatives.") and not key.startswith(f"alternatives.{index}.")
