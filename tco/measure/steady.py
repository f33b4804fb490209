"""When a rate is steady, and how sure it is: warm-up, batch means, drift."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import stdtrit

from tco.measurement import Interval
from tco.units import NS_PER_S

LEVEL: Final = 0.95
LEAST_BATCHES: Final = 10
MOST_BATCHES: Final = 30
LATENCIES_OF_A_BATCH: Final = 2.0
DRIFT_LIMIT: Final = 0.05
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
    """The rate's interval (None: too few batches) and its drift over the window, as a share.

    `drifts` says that the drift is beyond both chance (95 %) and `DRIFT_LIMIT`.
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

    Batch means (Law, Simulation Modeling and Analysis, 5th ed., section 9.5.3): batches
    of at least twice the median e2e latency, at least ten, Student's t with k − 1 degrees
    of freedom. Drift is the slope of a least-squares line through at least ten parts.

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
    rates = batch_rates(times_ns, tokens, start_ns, stop_ns, max(batches, LEAST_BATCHES))
    drift, error = _drift(rates)
    interval = _interval(rates) if batches >= LEAST_BATCHES else None
    return Steadiness(interval, batches, drift, abs(drift) > max(DRIFT_LIMIT, error))


def _interval(rates: Floats) -> Interval:
    count = len(rates)
    half = _t(count - 1) * float(rates.std(ddof=1)) / count**0.5
    mean = float(rates.mean())
    return Interval(low=mean - half, high=mean + half, level=LEVEL)


def _drift(rates: Floats) -> tuple[float, float]:
    """Return the line's change over the window and its 95 % half-width, as shares of the mean."""
    count, mean = len(rates), float(rates.mean())
    if mean <= 0:
        return 0.0, 0.0
    x = (np.arange(count) + 0.5) / count - 0.5
    slope = float((x * rates).sum() / (x * x).sum())
    residuals = rates - mean - slope * x
    variance = float((residuals**2).sum()) / (count - 2)
    half = _t(count - 2) * (variance / float((x * x).sum())) ** 0.5
    return slope / mean, half / mean


def _t(degrees: int) -> float:
    return float(stdtrit(degrees, (1 + LEVEL) / 2))
