"""What the chart of a trace shows: arrivals by minute, and how long prompts and answers are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tco.traffic import Traffic
from tco.traffic.shape import TrafficShape

_MOST_BARS = 300
_BINS = 40


@dataclass(frozen=True, slots=True)
class LengthBars:
    """The lengths of prompts or answers, in bins of equal ratio.

    Attributes:
        title: with the mean.
        edges: in tokens, one more than bars.
        shares: of requests in each bin.
        ticks: lengths that stand under the axis.
        marks: quantiles, by their words.
    """

    title: str
    edges: tuple[float, ...]
    shares: tuple[float, ...]
    ticks: tuple[float, ...]
    marks: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class TrafficFigure:
    """The whole chart.

    Attributes:
        title: the file and its format.
        arrivals_title: with the rate and the peak.
        arrivals: requests in a minute; of longer traces, the busiest of each group of minutes.
        minutes_per_bar: size of such a group.
        mean_per_minute: None where there are no times, or only an instant.
    """

    title: str
    arrivals_title: str
    arrivals: tuple[int, ...]
    minutes_per_bar: int
    mean_per_minute: float | None
    lengths: tuple[LengthBars, LengthBars]


def traffic_figure(traffic: Traffic, shape: TrafficShape) -> TrafficFigure:
    """Return what to draw of a trace."""
    size, counts = shape.busiest(_MOST_BARS)
    group = "" if size == 1 else f" (the busiest of every {size} minutes)"
    peak = shape.peak_to_average
    ratio = "" if peak is None else f"; the busiest has {peak:.2f} times the average"
    return TrafficFigure(
        title=f"{shape.file}: {shape.format}, {shape.requests:,} requests",
        arrivals_title=f"Requests by minute{group}{ratio}",
        arrivals=counts,
        minutes_per_bar=size,
        mean_per_minute=shape.mean_per_minute,
        lengths=(
            _length_bars("Input", traffic.workload.input_tokens()),
            _length_bars("Output", traffic.workload.output_tokens),
        ),
    )


def _length_bars(name: str, lengths: npt.NDArray[np.int64]) -> LengthBars:
    low, high = float(lengths.min()), float(lengths.max())
    edges = np.geomspace(low / 1.05, high * 1.05, _BINS + 1)
    counts, _ = np.histogram(lengths, edges)
    quantiles = zip((50, 95), np.percentile(lengths, (50, 95)).tolist(), strict=True)
    return LengthBars(
        title=f"{name} tokens, mean {lengths.mean():,.1f}",
        edges=tuple(edges.tolist()),
        shares=tuple((counts / len(lengths)).tolist()),
        ticks=_ticks(low, high),
        marks=tuple((f"p{at} {tokens:,.0f}", tokens) for at, tokens in quantiles),
    )


def _ticks(low: float, high: float) -> tuple[float, ...]:
    """Return 1, 2, 5 times powers of ten between the two; the powers alone where those suffice."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in ((1,), (1, 2, 5)):
        ticks = tuple(step * 10.0**power for power in powers for step in steps)
        inside = tuple(tick for tick in ticks if low <= tick <= high)
        if len(inside) > 2:  # noqa: PLR2004  fewer do not show that the axis is logarithmic
            return inside
    return tuple(dict.fromkeys((low, high)))
