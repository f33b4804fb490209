"""What the chart of a trace's arrivals shows, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.numbers import count, number
from tco.traffic.shape import TrafficShape

_MOST_BARS = 120
_FEWEST = 2


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Requests by minute.

    Attributes:
        counts: of each bar; where there are more minutes than bars, of the busiest of a group.
        minutes_per_bar: size of a group.
        mean_per_minute: of the whole trace.
    """

    counts: tuple[int, ...]
    minutes_per_bar: int
    mean_per_minute: float | None
    unit: str
    description: str


def arrivals(shape: TrafficShape | None) -> Arrivals | None:
    """Return the chart; None without a trace, or where it holds less than two minutes."""
    if shape is None or len(shape.arrivals_per_minute) < _FEWEST:
        return None
    minutes = shape.arrivals_per_minute
    size, counts = shape.busiest(_MOST_BARS)
    unit = "Requests a minute"
    if size > 1:
        unit += f", the busiest of every {count(size)}"
    peak = (
        ""
        if shape.peak_to_average is None
        else (f"; the busiest minute has {number(shape.peak_to_average, 3)} times the average")
    )
    words = (
        f"Bar chart of requests by minute over {count(len(minutes))} minutes: from "
        f"{count(min(minutes))} to {count(max(minutes))}{peak}."
    )
    return Arrivals(counts, size, shape.mean_per_minute, unit, words)
