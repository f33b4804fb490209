"""A lognormal distribution of lengths, from its mean and its 95th percentile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from tco.errors import InputError

_NORMAL = NormalDist()
_Z95 = _NORMAL.inv_cdf(0.95)
# Where sigma = z: a wider lognormal has more of its mean beyond the 95th percentile.
HIGHEST_P95_TO_MEAN = math.exp(_Z95**2 / 2)
_STEPS, _HALVINGS = 200, 60


@dataclass(frozen=True, slots=True)
class Lognormal:
    """exp(mu + sigma Z) with Z standard normal."""

    mu: float
    sigma: float

    def mean(self) -> float:
        """Return the mean."""
        return math.exp(self.mu + self.sigma**2 / 2)

    def mean_of_at_least_1(self) -> float:
        """Return the mean of max(1, X): P(X < 1) + E[X; X > 1] (partial expectation)."""
        if self.sigma == 0:
            return max(1.0, math.exp(self.mu))
        below = _NORMAL.cdf(-self.mu / self.sigma)
        above = _NORMAL.cdf(self.mu / self.sigma + self.sigma)
        return below + self.mean() * above


def fitted_lognormal(mean: float, p95: float, *, key: str) -> Lognormal:
    """Return the lognormal whose lengths, none counted below 1, have the mean and percentile.

    From p95 = exp(mu + z sigma) and mean = exp(mu + sigma^2 / 2) follows
    sigma = z - sqrt(z^2 - 2 ln(p95 / mean)), the smaller of two solutions, with z = 1.645.
    Lengths under 1 count as 1, which raises the mean of short lengths; sigma is then a little
    larger, and found by bisection.

    Args:
        mean: tokens.
        p95: tokens, at least the mean.
        key: the scenario key that states them, for an error.

    Raises:
        InputError: p95 is too far above the mean: more than exp(z^2 / 2) = 3.87 times it, or
            less where lengths are near 1.
    """
    room = _Z95**2 - 2 * math.log(p95 / mean)
    if room < 0:
        raise _out_of_reach(mean, p95, key)
    low = max(0.0, _Z95 - math.sqrt(room))
    if _at(low, p95).mean_of_at_least_1() <= max(1.0, mean) * (1 + 1e-12):
        return _at(low, p95)
    step = (_Z95 - low) / _STEPS
    for number in range(1, _STEPS + 1):
        if _at(low + number * step, p95).mean_of_at_least_1() <= mean:
            return _bisected(low + (number - 1) * step, low + number * step, mean, p95)
    raise _out_of_reach(mean, p95, key)


def _at(sigma: float, p95: float) -> Lognormal:
    return Lognormal(math.log(p95) - _Z95 * sigma, sigma)


def _bisected(low: float, high: float, mean: float, p95: float) -> Lognormal:
    """The mean falls from above the asked one at `low` to below it at `high`."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _at(middle, p95).mean_of_at_least_1() > mean:
            low = middle
        else:
            high = middle
    return _at(high, p95)


def _out_of_reach(mean: float, p95: float, key: str) -> InputError:
    return InputError(
        f"no lognormal of lengths from 1 token on has the mean {mean:g} and the 95th percentile "
        f"{p95:g}: the percentile is at most {HIGHEST_P95_TO_MEAN:.2f} times the mean, less for "
        "lengths of a few tokens",
        key=key,
        remedy="lower p95, or give a trace of your own requests (shape: {trace: FILE})",
    )
