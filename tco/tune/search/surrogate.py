"""What is expected of settings not tried yet: a Gaussian process on those that were.

Rasmussen and Williams, Gaussian Processes for Machine Learning, 2006. The covariance is a sum of
what each parameter does by itself and of what all do together, each a Matern 5/2 of its levels'
distance. Its scales are the most likely ones under weak priors (MAP).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.stats import norm

from tco.tune.search.domain import Domain, FloatArray, Place

_JITTER: Final = 1e-6
_LENGTH, _LENGTH_SPREAD = math.log(0.8), 0.8  # of the prior, in logarithms
_SHARE, _SHARE_SPREAD = math.log(0.6), 0.8
_STEPS: Final = 40
_CHANCE_LENGTH, _CHANCE_NOISE, _LEAST_CHANCE = 0.7, 0.1, 0.02


class Surrogate:
    """Fits values (larger is better) at places.

    Args:
        domain: of the places.
        places: those with a value, at least one.
        values: logarithms of what is to be high.
        errors: the standard error of each value.
    """

    def __init__(
        self, domain: Domain, places: Sequence[Place], values: FloatArray, errors: FloatArray
    ) -> None:
        self._domain, self._at = domain, np.asarray(places, dtype=int)
        self._mean = float(values.mean())
        self._spread = max(float(values.std()), 1e-3)
        self._y = (values - self._mean) / self._spread
        self._noise = (errors / self._spread) ** 2 + _JITTER
        count = len(domain.levels)
        self._prior = np.array([_LENGTH] * count + [_SHARE] * 2)
        self._width = np.array([_LENGTH_SPREAD] * count + [_SHARE_SPREAD] * 2)
        self._theta = self._prior
        self._own = _gaps(domain, self._at, self._at)
        found = minimize(self._badness, self._prior, method="L-BFGS-B", options={"maxiter": _STEPS})
        if np.isfinite(found.fun):
            self._theta = cast("FloatArray", found.x)
        self._factor = cho_factor(self._covariance(self._theta), lower=True)
        self._weights = cho_solve(self._factor, self._y)

    def predict(self, places: Sequence[Place]) -> tuple[FloatArray, FloatArray]:
        """Return mean and standard deviation at places, in logarithms."""
        at = np.asarray(places, dtype=int)
        cross = _kernel(_gaps(self._domain, at, self._at), self._theta)
        mean = cross @ self._weights
        itself = float(np.exp(self._theta[-2]) + np.exp(self._theta[-1]))
        known = np.einsum("ij,ji->i", cross, cho_solve(self._factor, cross.T))
        deviation = np.sqrt(np.maximum(itself - known, 1e-12))
        return mean * self._spread + self._mean, deviation * self._spread

    def _covariance(self, theta: FloatArray) -> FloatArray:
        return _kernel(self._own, theta) + np.diag(self._noise)

    def _badness(self, theta: FloatArray) -> float:
        """Return minus the logarithm of likelihood and prior."""
        try:
            factor = cho_factor(self._covariance(theta), lower=True)
        except np.linalg.LinAlgError:
            return math.inf
        likelihood = 0.5 * self._y @ cho_solve(factor, self._y) + np.log(np.diag(factor[0])).sum()
        return float(likelihood + 0.5 * (((theta - self._prior) / self._width) ** 2).sum())


def expected_gain(mean: FloatArray, deviation: FloatArray, best: float) -> FloatArray:
    """Return the expected improvement over the best (Mockus 1975), in logarithms."""
    z = (mean - best) / deviation
    gain: FloatArray = deviation * (z * norm.cdf(z) + norm.pdf(z))
    return gain


def chance_to_work(
    domain: Domain, tried: Sequence[Place], worked: Sequence[bool], places: Sequence[Place]
) -> FloatArray:
    """Return how likely settings are to give a result at all, by those that did and did not.

    The same kind of process on 1 and 0, with fixed scales: it tells a setting that always fails,
    and the side on which memory ends.
    """
    if all(worked) or not tried:
        return np.ones(len(places))
    theta = np.array([math.log(_CHANCE_LENGTH)] * len(domain.levels) + [math.log(0.5)] * 2)
    at, new = np.asarray(tried, dtype=int), np.asarray(places, dtype=int)
    y = np.asarray(worked, dtype=float)
    middle = max(float(y.mean()), 0.5)
    own = _kernel(_gaps(domain, at, at), theta) + _CHANCE_NOISE * np.eye(len(y))
    cross = _kernel(_gaps(domain, new, at), theta)
    chance = middle + cross @ np.linalg.solve(own, y - middle)
    return np.clip(chance, _LEAST_CHANCE, 1.0)


def _gaps(domain: Domain, a: NDArray[np.int_], b: NDArray[np.int_]) -> FloatArray:
    """Return the distances as (parameter, place of a, place of b)."""
    each = [gaps[np.ix_(a[:, axis], b[:, axis])] for axis, gaps in enumerate(domain.distances)]
    return np.stack(each)


def _kernel(gaps: FloatArray, theta: FloatArray) -> FloatArray:
    lengths, (alone, together) = np.exp(theta[:-2]), np.exp(theta[-2:])
    scaled = math.sqrt(5) * gaps / lengths[:, None, None]
    each = (1 + scaled + scaled**2 / 3) * np.exp(-scaled)
    out: FloatArray = alone * each.mean(axis=0) + together * each.prod(axis=0)
    return out
