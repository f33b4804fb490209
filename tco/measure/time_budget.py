"""The time a bench may take: what points have used, and for how many more it lasts."""

from __future__ import annotations

from typing import Final

_FIRST_OVERHEAD_S: Final = 10.0  # warm-up and drain of a point, before any is known
_LEAST_LIMIT_S: Final = 30.0
_WINDOWS_OF_A_POINT: Final = 3.0


class TimeBudget:
    """Seconds for points; the engine's starts do not count."""

    def __init__(self, total_s: float, window_s: float) -> None:
        self._left_s, self._window_s = total_s, window_s
        self._overheads_s: list[float] = []

    @property
    def left_s(self) -> float:
        """What is left."""
        return max(0.0, self._left_s)

    def spend(self, taken_s: float, window_s: float) -> None:
        """Note a point that took so long, for a window of that length."""
        self._left_s -= taken_s
        self._overheads_s.append(max(0.0, taken_s - window_s))

    def point_s(self) -> float:
        """Return how long a next point takes, by the longest of the last three."""
        return self._window_s + max(self._overheads_s[-3:], default=_FIRST_OVERHEAD_S)

    def points(self, reserved_s: float = 0.0) -> int:
        """Return for how many more points the time lasts, some of it kept for others."""
        return max(0, int((self.left_s - reserved_s) / self.point_s()))

    def limit_s(self, window_s: float) -> float:
        """Return the most one point of a search may take."""
        return max(_WINDOWS_OF_A_POINT * window_s, min(_LEAST_LIMIT_S, self.left_s))
