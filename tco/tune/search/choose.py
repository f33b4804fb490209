"""What to measure next: by what was seen so far, and when nothing more is worth its time."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tco.search_document import Purpose, Rung
from tco.tune.search.domain import Domain, FloatArray, Place
from tco.tune.search.surrogate import Surrogate, chance_to_work, expected_gain

LEAST_NOISE: Final = 0.005  # standard deviation of a rate's logarithm across engine starts
_ASSUMED_NOISE: Final = 0.02  # until a configuration was measured twice
_EXPLORED: Final = 3  # configurations drawn before the model speaks, beside the start
_REPEAT_EVERY: Final = 7  # the best so far is measured again after so many others
_ASKS_TO_STOP: Final = 3
_IDLE_SHARE: Final = 0.1  # of the standard error of a confirmed ratio
_NOISES_BELOW_BEST: Final = 2.0  # a short run further below the best is not run in full


@dataclass(frozen=True, slots=True)
class Seen:
    """One trial, as far as it matters for the next.

    Attributes:
        value: the logarithm of what is to be high; None of one that failed or still runs.
        runs: another worker is at it.
        expected_gain: what the model expected of it when it was chosen, in logarithms.
    """

    place: Place
    rung: Rung
    purpose: Purpose
    value: float | None
    runs: bool = False
    expected_gain: float | None = None

    @property
    def failed(self) -> bool:
        """Say whether it ended without a value."""
        return self.value is None and not self.runs


@dataclass(frozen=True, slots=True)
class Ask:
    """A trial to run."""

    place: Place
    rung: Rung
    purpose: Purpose
    expected_gain: float | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Why no further trial is worth its time."""

    why: str


@dataclass(frozen=True, slots=True)
class Rules:
    """How a search goes about it.

    Attributes:
        starts: places to begin with; the first is the scenario's own.
        repeats: engine starts a side of the confirmation to come.
        short_share: of the window, that a short run takes; None: all runs are full.
    """

    starts: tuple[Place, ...]
    repeats: int
    seed: int
    short_share: float | None = None


