"""Sessions of a workload in the order they begin, each under way at a turn and with a context."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tco.measure.request_maker import EMPTY, Context
from tco.workload import Workload


@dataclass(slots=True)
class Session:
    """A session under way: its rows of the workload, the next of them, what came before.

    `number` is its own over all laps.
    """

    number: int
    lap: int
    first_row: int
    stop_row: int
    row: int
    context: Context = EMPTY

    @property
    def turn(self) -> int:
        """The number of its next request, from 0."""
        return self.row - self.first_row

    @property
    def is_last_turn(self) -> bool:
        """Say whether its next request is its last."""
        return self.row + 1 == self.stop_row


class SessionQueue:
    """Every `parts`-th session of a workload from the `part`-th on, lap after lap."""

    def __init__(self, workload: Workload, part: int, parts: int) -> None:
        starts = np.flatnonzero(workload.is_first_turn())
        self._edges = [*starts.tolist(), len(workload)]
        self._at_s = workload.at_s[starts]
        self._part, self._parts = part, parts
        self._next = part

    def next(self) -> Session:
        """Return the next session; after the last one of the workload a new lap begins."""
        number = self._next
        self._next += self._parts
        lap, place = divmod(number, len(self._edges) - 1)
        return self._session(number, lap, place)

    def arrivals(self) -> Iterator[tuple[float, Session]]:
        """Yield each session once with its start (s), in the order of the starts."""
        order = np.argsort(self._at_s, kind="stable")
        for place in order[self._part :: self._parts].tolist():
            yield float(self._at_s[place]), self._session(place, 0, place)

    def _session(self, number: int, lap: int, place: int) -> Session:
        first, stop = self._edges[place : place + 2]
        return Session(number, lap, first, stop, first)
