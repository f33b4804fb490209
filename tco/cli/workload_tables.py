"""The shape of traffic on a terminal: lengths as a table, arrivals by minute as bars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tco.plural import several
from tco.report.numbers import percent
from tco.traffic.shape import TrafficShape
from tco.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_COLUMNS, _ROWS = 60, 4


def print_shape(shape: TrafficShape) -> None:
    """Print the shape on stdout; markup in names is shown as it is written."""
    out = Console(highlight=False)
    span = "" if shape.span_s is None else f" over {duration(shape.span_s)}"
    out.print(Text(f"{shape.file}: {shape.format}, {several(shape.requests, 'request')}{span}"))
    out.print()
    out.print(_lengths(shape))
    for line in (*_arrivals(shape), *_sharing(shape)):
        out.print(Text(line, no_wrap=True), soft_wrap=True)


def duration(seconds: float) -> str:
    """Return a span in the unit that reads best: `12 s`, `3.3 min`, `26 h`."""
    for unit_s, unit in ((SECONDS_PER_HOUR, "h"), (SECONDS_PER_MINUTE, "min")):
        if seconds >= 2 * unit_s:
            return f"{seconds / unit_s:,.3g} {unit}"
    return f"{seconds:,.3g} s"


def bars(counts: Sequence[int]) -> list[str]:
    """Return the counts as columns of four lines; each stands for the highest of its minutes."""
    width = math.ceil(len(counts) / _COLUMNS)
    columns = [max(counts[at : at + width]) for at in range(0, len(counts), width)]
    top = max(columns)
    eighths = [math.ceil(count / top * _ROWS * 8) for count in columns]
    return [
        "".join(_EIGHTHS[min(8, max(0, high - row * 8))] for high in eighths)
        for row in reversed(range(_ROWS))
    ]


def _lengths(shape: TrafficShape) -> Table:
    table = Table(pad_edge=False, box=box.SIMPLE_HEAD)
    for index, name in enumerate(("tokens", "mean", "p50", "p90", "p95", "p99", "max")):
        table.add_column(name, justify="right" if index else "left")
    rows = (
        ("input", shape.input_mean, shape.input_p50, shape.input_p90, shape.input_p95,
         shape.input_p99, shape.input_max),
        ("output", shape.output_mean, shape.output_p50, shape.output_p90, shape.output_p95,
         shape.output_p99, shape.output_max),
    )  # fmt: skip
    for name, *lengths in rows:
        table.add_row(name, *(f"{length:,.1f}".removesuffix(".0") for length in lengths))
    return table


def _arrivals(shape: TrafficShape) -> list[str]:
    counts = shape.arrivals_per_minute
    if not counts:
        return ["Arrivals: the file states no times", ""]
    rate = "" if shape.requests_per_s is None else f", {shape.requests_per_s:.3g} a second"
    lines = [f"Arrivals by minute{rate}; the busiest has {max(counts):,}"]
    if shape.peak_to_average is not None:
        lines[0] += f", {shape.peak_to_average:.2f} times the average"
    if len(counts) > 1:
        lines += [*(f"  {line}" for line in bars(counts)), *_axis(len(counts))]
    return [*lines, ""]


def _axis(minutes: int) -> list[str]:
    width = math.ceil(minutes / _COLUMNS)
    columns = math.ceil(minutes / width)
    end = f"{minutes} min"
    each = "" if width == 1 else f"   (a column is the busiest of {width} minutes)"
    return [f"  0{end:>{max(columns - 1, len(end) + 1)}}{each}"]


def _sharing(shape: TrafficShape) -> list[str]:
    share = shape.reusable_prefix_share
    lines = [
        "Reusable prefix share: "
        + ("the file does not tell" if share is None else f"{percent(share)} of input tokens")
    ]
    if shape.requests_per_session > 1:
        wait = f", {shape.wait_mean_s:.3g} s between turns" if shape.wait_mean_s else ""
        each = f"{shape.requests_per_session:.3g} requests each{wait}"
        lines.append(f"Sessions: {shape.sessions:,}, {each}")
    if shape.left_out:
        lines.append(f"Left out: {several(shape.left_out, 'request')} without input or answer")
    return lines