class Chooser:
    """Chooses by all that was seen.

    The same trials seen make the same choice, whoever asks.
    """

    def __init__(self, domain: Domain, rules: Rules, seen: Sequence[Seen]) -> None:
        self.domain, self.rules, self.seen = domain, rules, seen
        self._rng = np.random.default_rng((rules.seed, len(seen)))
        self.full: dict[Place, list[float]] = defaultdict(list)
        self.short: dict[Place, list[float]] = defaultdict(list)
        for each in seen:
            if each.value is not None:
                (self.full if each.rung == "full" else self.short)[each.place].append(each.value)
        self._met = {(each.place, each.rung) for each in seen}
        self._tried = {each.place for each in seen}
        self._failed = {each.place for each in seen if each.failed}

    def next(self) -> Ask | Stop:
        """Return the next trial, or why there is none."""
        for place in self.rules.starts:
            if (place, "full") not in self._met:
                return Ask(place, "full", "start")
        if ask := self._promoted() or self._repeated():
            return ask
        near = sorted(self.full, key=lambda place: -float(np.mean(self.full[place])))[:3]
        fresh = [p for p in self.domain.candidates(self._rng, near) if p not in self._tried]
        if not fresh:
            return Stop("every configuration was tried")
        return self._fresh(fresh)

    def _fresh(self, fresh: list[Place]) -> Ask | Stop:
        """Return which of the places not tried yet is next."""
        explored = len(self._tried) - len({*self.rules.starts})
        rung: Rung = "full" if self.rules.short_share is None else "short"
        if explored < _EXPLORED or self.surrogate is None:
            return Ask(fresh[int(self._rng.integers(len(fresh)))], rung, "explore")
        gains = self._gains(self.surrogate, fresh)
        index = int(np.argmax(gains))
        gain = float(gains[index])
        if self._is_idle(gain):
            return Stop(
                f"the gain still expected, {math.expm1(gain):.2%}, is inside the noise: below "
                f"{math.expm1(self.threshold):.2%}"
            )
        return Ask(fresh[index], rung, "improve", gain)

    def best(self, takes: Callable[[Place], bool] = lambda _: True) -> Place | None:
        """Return the best measured in full, by the model's mean: one lucky run is not the best.

        Of those places that `takes` takes.
        """
        measured = [place for place in self.full if takes(place)]
        if not measured or self.surrogate is None:
            return None
        return measured[int(np.argmax(self.surrogate.predict(measured)[0]))]

    @property
    def noise(self) -> float:
        """Return the standard deviation of a full run; assumed until one was repeated."""
        return self.measured_noise or _ASSUMED_NOISE

    @cached_property
    def measured_noise(self) -> float | None:
        """Return the standard deviation of a full run, pooled over what was measured again."""
        groups = [values for values in self.full.values() if len(values) > 1]
        if not groups:
            return None
        squares = sum(float(np.var(values)) * len(values) for values in groups)
        return max(math.sqrt(squares / sum(len(v) - 1 for v in groups)), LEAST_NOISE)

    @property
    def threshold(self) -> float:
        """Return a tenth of the standard error of a confirmed ratio.

        The model is too sure of what it has not seen: stopping at the whole error lost the best
        in a third of the synthetic grids.
        """
        return _IDLE_SHARE * self.noise * math.sqrt(2 / self.rules.repeats)

    @cached_property
    def surrogate(self) -> Surrogate | None:
        """Return the model; trials that still run count as it expects them to end."""
        places, values, errors = self._values()
        if not places:
            return None
        model = Surrogate(self.domain, places, np.array(values), np.array(errors))
        runs = (each.place for each in self.seen if each.runs)
        running = [place for place in dict.fromkeys(runs) if place not in places]
        if not running:
            return model
        mean, _ = model.predict(running)
        values += [float(value) for value in mean]
        errors += [self.noise] * len(running)
        return Surrogate(self.domain, places + running, np.array(values), np.array(errors))

    def _values(self) -> tuple[list[Place], list[float], list[float]]:
        """Return each place with its mean and standard error; a full run outweighs a short one."""
        both = [place for place in self.full if place in self.short]
        shift = [np.mean(self.full[p]) - np.mean(self.short[p]) for p in both]
        offset = float(np.mean(shift)) if shift else 0.0
        places, values, errors = list[Place](), list[float](), list[float]()
        for place in {**self.full, **self.short}:
            full, short = self.full.get(place), self.short.get(place, [])
            places.append(place)
            values.append(float(np.mean(full)) if full else float(np.mean(short)) + offset)
            noise = self.noise if full else self._short_noise
            errors.append(noise / math.sqrt(len(full or short)))
        return places, values, errors

    @property
    def _short_noise(self) -> float:
        return self.noise / math.sqrt(self.rules.short_share or 1.0)

    def _gains(self, model: Surrogate, places: Sequence[Place]) -> FloatArray:
        mean, deviation = model.predict(places)
        best = float(model.predict(list(self.full) or self._values()[0])[0].max())
        ended = [place for place in self._tried if place in self.full or place in self.short]
        tried = [*ended, *self._failed]
        worked = [True] * len(ended) + [False] * len(self._failed)
        chance = chance_to_work(self.domain, tried, worked, places)
        return expected_gain(mean, deviation, best) * chance

    def _is_idle(self, gain: float) -> bool:
        """Say whether the expected gain is inside the noise, and was for the asks before it."""
        asked = [e.expected_gain for e in self.seen if e.purpose == "improve"]
        latest = [gain, *(each or 0.0 for each in asked[-(_ASKS_TO_STOP - 1) :])]
        return len(latest) == _ASKS_TO_STOP and float(np.mean(latest)) < self.threshold

    def _promoted(self) -> Ask | None:
        """Return a short run that came near the best, to be run in full."""
        waiting = [
            place
            for place in self.short
            if (place, "full") not in self._met and place not in self._failed
        ]
        if not waiting or not self.full:
            return None
        both = [p for p in self.full if p in self.short]
        shift = [np.mean(self.full[p]) - np.mean(self.short[p]) for p in both]
        offset = float(np.mean(shift)) if shift else 0.0
        top = max(waiting, key=lambda place: float(np.mean(self.short[place])))
        best = max(float(np.mean(values)) for values in self.full.values())
        near = best - _NOISES_BELOW_BEST * self._short_noise
        return Ask(top, "full", "promote") if np.mean(self.short[top]) + offset >= near else None

    def _repeated(self) -> Ask | None:
        """Return the best so far, to be measured again: it may have been lucky."""
        others = sum(each.purpose != "repeat" for each in self.seen)
        repeats = len(self.seen) - others
        if others < _REPEAT_EVERY * (repeats + 1):
            return None
        best = self.best()
        return None if best is None else Ask(best, "full", "repeat")
