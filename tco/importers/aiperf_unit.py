"""The units of time that AIPerf writes beside its metrics."""

from __future__ import annotations

from typing import Final

from tco.importers.node import Node

_MS_PER: Final = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "sec": 1000.0, "s": 1000.0}


def to_ms(metric: Node) -> float:
    """Return the factor from a metric's unit to ms.

    Raises:
        InputError: it names no unit of time that is known here.
    """
    unit = metric.at("unit")
    if unit.text() not in _MS_PER:
        raise unit.fault(f"must be a unit of time ({', '.join(_MS_PER)}), got {unit.shown()}")
    return _MS_PER[unit.text()]
