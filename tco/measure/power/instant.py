"""An Instant is one moment on both clocks: ours, and the wall's, by which other meters stamp."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

Clock = Literal["monotonic", "unix"]


@dataclass(frozen=True, slots=True)
class Instant:
    """A moment in ns of the monotonic clock and in ns since 1970 (UTC)."""

    monotonic_ns: int
    unix_ns: int

    def on(self, clock: Clock) -> int:
        """Return the moment in ns on one of the clocks."""
        return self.monotonic_ns if clock == "monotonic" else self.unix_ns


Span = tuple[Instant, Instant]


def now() -> Instant:
    """Return this moment."""
    return Instant(time.monotonic_ns(), time.time_ns())
