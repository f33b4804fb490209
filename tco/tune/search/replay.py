"""A search replayed on a grid: it sees what the grid measured, and pays its engine time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tco.tune.search.choose import Chooser, Rules, Seen, Stop
from tco.tune.search.domain import Domain, Place
from tco.tune.search.grid import Grid, GridConfiguration
from tco.tune.search.short_run import SHORT_SHARE, short_share


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a search found, and what it cost.

    Attributes:
        share_of_best: the mean rate of what it chose, by the grid's best.
        engine_s: what its trials took, starts included.
        share_of_time: that, by the engine time of the whole grid.
        trials: how many it ran.
        stopped: why it ended.
    """

    share_of_best: float
    engine_s: float
    share_of_time: float
    trials: int
    stopped: str


def grid_domain(grid: Grid) -> Domain:
    """Return the grid's configurations, and no others, as what may be tried."""
    each = [configuration.settings for configuration in grid.configurations]
    levels = {
        name: tuple({(type(s[name]), s[name]): s[name] for s in each}.values()) for name in grid.own
    }
    return Domain(levels, lambda settings: dict(settings) in each)


def replay(grid: Grid, *, seed: int, most_share: float, repeats: int = 3) -> Replayed:
    """Search the grid within a share of its engine time.

    A full run sees the mean of the repeats; a short one a single repeat, which is less sure.
    """
    domain = grid_domain(grid)
    known = {domain.place(each.settings): each for each in grid.configurations}
    own = domain.place(grid.own)
    first = known[own]
    rules = Rules((own,), repeats, seed, short_share(first.start_s, first.run_s, grid.window_s))
    rng = np.random.default_rng(seed)
    seen: list[Seen] = []
    spent_s, stopped = 0.0, "the time was up"
    while True:
        chooser = Chooser(domain, rules, seen)
        ask = chooser.next()
        if isinstance(ask, Stop):
            stopped = ask.why
            break
        tried = known[ask.place]
        took_s = tried.start_s + tried.run_s
        if ask.rung == "short" and tried.rate is not None:
            took_s -= (1 - SHORT_SHARE) * grid.window_s
        if spent_s + took_s > most_share * grid.engine_s:
            break
        spent_s += took_s
        value = _value(tried, is_short=ask.rung == "short", rng=rng)
        seen.append(Seen(ask.place, ask.rung, ask.purpose, value, expected_gain=ask.expected_gain))
    rate = _rate_of(Chooser(domain, rules, seen).best(), known)
    return Replayed(rate / grid.best_rate, spent_s, spent_s / grid.engine_s, len(seen), stopped)


def _rate_of(place: Place | None, known: dict[Place, GridConfiguration]) -> float:
    return 0.0 if place is None else known[place].rate or 0.0


def _value(tried: GridConfiguration, *, is_short: bool, rng: np.random.Generator) -> float | None:
    if tried.rate is None:
        return None
    rates = [run.output_tok_per_s for run in tried.runs if run.output_tok_per_s is not None]
    return math.log(rates[int(rng.integers(len(rates)))] if is_short else tried.rate)
