"""Quantiles of latencies, given only where the sample can carry them."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tco.measurement import Quantiles

VALUES_BEYOND: Final = 5
"""A quantile q needs n × (1 − q) ≥ 5 values.

A distribution-free 95 % interval from order statistics (Conover, Practical Nonparametric
Statistics, 3rd ed., section 3.2) has an upper end inside the sample only if q^n ≤ 0.025,
which is n × (1 − q) > 3.7 for q near 1; 5 leaves a margin. So p99 needs 500 values.
"""


def needed(share: float) -> int:
    """Return how many values the quantile at `share` (0 to 1) needs."""
    return int(np.ceil(round(VALUES_BEYOND / (1 - share), 9)))


def quantiles_of(values_ms: npt.NDArray[np.float64]) -> Quantiles | None:
    """Return mean, quantiles and maximum of values in ms; None if there are none."""
    count = len(values_ms)
    if count == 0:
        return None

    def at(share: float) -> float | None:
        return float(np.quantile(values_ms, share)) if count >= needed(share) else None

    return Quantiles(
        count=count,
        mean_ms=float(values_ms.mean()),
        p50_ms=at(0.50),
        p90_ms=at(0.90),
        p95_ms=at(0.95),
        p99_ms=at(0.99),
        max_ms=float(values_ms.max()),
    )
