"""A Domain is what may be tried: the settings of each parameter, and which go together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tco.tuning import Setting

FloatArray = NDArray[np.float64]
Settings = Mapping[str, Setting]
Place = tuple[int, ...]  # which level of each parameter

_MOST_LISTED: Final = 5000  # configurations; of a larger domain a sample is looked at
_SAMPLE: Final = 1500
_LOG_FROM: Final = 8.0  # levels that span more than so many times the lowest are placed by log
_ASIDE: Final = math.sqrt(0.5)  # one-hot so, two texts are 1 apart


@dataclass(frozen=True)
class Domain:
    """Parameters and their levels.

    Attributes:
        levels: the settings of each parameter; None is "left out".
        allows: whether settings may go together.
    """

    levels: dict[str, tuple[Setting, ...]]
    allows: Callable[[Settings], bool]

    def settings(self, place: Place) -> dict[str, Setting]:
        """Return the settings at a place."""
        pairs = zip(self.levels.items(), place, strict=True)
        return {name: levels[index] for (name, levels), index in pairs}

    def place(self, settings: Settings) -> Place:
        """Return where settings are.

        Raises:
            ValueError: they are not of this domain.
        """
        return tuple(_index(levels, settings[name]) for name, levels in self.levels.items())

    @cached_property
    def size(self) -> int:
        """Return how many configurations there are, those not allowed among them."""
        return math.prod(map(len, self.levels.values()))

    @cached_property
    def listed(self) -> tuple[Place, ...] | None:
        """Return every place that is allowed; None where they are too many."""
        if self.size > _MOST_LISTED:
            return None
        every = itertools.product(*(range(len(levels)) for levels in self.levels.values()))
        return tuple(place for place in every if self.allows(self.settings(place)))

    def candidates(self, rng: np.random.Generator, near: Iterable[Place]) -> list[Place]:
        """Return places that are allowed: all, or a sample and what is one change from `near`."""
        if self.listed is not None:
            return list(self.listed)
        counts = [len(levels) for levels in self.levels.values()]
        drawn = rng.integers(0, counts, size=(_SAMPLE, len(counts)))
        found = dict.fromkeys(tuple(map(int, row)) for row in drawn)
        for place in near:
            for axis, count in enumerate(counts):
                found |= dict.fromkeys(
                    (*place[:axis], index, *place[axis + 1 :]) for index in range(count)
                )
        return [place for place in found if self.allows(self.settings(place))]

    @cached_property
    def distances(self) -> tuple[FloatArray, ...]:
        """Return how far apart the levels of each parameter are: 1 from end to end."""
        return tuple(_distances(levels) for levels in self.levels.values())


def _index(levels: Sequence[Setting], setting: Setting) -> int:
    # True is not 1 here, and a number is not its text.
    same = [i for i, each in enumerate(levels) if each == setting and type(each) is type(setting)]
    if not same:
        raise ValueError(f"{setting!r} is none of {levels!r}")
    return same[0]


def number_of(setting: Setting) -> float | None:
    """Return a setting as a number; None where it is none, or has no end."""
    if isinstance(setting, bool) or setting is None:
        return None
    try:
        number = float(setting)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _distances(levels: Sequence[Setting]) -> FloatArray:
    """Numbers lie on a line, anything else beside it and 1 apart."""
    numbers = [number_of(level) for level in levels]
    known = [number for number in numbers if number is not None]
    others = [i for i, number in enumerate(numbers) if number is None]
    places = np.zeros((len(levels), 1 + len(others)))
    by_log = bool(known) and min(known) > 0 and max(known) > _LOG_FROM * min(known)
    scale = math.log if by_log else float
    low, high = (scale(end) for end in (min(known), max(known))) if known else (0.0, 0.0)
    for row, number in enumerate(numbers):
        if number is None:
            places[row, 1 + others.index(row)] = _ASIDE
            places[row, 0] = 0.5
        elif high > low:
            places[row, 0] = (scale(number) - low) / (high - low)
    gaps = places[:, None, :] - places[None, :, :]
    distances: FloatArray = np.sqrt((gaps**2).sum(axis=2))
    return distances
