"""Lengths are whole token counts drawn for requests, with the mean that was asked."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from tco.lognormal import fitted_lognormal
from tco.scenario import Length, LengthSpread
from tco.workload import Floats, Ints


def drawn_lengths(length: Length, count: int, random: np.random.Generator, *, key: str) -> Ints:
    """Return `count` lengths (tokens, at least 1) in random order, a spread's from a lognormal.

    Their sum is the asked mean x count, to within 1 where no length has to be raised to 1.
    Of a spread, each length stands for one of `count` equally likely slices of the lognormal
    and is that slice's mean (partial expectation); chance is in the rounding and the order.

    Args:
        length: in tokens, as the scenario states it.
        count: how many.
        random: draws the rounding and the order.
        key: the length's scenario key, for an error.

    Raises:
        InputError: a spread that no lognormal has.
    """
    if not isinstance(length, LengthSpread):
        return random.permutation(whole_lengths(np.full(count, length.value), random))
    fitted = fitted_lognormal(length.mean.value, length.p95.value, key=key)
    edges = ndtri(np.linspace(0, 1, count + 1))
    lengths = fitted.mean() * count * np.diff(ndtr(edges - fitted.sigma))
    return random.permutation(whole_lengths(np.maximum(1.0, lengths), random))


def whole_lengths(lengths: Floats, random: np.random.Generator) -> Ints:
    """Return each length rounded down or up at random, so that the sum stays within 1.

    Systematic rounding: the fractions are laid end to end, and a length is rounded up where
    a point of a unit grid (at a random offset) falls on its fraction. None is below 1.
    """
    low = np.floor(lengths)
    reached = np.floor(np.cumsum(lengths - low) + random.random())
    ups = np.diff(reached, prepend=0.0)
    return np.asarray(np.maximum(1, low + ups), dtype=np.int64)
