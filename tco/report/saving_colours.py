"""The colours of savings: orange for a loss, blue for a saving, palest at the break-even."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.colors import Colormap, Normalize

_LOSS, _PALE, _SAVING = ("#b35806", "#f1c48f"), "#f7f7f7", ("#9ecae1", "#0b5cad")
# A loss beyond the whole bill is cut off, unless a tenth of what is shown lies there.
_LOSS_SHOWN, _SHARE_BEYOND = -1.0, 0.1
_LEAST = 0.01
_DARK = 0.7


@dataclass(frozen=True, slots=True)
class SavingColours:
    """From the lowest saving shown to the highest, 0 always among them.

    Attributes:
        is_cut: some savings lie below the lowest shown, and have its colour.
    """

    low: float
    high: float
    is_cut: bool

    @classmethod
    def of(cls, savings: Sequence[NDArray[np.float64]]) -> SavingColours:
        """Return the colours of all these savings; NaN is none."""
        there = np.concatenate([each[~np.isnan(each)] for each in savings] or [np.zeros(0)])
        lowest = float(there.min(initial=0.0))
        low = lowest
        if lowest < _LOSS_SHOWN:
            low = min(_LOSS_SHOWN, float(np.quantile(there, _SHARE_BEYOND, method="lower")))
        high = float(there.max(initial=0.0))
        if high - low < _LEAST:
            high = low + _LEAST if lowest >= 0 else high
            low = low if lowest >= 0 else high - _LEAST
        return cls(low, high, is_cut=lowest < low)

    def colour_map(self) -> Colormap:
        """Return the colours from `low` to `high`."""
        from matplotlib.colors import LinearSegmentedColormap

        losses = (*_LOSS, _PALE) if self.low < 0 else ()
        savings = (_PALE, *_SAVING) if self.high > 0 else ()
        colours = dict.fromkeys((*losses, *savings))
        return LinearSegmentedColormap.from_list("saving", list(colours))

    def norm(self) -> Normalize:
        """Return the scale, which puts 0 at the palest."""
        from matplotlib.colors import Normalize, TwoSlopeNorm

        if self.low < 0 < self.high:
            return TwoSlopeNorm(0, self.low, self.high)
        return Normalize(self.low, self.high)

    def is_dark(self, saving: float) -> bool:
        """Say whether words on the saving's colour must be light."""
        end = self.low if saving < 0 else self.high
        return saving / end > _DARK if end else False
