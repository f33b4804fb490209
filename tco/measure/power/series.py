"""A Series is what one sensor said over time: a counter of joules, or watts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from tco.units import NS_PER_S

Kind = Literal["counter", "power"]
_GAP_STEPS = 3.0  # a step this many times the usual one is a gap
_REACH_STEPS = 1.5  # how far beyond the first and last reading the rate there is taken to hold


@dataclass(frozen=True, slots=True)
class Series:
    """Readings of one sensor, times rising, at least two of them.

    Attributes:
        times_ns: when each was read, on one clock.
        values: joules counted so far (`counter`), or watts (`power`).
        kind: which of the two.
        wraps_at_j: where the counter starts again at 0; None: a fall of it is a reset.
    """

    times_ns: npt.NDArray[np.int64]
    values: npt.NDArray[np.float64]
    kind: Kind
    wraps_at_j: float | None = None

    @property
    def step_ns(self) -> float:
        """The usual time between readings [ns]."""
        return float(np.median(np.diff(self.times_ns)))

    def readings(self, start_ns: int, stop_ns: int) -> int:
        """Return how many readings lie in a span."""
        inside = (self.times_ns >= start_ns) & (self.times_ns <= stop_ns)
        return int(np.count_nonzero(inside))

    def reaches(self, start_ns: int, stop_ns: int) -> bool:
        """Say whether the readings begin before a span and end after it, but for a step."""
        reach = _REACH_STEPS * self.step_ns
        return bool(self.times_ns[0] - start_ns <= reach and stop_ns - self.times_ns[-1] <= reach)

    def was_reset(self, start_ns: int, stop_ns: int) -> bool:
        """Say whether the counter fell within a span, so that its energy is not known."""
        if self.kind == "power" or self.wraps_at_j is not None:
            return False
        falls = np.diff(self.values) < 0
        touches = (self.times_ns[:-1] < stop_ns) & (self.times_ns[1:] > start_ns)
        return bool(np.any(falls & touches))

    def unseen_s(self, start_ns: int, stop_ns: int) -> float:
        """Return for how long of a span the energy is a guess between far readings [s].

        A gap inside the span costs a counter nothing: it counted on. One over an edge leaves
        open how much of it belongs to the span.
        """
        first, last = self.times_ns[:-1], self.times_ns[1:]
        gap = last - first > _GAP_STEPS * self.step_ns
        if self.kind == "counter":
            gap &= (first < start_ns) | (last > stop_ns)
        overlap_ns = np.minimum(last, stop_ns) - np.maximum(first, start_ns)
        return float(np.sum(np.clip(overlap_ns[gap], 0, None))) / NS_PER_S

    def energy_j(self, start_ns: int, stop_ns: int) -> float:
        """Return the energy of a span [J].

        Watts are integrated by trapezoids, a counter is read between its readings in
        proportion to time; beyond the ends the last rate holds.
        """
        return float(self._until_j(stop_ns) - self._until_j(start_ns))

    def _until_j(self, time_ns: int) -> float:
        at_s = (time_ns - int(self.times_ns[0])) / NS_PER_S
        times_s = (self.times_ns - self.times_ns[0]) / NS_PER_S
        steps_s = np.diff(times_s)
        step = int(np.clip(np.searchsorted(times_s, at_s, "right") - 1, 0, len(steps_s) - 1))
        since_s = at_s - times_s[step]
        if self.kind == "counter":
            steps_j = self._counted_j()
            return float(steps_j[:step].sum() + steps_j[step] * since_s / steps_s[step])
        mean_w = (self.values[:-1] + self.values[1:]) / 2
        before_j = float(np.sum((mean_w * steps_s)[:step]))
        return before_j + self._within_j(step, since_s, float(steps_s[step]))

    def _counted_j(self) -> npt.NDArray[np.float64]:
        steps_j = np.diff(self.values)
        return np.where(steps_j < 0, steps_j + (self.wraps_at_j or 0.0), steps_j)

    def _within_j(self, step: int, since_s: float, step_s: float) -> float:
        """Energy since the step's first reading; watts change linearly inside it only [J]."""
        first_w, last_w = float(self.values[step]), float(self.values[step + 1])
        if since_s < 0:
            return first_w * since_s
        inside_s = min(since_s, step_s)
        at_w = first_w + (last_w - first_w) * inside_s / step_s
        return (first_w + at_w) / 2 * inside_s + last_w * (since_s - inside_s)
