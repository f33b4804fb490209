"""Power and energy: meters recorded while the bench runs, and what they said of a point.

A meter that cannot be read is no error unless it is asked for by name: its recorder has no
readings, and a finding that says why.
"""

from __future__ import annotations

from tco.measure.power.instant import Instant, Span, now
from tco.measure.power.open import check_meter, open_recorders
from tco.measure.power.recorder import PowerRecorder

__all__ = [
    "Instant",
    "PowerRecorder",
    "Span",
    "check_meter",
    "now",
    "open_recorders",
]
