"""Which sockets are ready: epoll on Linux, poll where there is none (macOS)."""

from __future__ import annotations

import select
from typing import Final

from tco.units import MS_PER_S

CAN_READ: Final = select.POLLIN
CAN_WRITE: Final = select.POLLOUT
_AT_ONCE = 64


class Poller:
    """The files that are watched, and what for; epoll and poll call events by the same bits."""

    def __init__(self) -> None:
        self._epoll = select.epoll() if hasattr(select, "epoll") else None
        self._poll = None if self._epoll is not None else select.poll()

    def watch(self, fd: int, events: int) -> None:
        """Watch a file."""
        (self._epoll or self._any()).register(fd, events)

    def change(self, fd: int, events: int) -> None:
        """Watch it for something else."""
        (self._epoll or self._any()).modify(fd, events)

    def forget(self, fd: int) -> None:
        """Watch it no longer."""
        (self._epoll or self._any()).unregister(fd)

    def ready(self, timeout_s: float) -> tuple[list[tuple[int, int]], bool]:
        """Return files with their events, and whether these are all that are ready."""
        if self._epoll is not None:
            found = self._epoll.poll(timeout_s, _AT_ONCE)
            return found, len(found) < _AT_ONCE
        return self._any().poll(timeout_s * MS_PER_S), True

    def _any(self) -> select.poll:
        assert self._poll is not None  # noqa: S101  one of both there is
        return self._poll
