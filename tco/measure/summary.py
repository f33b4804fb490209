"""A measurement and its progress in words, for a terminal."""

from __future__ import annotations

import time

from tco.measure.progress import Progress
from tco.measurement import Interval, LoadPoint, Measurement, Quantiles

_PLAIN_EVERY_S = 5.0


def progress_text(progress: Progress) -> str:
    """Return one line: phase, words, rate and time left."""
    parts = [f"{progress.phase}: {progress.message}"]
    if progress.output_tok_per_s is not None:
        parts.append(f"{progress.output_tok_per_s:,.0f} output tok/s")
    if progress.left_s is not None:
        most = "" if progress.phase == "window" else "at most "
        parts.append(f"{most}{progress.left_s:.0f} s left")
    return ", ".join(parts)


def is_lasting(progress: Progress) -> bool:
    """Say whether a line stays on a terminal: the engine's command, and that it is ready."""
    return progress.phase == "engine" and not progress.message.startswith("loading")


class Pace:
    """Lets through the first line of a phase, every engine line, and one every 5 s."""

    def __init__(self) -> None:
        self._phase = ""
        self._last_s = 0.0

    def is_due(self, progress: Progress) -> bool:
        """Say whether to print this one."""
        now = time.monotonic()
        is_due = (
            progress.phase != self._phase
            or progress.phase == "engine"
            or now - self._last_s >= _PLAIN_EVERY_S
        )
        if is_due:
            self._phase, self._last_s = progress.phase, now
        return is_due


def summary_lines(measurement: Measurement) -> list[str]:
    """Return the capacity point's figures and every finding."""
    lines = []
    if measurement.capacity_point is not None:
        lines += _point_lines(measurement.points[measurement.capacity_point])
    for finding in measurement.all_findings():
        place = f"{finding.path}: " if len(measurement.points) > 1 else ""
        lines.append(f"{finding.severity}: {place}{finding.message}; {finding.advice}")
    return lines


def _point_lines(point: LoadPoint) -> list[str]:
    rates = point.rates
    asked = "requests" if point.concurrency_asked is None else f"{point.concurrency_asked} streams"
    lines = [
        (
            f"{asked} for {point.window_s:.0f} s: "
            f"{rates.output_tok_per_s:,.1f} output tok/s{_range(rates.output_tok_per_s_interval)}, "
            f"{rates.total_tok_per_s:,.1f} total tok/s, {rates.requests_per_s:,.3f} requests/s"
        ),
        _latency_line(point),
    ]
    if point.client is not None and point.tokens is not None:
        lines.append(
            f"client: {point.client.cpu_share:.1%} of a core; tokens counted by client "
            f"{point.tokens.client_output}, usage {point.tokens.usage_output}, "
            f"/metrics {point.tokens.metrics_output}"
        )
    return lines


def _range(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f" ({interval.low:,.1f} to {interval.high:,.1f}, {interval.covers})"


def _latency_line(point: LoadPoint) -> str:
    names = ("ttft", "tpot", "itl", "e2e")
    parts = [f"{name.upper()} {_quantiles(getattr(point.latency, name))}" for name in names]
    return "median / p95 ms: " + ", ".join(parts)


def _quantiles(values: Quantiles | None) -> str:
    if values is None:
        return "none"
    shown = ["-" if q is None else f"{q:,.1f}" for q in (values.p50_ms, values.p95_ms)]
    return " / ".join(shown)
