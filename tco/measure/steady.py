"""When a rate is steady, and how sure it is: warm-up, batch means, drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from tco.measure.interval import LEVEL, change_in_order, mean_in_order
from tco.measurement import Interval
from tco.units import NS_PER_S

LEAST_BATCHES: Final = 10
MOST_BATCHES: Final = 30
LATENCIES_OF_A_BATCH: Final = 2.0
RESOLUTION: Final = 0.001
"""Half an interval is at least this share of the rate.

Where requests are alike, the edges of all batches cut them at the same place, and the batches
agree better with each other than with the truth; by simulation, by some 0.05 %.
"""
WIDEST: Final = 2.0
"""An interval whose upper end is further above the rate than this many times it says nothing."""
DRIFT_PARTS: Final = 20
DRIFT_LIMIT: Final = 0.05
LEAST_DRIFT: Final = 0.02
STABLE_CHANGE: Final = 0.05

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def is_stable(totals: list[tuple[float, float]], span_s: float) -> bool:
    """Say whether a running total grows at one rate.

    The rate over the last `span_s` seconds is held against that over the span before;
    they may differ by `STABLE_CHANGE` of the latter.

    Args:
        totals: (time in s, total so far), in order of time.
        span_s: length of each of the two spans.
    """
    if len(totals) < 2 or totals[-1][0] - totals[0][0] < 2 * span_s:  # noqa: PLR2004  two spans
        return False
    times, counts = np.array(totals).T
    end = times[-1]
    first, middle, last = np.interp([end - 2 * span_s, end - span_s, end], times, counts)
    before, after = middle - first, last - middle
    return bool(before > 0 and abs(after / before - 1) <= STABLE_CHANGE)


@dataclass(frozen=True, slots=True)
class Steadiness:
    """The rate's interval (None: the window is too short) and its drift over it, as a share.

    `drifts` says that the drift is beyond both chance (95 %) and `LEAST_DRIFT`; beyond
    `DRIFT_LIMIT` the rate is none to rely on.
    """

    interval: Interval | None
    batches: int
    drift_share: float
    drifts: bool

    @property
    def is_narrow(self) -> bool:
        """Say whether there is an interval, of a half-width within `DRIFT_LIMIT` of its middle."""
        if self.interval is None:
            return False
        low, high = self.interval.low, self.interval.high
        return high - low <= DRIFT_LIMIT * (high + low)


def batch_rates(times_ns: Ints, tokens: Ints, start_ns: int, stop_ns: int, batches: int) -> Floats:
    """Return the rate (tok/s) in each of `batches` equal parts of the window."""
    edges = np.linspace(start_ns, stop_ns, batches + 1)
    counts, _ = np.histogram(times_ns, bins=edges, weights=tokens)
    return np.asarray(counts / (np.diff(edges) / NS_PER_S))


def steadiness(
    times_ns: Ints, tokens: Ints, start_ns: int, stop_ns: int, median_e2e_s: float | None
) -> Steadiness:
    """Return interval and drift of the output rate over a window.

    Batch means (Law, Simulation Modeling and Analysis, 5th ed., section 9.5.3): batches of at
    least twice the median e2e latency, at least ten of them, and an interval that allows for
    what one batch tells of the next (`tco.measure.interval`). The drift is the change of a
    least-squares line through 20 parts, tested in the same way. By simulation it calls 6 % or
    fewer of the steady runs drifting for correlation times of up to a twentieth of the window,
    and 9 % at a tenth. It finds, in a window of twenty latencies, a slow-down of 5 % in nine runs
    of ten where the rate otherwise wanders by 1 % with half a latency's memory, and one of 10 %
    where by 2 %.

    Args:
        times_ns: arrival of each token event.
        tokens: tokens in each event.
        start_ns: where the window begins.
        stop_ns: where it ends.
        median_e2e_s: of the requests completed in it; None if there were none.
    """
    window_s = (stop_ns - start_ns) / NS_PER_S
    least_s = LATENCIES_OF_A_BATCH * median_e2e_s if median_e2e_s else window_s
    batches = min(MOST_BATCHES, int(window_s / least_s))
    parts = batch_rates(times_ns, tokens, start_ns, stop_ns, DRIFT_PARTS)
    drift, chance = _drift(parts)
    interval = None
    if batches >= LEAST_BATCHES:
        interval = _interval(batch_rates(times_ns, tokens, start_ns, stop_ns, batches))
    return Steadiness(interval, batches, drift, abs(drift) > max(LEAST_DRIFT, chance))


def _interval(rates: Floats) -> Interval | None:
    mean = mean_in_order(rates)
    if mean.high - mean.value > WIDEST * mean.value:
        return None
    # A rate is not below 0, however little is known of it.
    low = max(0.0, min(mean.low, mean.value * (1 - RESOLUTION)))
    return Interval(low=low, high=max(mean.high, mean.value * (1 + RESOLUTION)), level=LEVEL)


def _drift(rates: Floats) -> tuple[float, float]:
    """Return the line's change over the window and its 95 % half-width, as shares of the mean."""
    mean = float(rates.mean())
    if mean <= 0:
        return 0.0, 0.0
    change = change_in_order(rates)
    return change.value / mean, (change.high - change.value) / mean
