"""A curve is the rate at several concurrencies; between two of them it is a straight line."""

from __future__ import annotations

import numpy as np

from tco.cost.number import FloatArray, Number, as_number, require


def rate_at(concurrency: Number, measured: FloatArray, rates_per_s: FloatArray) -> Number:
    """Return the rate at a concurrency, linear between the two nearest measured ones [1/s].

    A cost is computed from this rate and never interpolated itself: cost goes as 1 ÷ rate,
    and a line between two costs is too dear everywhere between them.

    Args:
        concurrency: where the rate is wanted, within the measured range.
        measured: the concurrencies, rising.
        rates_per_s: the rate at each, requests or tokens.

    Raises:
        ValueError: outside the measured range, or the concurrencies do not rise.
    """
    require(np.diff(measured) > 0, "the measured concurrencies must rise")
    wanted = np.asarray(concurrency, dtype=float)
    require(
        (wanted >= measured[0]) & (wanted <= measured[-1]),
        f"concurrency must be within the measured {measured[0]:g} to {measured[-1]:g}",
    )
    return as_number(np.interp(wanted, measured, rates_per_s))
