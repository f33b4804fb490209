"""What the cost rests on: by which rule the capacity was found, and whether it serves as asked."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tco.comparison import CapacityRule, ServiceVerdict
from tco.finding import Finding
from tco.measurement import Latency, LoadPoint, Measurement, SloTerm
from tco.scenario import Scenario
from tco.service_limit import ServiceLimit, all_hold, limits_of

_PERCENT = 100


def capacity_rule(scenario: Scenario, measurement: Measurement) -> CapacityRule:
    """Return how the rate at capacity was found."""
    if measurement.origin != "measured":
        return measurement.origin
    if measurement.capacity_point is None:
        return "published"
    point = _capacity_point(measurement)
    if point.loop == "closed" and scenario.engine and scenario.engine.concurrency is not None:
        return "stated_concurrency"
    if point.service_level is None:
        return "open_loop" if point.loop == "open" else "closed_loop"
    is_found = point.loop == "open" and point.service_level.holds is True
    return "service_level" if is_found else "lowest_load"


def streams_at_capacity(measurement: Measurement) -> int | None:
    """Return the streams of the closed loop that is capacity; None for any other rule."""
    if measurement.capacity_point is None:
        return None
    return _capacity_point(measurement).concurrency_asked


def service_verdict(scenario: Scenario, measurement: Measurement) -> ServiceVerdict | None:
    """Return the scenario's service level as seen at the load to verify, else at capacity.

    None where the scenario states none. A measurement made under other limits is judged by
    the scenario's: the quantiles it holds, in ms.
    """
    if not scenario.slo:
        return None
    point, seen_at = None, None
    if measurement.target_point is not None:
        point, seen_at = measurement.points[measurement.target_point], "target"
    elif measurement.capacity_point is not None:
        point, seen_at = _capacity_point(measurement), "capacity"
    limits = limits_of({key: limit.value for key, limit in scenario.slo.items()})
    terms = tuple(_term(limit, point) for limit in limits)
    return ServiceVerdict.model_validate(
        {"holds": _holds(terms, point), "seen_at": seen_at, "terms": terms}
    )


def service_findings(verdict: ServiceVerdict | None, measurement: Measurement) -> Iterator[Finding]:
    """Yield what must be said where the service level is not kept, not shown, or another's.

    Where the bench has said it already, it is not said again.
    """
    if verdict is None:
        return
    sought = _sought_terms(measurement)
    asked = {(term.latency, term.quantile, term.limit_ms) for term in verdict.terms}
    is_another = sought is not None and sought != asked
    if verdict.holds is not True:
        found = _not_kept(verdict) if verdict.holds is False else _not_shown(verdict)
        if is_another or found.kind not in {each.kind for each in measurement.all_findings()}:
            yield found
    if is_another:
        yield Finding(
            kind="slo_differs",
            severity="warn",
            path="slo",
            message="the capacity was searched for at another service level than the scenario's",
            advice="measure again with `tco bench`",
        )


def _not_kept(verdict: ServiceVerdict) -> Finding:
    broken = [term for term in verdict.terms if term.holds is False and term.seen_ms is not None]
    said = ", ".join(
        f"{term.latency} p{term.quantile * _PERCENT:g} was {term.seen_ms:,.0f} ms, "
        f"the limit is {term.limit_ms:,.0f} ms"
        for term in broken
    )
    at = "the load to verify" if verdict.seen_at == "target" else "the capacity"
    return Finding(
        kind="slo_not_kept",
        severity="invalid",
        path="slo",
        message=f"the service level is not kept at {at}: "
        f"{said or 'requests arrive faster than they are served'}",
        advice="lower the load (traffic.target_utilisation, engine.concurrency) or the claim (slo)",
    )


def _not_shown(verdict: ServiceVerdict) -> Finding:
    why = (
        "the rate comes without latencies"
        if verdict.seen_at is None
        else "some of its quantiles could not be told"
    )
    return Finding(
        kind="slo_unknown",
        severity="warn",
        path="slo",
        message=f"nothing shows that the service level is kept: {why}",
        advice="measure with `tco bench`, with enough requests for each quantile (bench.window_s)",
    )


def _sought_terms(measurement: Measurement) -> set[tuple[str, float, float]] | None:
    """The limits under which an open loop was searched for the capacity."""
    if measurement.capacity_point is None:
        return None
    point = _capacity_point(measurement)
    if point.purpose != "search" or point.service_level is None:
        return None
    return {(term.latency, term.quantile, term.limit_ms) for term in point.service_level.terms}


def _term(limit: ServiceLimit, point: LoadPoint | None) -> SloTerm:
    """The bench's own verdict on that limit, else by the quantile that the point lists."""
    judged = point.service_level.terms if point is not None and point.service_level else ()
    for term in judged:
        if (term.latency, term.quantile, term.limit_ms) == dataclasses.astuple(limit):
            return term
    return limit.judged(None if point is None else _quantile_ms(point.latency, limit))


def _quantile_ms(latency: Latency, limit: ServiceLimit) -> float | None:
    values = getattr(latency, limit.latency)
    name = f"p{limit.quantile * _PERCENT:.0f}_ms"
    found: float | None = None if values is None else getattr(values, name)
    return found


def _holds(terms: tuple[SloTerm, ...], point: LoadPoint | None) -> bool | None:
    """The point's own verdict where it is of these limits; a queue that grows keeps none."""
    if point is not None and point.is_overloaded:
        return False
    judged = None if point is None else point.service_level
    if judged is not None and set(judged.terms) == set(terms):
        return judged.holds
    return all_hold(terms)


def _capacity_point(measurement: Measurement) -> LoadPoint:
    if measurement.capacity_point is None:
        raise ValueError("the measurement has no capacity point")
    return measurement.points[measurement.capacity_point]
