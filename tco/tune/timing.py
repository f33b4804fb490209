"""The time of a tuning: what trials took, how many there may still be, and until when."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from tco.plural import several
from tco.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

_LATEST: Final = 3
_SHOWN_S: Final = 100.0  # from here on in minutes


class Timing:
    """Counts trials down.

    Args:
        limit_s: the most this run may take; None for no limit.
        most_trials: that there can be in all.
        clock: seconds, from any start.
        usd_per_hour: what the machine costs; None where that is not known.
    """

    def __init__(
        self,
        limit_s: float | None,
        most_trials: int,
        clock: Callable[[], float] = time.monotonic,
        usd_per_hour: float | None = None,
    ) -> None:
        self._limit_s, self._clock, self._begun_s = limit_s, clock, clock()
        self._usd_per_hour = usd_per_hour
        self._left = most_trials
        self._took_s: list[float] = []

    def took(self, seconds: float) -> None:
        """Note a trial that took so long, be it of an earlier run."""
        self._took_s.append(seconds)
        self._left -= 1

    def more(self, trials: int) -> None:
        """Note that so many trials are needed beyond those planned."""
        self._left += trials

    def left_are(self, most_trials: int) -> None:
        """Say how many trials there can still be: a step may end before its time."""
        self._left = most_trials

    def has_time(self, trials: int = 1) -> bool:
        """Say whether so many more trials end in time, each as long as the longest of three."""
        if self._limit_s is None:
            return True
        longest_s = max(self._took_s[-_LATEST:], default=0.0)
        return self._clock() - self._begun_s + trials * longest_s <= self._limit_s

    def words(self) -> str:
        """Return what was used and what is left, at most."""
        used = f"{_minutes(self._clock() - self._begun_s)} used"
        if not self._took_s:
            return f"at most {several(self._left, 'trial')}"
        latest = self._took_s[-_LATEST:]
        left_s = self._left * sum(latest) / len(latest)
        if self._limit_s is not None:
            left_s = min(left_s, self._limit_s - (self._clock() - self._begun_s))
        left_s = max(left_s, 0.0)
        left = f"{_minutes(left_s)} left{self._money(left_s)}"
        return f"{used}, at most {several(self._left, 'trial')} and about {left}"

    def _money(self, left_s: float) -> str:
        """Return what the machine costs for a time; nothing where that is not known."""
        if self._usd_per_hour is None:
            return ""
        return f" (about ${self._usd_per_hour * left_s / SECONDS_PER_HOUR:.2f} of the machine)"


def _minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < _SHOWN_S else f"{seconds / SECONDS_PER_MINUTE:.0f} min"
