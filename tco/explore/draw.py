"""Draws numbers from their ranges: a Latin hypercube, seeded, each number independent.

McKay, Beckman & Conover 1979, Technometrics 21(2): every one of n equally likely strata of a
number holds one draw, in random order. These few lines stand for `scipy.stats.qmc`, whose
import alone takes a second.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np

from tco.cost.number import FloatArray
from tco.explore.ranges import NORMAL_LEVEL, deviations
from tco.uncertainty import Varied


def draws_of(varied: Sequence[Varied], count: int, seed: int) -> dict[str, FloatArray]:
    """Return `count` draws of each number by its key.

    The seed and the key alone decide a number's draws: another range changes none of them.
    """
    return {each.key: number_at(each, _strata(each.key, count, seed)) for each in varied}


def _strata(key: str, count: int, seed: int) -> FloatArray:
    """Return one share in each of `count` equal parts of 0 to 1, in random order."""
    random = np.random.default_rng((seed, zlib.crc32(key.encode())))
    shares: FloatArray = (random.permutation(count) + random.random(count)) / count
    return shares


def number_at(varied: Varied, share: FloatArray) -> FloatArray:
    """Return the number below which that share (0 to 1) of its distribution lies.

    Whole numbers take up half a step on both sides of each, so that the ends are as likely as
    what lies between.
    """
    if varied.whole:
        wide = varied.model_copy(
            update={"low": varied.low - 0.5, "high": varied.high + 0.5, "whole": False}
        )
        return np.clip(np.rint(number_at(wide, share)), varied.low, varied.high)
    if varied.shape == "normal":
        return _normal(varied, share)
    if varied.shape == "triangular":
        return _triangular(varied, share)
    return varied.low + share * (varied.high - varied.low)


def _triangular(varied: Varied, share: FloatArray) -> FloatArray:
    """Return quantiles of the triangle with its peak at the value (JCGM 101:2008, 6.4.5)."""
    low, mode, high = varied.low, varied.value, varied.high
    width = high - low
    rising = low + np.sqrt(share * width * (mode - low))
    falling = high - np.sqrt((1 - share) * width * (high - mode))
    return np.where(share * width < mode - low, rising, falling)


def _normal(varied: Varied, share: FloatArray) -> FloatArray:
    """Return quantiles of the normal whose 95 % is the interval, of what lies above 0."""
    half = (varied.high - varied.low) / 2
    normal = NormalDist(varied.low + half, half / deviations(NORMAL_LEVEL))
    below_zero = normal.cdf(0)
    above = np.clip(below_zero + share * (1 - below_zero), 1e-12, 1 - 1e-12)
    drawn = np.fromiter(map(normal.inv_cdf, above.tolist()), float, above.size)
    above_zero: FloatArray = np.maximum(drawn, np.finfo(float).tiny)
    return above_zero
