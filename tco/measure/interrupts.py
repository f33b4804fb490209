"""Holds Ctrl-C and SIGTERM back over the few steps that must not be cut in half."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_HELD = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class HeldInterrupts:
    """How many interrupts came while they were held back."""

    def __init__(self) -> None:
        self.count = 0

    def note(self, signum: int, frame: FrameType | None) -> None:
        """Count one; a signal handler."""
        del signum, frame
        self.count += 1


@contextmanager
def held_interrupts() -> Iterator[HeldInterrupts]:
    """Hold Ctrl-C, SIGTERM and SIGHUP back; raise KeyboardInterrupt afterwards if one came.

    Python hands signals to the main thread only: in another thread nothing can
    arrive, and nothing is held.
    """
    held = HeldInterrupts()
    if threading.current_thread() is not threading.main_thread():
        yield held
        return
    # One that is ignored (nohup) stays ignored.
    heeded = [signum for signum in _HELD if signal.getsignal(signum) is not signal.SIG_IGN]
    before = {signum: signal.signal(signum, held.note) for signum in heeded}
    try:
        yield held
    finally:
        for signum, handler in before.items():
            signal.signal(signum, signal.SIG_DFL if handler is None else handler)
    if held.count:
        raise KeyboardInterrupt
