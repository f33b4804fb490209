"""What a reader must know before believing the comparison of two measurements."""

from __future__ import annotations

from typing import Final

from tco.finding import Finding, Severity
from tco.measure.interval import LEAST_STARTS
from tco.measurement import LoadPoint, Measurement

SAME_RATE: Final = 0.01


def has_same_load(a: LoadPoint, b: LoadPoint) -> bool:
    """Say whether two points held the same load: streams, or requests a second within 1 %.

    A load that an imported file does not tell is like no other.
    """
    if a.concurrency_asked is not None or b.concurrency_asked is not None:
        return a.concurrency_asked == b.concurrency_asked
    one, other = a.offered_requests_per_s, b.offered_requests_per_s
    if one is None or other is None:
        return False
    return abs(other - one) <= SAME_RATE * one


def has_same_service_level(a: LoadPoint, b: LoadPoint) -> bool:
    """Say whether both were held to the same limits; not where neither was to any."""
    limits = [_limits(point) for point in (a, b)]
    return bool(limits[0]) and limits[0] == limits[1]


def compare_findings(a: Measurement, b: Measurement) -> tuple[Finding, ...]:
    """Return what is different between the two besides their figures, and what is weak."""
    found = (
        *(_invalid(name, side) for name, side in (("a", a), ("b", b))),
        *(_unfinished(name, side) for name, side in (("a", a), ("b", b))),
        _other_host(a, b),
        _other_model(a, b),
        _other_service_level(_capacity(a), _capacity(b)),
        _other_load(_capacity(a), _capacity(b)),
        _few_starts(a, b),
    )
    return tuple(finding for finding in found if finding is not None)


def _capacity(measurement: Measurement) -> LoadPoint:
    return measurement.points[measurement.capacity_point or 0]


def _points(measurement: Measurement) -> list[LoadPoint]:
    """Return the points at the load of the capacity point, itself included."""
    capacity = _capacity(measurement)
    return [p for p in measurement.points if p is capacity or has_same_load(p, capacity)]


def _limits(point: LoadPoint) -> dict[tuple[str, float], float]:
    level = point.service_level
    terms = level.terms if level is not None else ()
    return {(term.latency, term.quantile): term.limit_ms for term in terms}


def _finding(kind: str, severity: Severity, path: str, message: str, advice: str) -> Finding:
    return Finding(kind=kind, severity=severity, path=path, message=message, advice=advice)


def _invalid(name: str, measurement: Measurement) -> Finding | None:
    kinds = sorted({f.kind for f in measurement.all_findings() if f.severity == "invalid"})
    if not kinds:
        return None
    return _finding(
        "invalid_measurement",
        "invalid",
        name,
        f"{name.upper()} has findings that make its figures none to use: {', '.join(kinds)}",
        "measure it again",
    )


def _unfinished(name: str, measurement: Measurement) -> Finding | None:
    if measurement.is_complete:
        return None
    return _finding(
        "unfinished_measurement",
        "warn",
        name,
        f"{name.upper()} was interrupted: its capacity is the best point until then",
        "let the bench end: the same `tco bench` command takes it up",
    )


def _other_host(a: Measurement, b: Measurement) -> Finding | None:
    if a.host is None or b.host is None:
        return None
    changed = [
        f"{name.replace('_', ' ')} {getattr(a.host, name)} and {getattr(b.host, name)}"
        for name in ("cpu", "cpu_count", "accelerators", "driver")
        if getattr(a.host, name) != getattr(b.host, name)
    ]
    if not changed:
        return None
    return _finding(
        "other_host",
        "warn",
        "host",
        f"they ran on different machines ({'; '.join(changed)})",
        "compare on one machine, unless the machines are what is compared",
    )


def _other_model(a: Measurement, b: Measurement) -> Finding | None:
    if a.engine is None or b.engine is None or a.engine.model == b.engine.model:
        return None
    return _finding(
        "other_model",
        "warn",
        "engine.model",
        f"they served different models ({a.engine.model} and {b.engine.model})",
        "compare one model, unless the models are what is compared",
    )


def _other_service_level(a: LoadPoint, b: LoadPoint) -> Finding | None:
    if _limits(a) == _limits(b):
        return None
    return _finding(
        "other_service_level",
        "warn",
        "slo",
        "they were held to different service levels; goodput is left out",
        "measure both with the same slo",
    )


def _other_load(a: LoadPoint, b: LoadPoint) -> Finding | None:
    if has_same_load(a, b):
        return None
    return _finding(
        "other_load",
        "info",
        "load",
        "their capacities are at different loads, or at ones that are not told, so latencies are "
        "left out",
        "measure both at the same engine.concurrency to compare latencies",
    )


def _few_starts(a: Measurement, b: Measurement) -> Finding | None:
    counts = [len({p.engine_start_id for p in _points(side)}) for side in (a, b)]
    if min(counts) >= LEAST_STARTS:
        return None
    return _finding(
        "few_starts",
        "info",
        "starts",
        f"the engine starts measured are {counts[0]} of A and {counts[1]} of B; what changes from "
        "start to start is in no interval",
        f"measure both with bench.repeats: {LEAST_STARTS} or more",
    )
