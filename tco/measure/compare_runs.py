"""Compares two measurements of the same request: figure by figure, at their capacity."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import geometric_mean
from typing import Final

from tco.bench_comparison import BenchComparison, ComparedRun, Ratio, Verdict
from tco.errors import InputError
from tco.measure.compare_findings import compare_findings, has_same_load, has_same_service_level
from tco.measure.interval import LEAST_STARTS
from tco.measure.ratio import Ranged, ratio_of_ranged, ratio_of_starts
from tco.measure.tried import Load
from tco.measurement import Interval, LoadPoint, Measurement
from tco.measurement_file import LoadedMeasurement

SHAPE_CHANGE: Final = 0.01
_LATENCIES: Final = ("ttft", "tpot", "itl", "e2e")
_QUANTILES: Final = ("p50_ms", "p90_ms", "p95_ms", "p99_ms")
_OUTPUT: Final = "output_tok_per_s"
_GOODPUT: Final = "goodput_requests_per_s"
_ONE_RUN: Final = "one run tells no interval of it; three engine starts on each side do"
_NO_INTERVAL: Final = "a side has no interval of its rate: its window was too short, or imported"


@dataclass(frozen=True, slots=True)
class _Side:
    """A measurement's points at the load of its capacity point, that one first."""

    measurement: Measurement
    points: tuple[LoadPoint, ...]

    def starts(self, figure: str) -> list[float]:
        """Return the figure's mean of every engine start that has it."""
        by_start: dict[str, list[float]] = {}
        for point in self.points:
            value = _value(point, figure)
            if value is not None:
                by_start.setdefault(point.engine_start_id or "", []).append(value)
        return [sum(values) / len(values) for values in by_start.values()]


def compare_runs(
    a: LoadedMeasurement, b: LoadedMeasurement, *, tool_version: str
) -> BenchComparison:
    """Return what the measurements say of each other.

    The output rate is compared always; latencies where both capacity points held the same
    load; goodput where both were held to the same service level. A ratio's interval is across
    engine starts where each side has three of them; else, of the output rate, it follows from
    the two intervals within their runs or the ranges of their searches.

    Raises:
        InputError: one has no load points, or they measured different requests.
    """
    sides = _side(a), _side(b)
    _require_same_shape(a, b)
    figures = [_OUTPUT]
    if has_same_service_level(sides[0].points[0], sides[1].points[0]):
        figures.append(_GOODPUT)
    if has_same_load(sides[0].points[0], sides[1].points[0]):
        figures += [f"{latency}_{quantile}" for latency in _LATENCIES for quantile in _QUANTILES]
    ratios = (_ratio(figure, *sides) for figure in figures)
    return BenchComparison(
        tool_version=tool_version,
        a=_run(a, sides[0]),
        b=_run(b, sides[1]),
        ratios=tuple(ratio for ratio in ratios if ratio is not None),
        findings=compare_findings(a.measurement, b.measurement),
    )


def _side(loaded: LoadedMeasurement) -> _Side:
    measurement = loaded.measurement
    if measurement.capacity_point is None:
        raise InputError(
            f"has no load points to compare (it is {measurement.origin})",
            file=str(loaded.path),
            remedy="compare measurements that `tco bench` or `tco import` wrote",
        )
    chosen = measurement.points[measurement.capacity_point]
    same = [p for p in measurement.points if p is not chosen and has_same_load(p, chosen)]
    return _Side(measurement, (chosen, *same))


def _require_same_shape(a: LoadedMeasurement, b: LoadedMeasurement) -> None:
    one, other = a.measurement.shape, b.measurement.shape
    for name, unit in (("input_tokens", "input tokens"), ("output_tokens", "output tokens")):
        mine, theirs = getattr(one, name), getattr(other, name)
        if abs(theirs - mine) > SHAPE_CHANGE * mine:
            raise _other_request(b, f"{theirs:g} {unit}", f"{mine:g}", a)
    mine, theirs = one.cached_input_share, other.cached_input_share
    if mine is not None and theirs is not None and abs(theirs - mine) > SHAPE_CHANGE:
        raise _other_request(b, f"a cached share of {theirs:g}", f"{mine:g}", a)


def _other_request(b: LoadedMeasurement, has: str, other: str, a: LoadedMeasurement) -> InputError:
    return InputError(
        f"measured another request: {has} where {a.path.name} has {other}",
        file=str(b.path),
        remedy="compare measurements of the same traffic.shape",
    )


def _run(loaded: LoadedMeasurement, side: _Side) -> ComparedRun:
    engine, host, point = side.measurement.engine, side.measurement.host, side.points[0]
    return ComparedRun(
        file=loaded.path.name,
        sha256=loaded.sha256,
        created_at=side.measurement.created_at,
        origin=side.measurement.origin,
        engine=f"{engine.name} {engine.version or ''}".strip() if engine else None,
        model=engine.model if engine else None,
        host=", ".join((host.cpu, *host.accelerators)) if host else None,
        load=Load.of(point).words(),
        starts=len({p.engine_start_id for p in side.points}),
    )


def _ratio(figure: str, a: _Side, b: _Side) -> Ratio | None:
    starts = a.starts(figure), b.starts(figure)
    values = _value(a.points[0], figure), _value(b.points[0], figure)
    interval = None
    if min(map(len, starts)) >= LEAST_STARTS:
        interval = ratio_of_starts(*starts)
        if interval is not None:
            values = geometric_mean(starts[0]), geometric_mean(starts[1])
    elif figure == _OUTPUT:
        interval = _within(a, b)
    if values[0] is None or values[1] is None:
        return None
    reason = _NO_INTERVAL if figure == _OUTPUT else _ONE_RUN
    higher_is_better = figure in (_OUTPUT, _GOODPUT)
    return Ratio(
        figure=figure,
        higher_is_better=higher_is_better,
        a=values[0],
        b=values[1],
        ratio=values[1] / values[0] if values[0] > 0 else None,
        interval=interval,
        verdict=_verdict(interval, higher_is_better=higher_is_better),
        reason=reason if interval is None else None,
    )


def _within(a: _Side, b: _Side) -> Interval | None:
    """Return the ratio's interval from what each run knows of its own output rate."""
    ranged = [_ranged(side) for side in (a, b)]
    if ranged[0] is None or ranged[1] is None:
        return None
    return ratio_of_ranged(ranged[0], ranged[1])


def _ranged(side: _Side) -> Ranged | None:
    rates, whole = side.points[0].rates, side.measurement.capacity_interval
    # The rate of an open loop is what was offered: only the search knows how far it may be.
    interval = whole if side.points[0].loop == "open" else rates.output_tok_per_s_interval
    return Ranged(rates.output_tok_per_s, interval) if interval is not None else None


def _verdict(interval: Interval | None, *, higher_is_better: bool) -> Verdict:
    if interval is None or interval.low <= 1 <= interval.high:
        return "undecided"
    return "better" if (interval.low > 1) == higher_is_better else "worse"


def _value(point: LoadPoint, figure: str) -> float | None:
    if figure == _OUTPUT:
        return point.rates.output_tok_per_s
    if figure == _GOODPUT:
        level = point.service_level
        return level.goodput_requests_per_s if level is not None else None
    latency, _, quantile = figure.partition("_")
    values = getattr(point.latency, latency)
    found: float | None = getattr(values, quantile) if values is not None else None
    return found
