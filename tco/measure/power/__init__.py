"""Power and energy: meters recorded while the bench runs, and what they said of a point.

A meter that cannot be read is no error unless it is asked for by name: its recorder has no
readings, and a finding that says why.
"""

from __future__ import annotations

from tco.measure.power.instant import Instant, Span, now
from tco.measure.power.open import check_meter, open_recorders
from tco.measure.power.readings import Energy
from tco.measure.power.recorder import (
    PointPower,
    PowerRecorder,
    measured_power,
    point_power,
)

__all__ = [
    "Energy",
    "Instant",
    "PointPower",
    "PowerRecorder",
    "Span",
    "check_meter",
    "measured_power",
    "now",
    "open_recorders",
    "point_power",
]
