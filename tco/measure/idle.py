"""The span in which an engine is loaded and has nothing to do, for its idle power."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from tco.measure.power import PowerRecorder, Span, now
from tco.measure.power.silent import SilentMeter
from tco.measure.progress import Progress

IDLE_S: Final = 5.0


def idle_span(
    recorders: Sequence[PowerRecorder], progress: Callable[[Progress], None]
) -> Span | None:
    """Wait a while, and return when that was; None, at once, where no meter reads."""
    if all(isinstance(recorder, SilentMeter) for recorder in recorders):
        return None
    begun = now()
    progress(Progress("idle", "reading the idle power", left_s=IDLE_S))
    time.sleep(IDLE_S)
    return begun, now()
