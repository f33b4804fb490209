"""What is to happen when: a heap of due times on the monotonic clock."""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable
from typing import Final

_LONG_NS: Final = 1_000_000_000


class Timers:
    """Actions with the time (ns) at which they are due; each gets that time."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Callable[[int], None]]] = []
        self._order = itertools.count()

    def at(self, due_ns: int, action: Callable[[int], None]) -> None:
        """Have `action(due_ns)` called at that time, or as soon after it as can be."""
        heapq.heappush(self._heap, (due_ns, next(self._order), action))

    def run_due(self) -> int:
        """Do what is due; return how long (ns) until something is again."""
        heap = self._heap
        while heap:
            wait_ns = heap[0][0] - time.monotonic_ns()
            if wait_ns > 0:
                return wait_ns
            due_ns, _, action = heapq.heappop(heap)
            action(due_ns)
        return _LONG_NS
