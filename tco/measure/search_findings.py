"""What a reader must know of how a capacity was found, and of the load that was verified."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tco.finding import Finding
from tco.measure.capacity import Capacity
from tco.measure.load_findings import level_not_kept, overloaded
from tco.measure.on_measurement import on_measurement
from tco.measure.search_bracket import TOLERANCE, is_narrow
from tco.measure.tried import Load
from tco.measurement import LoadPoint

_MORE_TIME: Final = "allow more time (bench.max_minutes), or shorter windows (bench.window_s)"


def search_findings(points: Sequence[LoadPoint], capacity: Capacity) -> tuple[Finding, ...]:
    """Return what is to be said of the search: no answer, a wide one, or one at a bound."""
    point = points[capacity.index]
    found = (
        _nowhere(point, capacity),
        _wide(capacity),
        _at_bound(point, capacity),
        _not_binding(points, capacity),
    )
    return tuple(finding for finding in found if finding is not None)


def _nowhere(point: LoadPoint, capacity: Capacity) -> Finding | None:
    """Look for a service level that no load kept, or none could be shown to."""
    if point.service_level is None or capacity.low is not None:
        return None
    what = Load.of(point).words()
    if capacity.reason != "stated":
        what = f"the lowest load tried, {what},"
    return _not_kept(point, what)


def _not_kept(point: LoadPoint, what: str) -> Finding | None:
    """Look for a load that broke its level, by its limits or else by an overload."""
    level, loop = point.service_level, point.open_loop
    if level is None:
        return None
    if level.holds is not False and loop is not None and loop.is_overloaded:
        return overloaded(loop, is_search=False)
    return level_not_kept(level, what)


def _wide(capacity: Capacity) -> Finding | None:
    low, high = capacity.low, capacity.high
    if capacity.reason not in ("out_of_points", "undecided", "at_bound"):
        return None
    if low is None:
        if capacity.reason == "at_bound":
            return None
        return on_measurement(
            "search_not_narrow",
            "warn",
            "the time ended before the search for the capacity did: no open loop is known to keep "
            "the service level, or whether more can be served",
            _MORE_TIME,
        )
    if is_narrow(low, high):
        return None
    upper = "no higher rate was tried" if high is None else f"{high:,.4g} did not"
    why = {"out_of_points": "the time ended", "at_bound": "it was at its bound"}
    return on_measurement(
        "search_not_narrow",
        "warn",
        f"the capacity is known less well than within {TOLERANCE:.0%}: {low:,.4g} requests/s kept "
        f"the service level, {upper}; "
        f"{why.get(capacity.reason, 'a verdict could not be told')}",
        _MORE_TIME,
        value=None if high is None else high / low - 1,
        limit=TOLERANCE,
    )


def _at_bound(point: LoadPoint, capacity: Capacity) -> Finding | None:
    if capacity.reason != "at_bound" or point.concurrency_asked is None:
        return None
    return on_measurement(
        "capacity_at_bound",
        "warn",
        f"the rate still rose at the most streams that are tried, {point.concurrency_asked}",
        "set engine.concurrency to measure at more",
        value=float(point.concurrency_asked),
        limit=float(point.concurrency_asked),
    )


def _not_binding(points: Sequence[LoadPoint], capacity: Capacity) -> Finding | None:
    """Look for a service level that only an overload broke: the engine's rate is the limit."""
    if capacity.low is None or capacity.high is None:
        return None
    failed = [
        point
        for point in points
        if point.purpose == "search" and point.offered_requests_per_s == capacity.high
    ]
    if not all(point.is_overloaded for point in failed):
        return None
    return on_measurement(
        "slo_not_binding",
        "info",
        "no load short of an overload broke the service level: the capacity is what the engine "
        "can sustain",
        "a tighter service level would cost no more up to here",
    )


def target_findings(
    points: Sequence[LoadPoint], capacity_index: int, target_index: int
) -> tuple[Finding, ...]:
    """Return whether the load to verify kept the service level, where it is a point of its own."""
    target = points[target_index]
    if target_index == capacity_index or target.service_level is None:
        return ()
    finding = level_not_kept(
        target.service_level, f"the load to verify, {Load.of(target).words()},"
    )
    return () if finding is None else (finding,)


def repeat_findings(repeats: Sequence[LoadPoint]) -> tuple[Finding, ...]:
    """Return which later measurements of the capacity did not keep the service level."""
    found = [
        _not_kept(point, f"the capacity measured again (repeat {number})")
        for number, point in enumerate(repeats, start=2)
    ]
    return tuple(finding for finding in found if finding is not None)


UNFINISHED: Final = on_measurement(
    "unfinished",
    "invalid",
    "the bench has not ended: points are missing",
    "run the same command again; it goes on where it stopped",
)
