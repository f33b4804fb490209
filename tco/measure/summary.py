"""A measurement and its progress in words, for a terminal."""

from __future__ import annotations

import time

from tco.measure.progress import Progress
from tco.measure.tried import Load
from tco.measurement import Interval, LoadPoint, Measurement, Quantiles
from tco.units import SECONDS_PER_MINUTE

_PLAIN_EVERY_S = 5.0
_TIMED = ("window", "tail", "idle")
_KEPT = {True: "kept", False: "not kept", None: "not known to be kept"}


def progress_text(progress: Progress) -> str:
    """Return one line: point and load, phase, words, rate and time left."""
    parts = [f"{_place(progress)}{progress.phase}: {progress.message}"]
    if progress.output_tok_per_s is not None:
        parts.append(f"{progress.output_tok_per_s:,.0f} output tok/s")
    if progress.left_s is not None:
        most = "" if progress.phase in _TIMED else "at most "
        parts.append(f"{most}{progress.left_s:.0f} s left")
    if progress.bench_left_s is not None and (progress.of_points or 1) > 1:
        parts.append(f"at most {duration(progress.bench_left_s)} in all")
    return ", ".join(parts)


def _place(progress: Progress) -> str:
    if progress.point is None:
        return ""
    of_points = progress.of_points or progress.point
    about = "about " if of_points > progress.point else ""
    return f"point {progress.point} of {about}{of_points}, {progress.load}: "


def duration(length_s: float) -> str:
    """Return seconds as a person says them: `40 s`, `12 min`."""
    if length_s < 2 * SECONDS_PER_MINUTE:
        return f"{length_s:.0f} s"
    return f"{length_s / SECONDS_PER_MINUTE:.0f} min"


def is_lasting(progress: Progress) -> bool:
    """Say whether a line stays on a terminal: the engine's command, and that it is ready."""
    return progress.phase == "engine" and not progress.message.startswith("loading")


class Pace:
    """Lets through the first line of a phase, every engine line, and one every 5 s."""

    def __init__(self) -> None:
        self._phase: tuple[int | None, str] = (None, "")
        self._last_s = 0.0

    def is_due(self, progress: Progress) -> bool:
        """Say whether to print this one."""
        now = time.monotonic()
        is_due = (
            (progress.point, progress.phase) != self._phase
            or progress.phase == "engine"
            or now - self._last_s >= _PLAIN_EVERY_S
        )
        if is_due:
            self._phase, self._last_s = (progress.point, progress.phase), now
        return is_due


def summary_lines(measurement: Measurement) -> list[str]:
    """Return the curve, and the figures of the capacity and target points."""
    points, lines = measurement.points, []
    if len(points) > 1:
        lines += [_curve_line(number, point) for number, point in enumerate(points, start=1)]
    capacity, target = measurement.capacity_point, measurement.target_point
    if capacity is not None:
        interval = measurement.capacity_interval
        lines.append(f"capacity: {_at(points[capacity])}{_range(interval)}")
        lines += _point_lines(points[capacity])
    if target is not None and target != capacity:
        lines.append(f"load to verify: {_at(points[target])}{_share(points[target])}")
        lines += _point_lines(points[target])
    return lines


def _curve_line(number: int, point: LoadPoint) -> str:
    ttft, e2e = point.latency.ttft, point.latency.e2e
    parts = [
        f"point {number}, {point.purpose}: {_at(point)}",
        f"{point.rates.output_tok_per_s:,.1f} output tok/s",
        f"median TTFT {_median(ttft)}, e2e {_median(e2e)}",
        *_verdict(point),
    ]
    return ", ".join(parts)


def _at(point: LoadPoint) -> str:
    load = Load.of(point)
    return f"{load.words()} offered" if load.is_open else load.words()


def _verdict(point: LoadPoint) -> tuple[str, ...]:
    if point.is_overloaded:
        return ("overloaded",)
    level = point.service_level
    return () if level is None else (f"service level {_KEPT[level.holds]}",)


def _share(point: LoadPoint) -> str:
    load = point.open_loop.load if point.open_loop is not None else None
    return "" if load is None else f", {load:.0%} of the capacity"


def _median(values: Quantiles | None) -> str:
    return "-" if values is None or values.p50_ms is None else f"{values.p50_ms:,.1f} ms"


def _point_lines(point: LoadPoint) -> list[str]:
    rates, level, sessions = point.rates, point.service_level, point.sessions
    lines = [
        (
            f"{_at(point)} for {point.window_s:.0f} s: "
            f"{rates.output_tok_per_s:,.1f} output tok/s{_range(rates.output_tok_per_s_interval)}, "
            f"{rates.total_tok_per_s:,.1f} total tok/s, {rates.requests_per_s:,.3f} requests/s"
        ),
        _latency_line(point),
    ]
    if level is not None:
        lines.append(
            f"{', '.join(_verdict(point))}; goodput "
            f"{level.goodput_requests_per_s:,.3f} requests/s, "
            f"{level.goodput_share:.1%} of the requests"
        )
    if sessions is not None:
        lines.append(
            f"{sessions.completed} sessions of {sessions.requests_mean:.1f} requests ended, "
            f"median job {_median(sessions.job)}, without waits {_median(sessions.busy)}"
        )
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
