"""What the chart of a trace's lengths shows: mean and quantiles of input and output."""

from __future__ import annotations

from dataclasses import dataclass

from tco.report.numbers import number
from tco.traffic.shape import TrafficShape

_QUANTILES = (("p50", "p50"), ("p90", "p90"), ("p95", "p95"), ("p99", "p99"), ("max", "most"))


@dataclass(frozen=True, slots=True)
class LengthRow:
    """Tokens of the input or the output: the mean, and each quantile with its name."""

    title: str
    mean: float
    quantiles: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Lengths:
    """Both rows on one logarithmic scale of tokens."""

    rows: tuple[LengthRow, ...]
    low: float
    high: float
    description: str


def lengths(shape: TrafficShape | None) -> Lengths | None:
    """Return the chart; None without a trace."""
    if shape is None:
        return None
    tokens = shape.model_dump()
    rows = tuple(
        LengthRow(
            title,
            tokens[f"{name}_mean"],
            tuple((words, float(tokens[f"{name}_{key}"])) for key, words in _QUANTILES),
        )
        for title, name in (("Input", "input"), ("Output", "output"))
    )
    every = [each for row in rows for each in (row.mean, *(at for _, at in row.quantiles))]
    above = [each for each in every if each > 0] or [1.0]
    return Lengths(rows, min(above) / 1.3, max(above) * 1.3, _words(rows))


def _words(rows: tuple[LengthRow, ...]) -> str:
    listed = "; ".join(
        f"{row.title.lower()} mean {number(row.mean)}, "
        + ", ".join(f"{name} {number(at)}" for name, at in row.quantiles)
        for row in rows
    )
    return f"Chart of the lengths of the requests in tokens, on a logarithmic scale: {listed}."
