"""The ranged numbers of a case: those its scenario gives a range, and the measured rate."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from statistics import NormalDist

from pydantic import BaseModel

from tco.measurement import Measurement
from tco.quantity import Count, PositiveCount, PriceQuantity, Quantity, Streams
from tco.scenario import LengthSpread, Scenario
from tco.uncertainty import CAPACITY_KEY, Varied

# Of a measured interval, as it is drawn.
NORMAL_LEVEL = 0.95
# A rate of 0 has no cost of a request: a bracket that reaches it is cut off at this share.
_LEAST = 1e-3
# The validators that tell a whole number from another.
_WHOLE = tuple(typing.get_args(kind)[1] for kind in (Count, PositiveCount, Streams))


def has_ranges(scenario: Scenario, measurement: Measurement) -> bool:
    """Say whether anything is ranged at all."""
    return next(ranges_of(scenario, measurement), None) is not None


def ranges_of(scenario: Scenario, measurement: Measurement) -> Iterator[Varied]:
    """Yield the ranged numbers in the order of the scenario, the measured rate last.

    A range without width is none.
    """
    yield from _below("", scenario)
    yield from _capacity(measurement)


def _below(prefix: str, model: BaseModel) -> Iterator[Varied]:
    for name, field in type(model).model_fields.items():
        whole = any(mark in _WHOLE for mark in (*field.metadata, *_marks(field.annotation)))
        yield from _ranged(prefix + name.rstrip("_"), getattr(model, name), whole=whole)


def _ranged(key: str, value: object, *, whole: bool) -> Iterator[Varied]:
    if isinstance(value, LengthSpread):
        value = value.mean
    if isinstance(value, Quantity | PriceQuantity):
        yield from _quantity(key, value, whole=whole)
    elif isinstance(value, BaseModel):
        yield from _below(f"{key}.", value)
    elif isinstance(value, tuple | dict):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for name, each in pairs:
            yield from _ranged(f"{key}.{name}", each, whole=whole)


def _quantity(key: str, quantity: Quantity | PriceQuantity, *, whole: bool) -> Iterator[Varied]:
    ends = (quantity.low, quantity.high)
    low, high = (quantity.value if end is None else end for end in ends)
    if low < high:
        yield Varied(
            key=key,
            value=float(quantity.value),
            low=float(low),
            high=float(high),
            shape=quantity.shape,
            whole=whole,
        )


def _marks(annotation: object) -> Iterator[object]:
    for each in typing.get_args(annotation):
        yield from getattr(each, "__metadata__", ())


def _capacity(measurement: Measurement) -> Iterator[Varied]:
    """Yield the measured rate of one replica (output tok/s), where it has an interval.

    The bracket of a search has no level: its ends bound the rate. A confidence interval is read
    as of a normal distribution that holds its level between its ends, and brought to 95 %.
    """
    seen = measurement.rate_interval()
    if seen is None or measurement.origin == "published" or not seen.low < seen.high:
        return
    rate = measurement.capacity().output_tok_per_s
    if seen.level is None:
        low, high = max(min(seen.low, rate), rate * _LEAST), max(seen.high, rate)
        yield Varied(key=CAPACITY_KEY, value=rate, low=low, high=high, shape="uniform")
    elif 0 < seen.level < 1:
        middle = (seen.low + seen.high) / 2
        half = (seen.high - seen.low) / 2 * deviations(NORMAL_LEVEL) / deviations(seen.level)
        yield Varied(
            key=CAPACITY_KEY, value=rate, low=middle - half, high=middle + half, shape="normal"
        )


def deviations(level: float) -> float:
    """Return how many standard deviations on both sides of its mean hold that share of a normal."""
    return NormalDist().inv_cdf((1 + level) / 2)
