"""The demand of a scenario whose trace tells it: rate, peak and, of a whole day, its hours."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np
from pydantic import ValidationError

from tco.scenario import Trace
from tco.scenario_shape import shape_of_file
from tco.traffic.shape import TrafficShape
from tco.units import (
    DAYS_PER_WEEK,
    HOURS_PER_DAY,
    MINUTES_PER_HOUR,
    SECONDS_PER_DAY,
    SECONDS_PER_MINUTE,
)
from tco.yamlfile import YamlDocument, refuse
from tco.yamltree import Loc

_AT: Loc = ("traffic", "demand")
# What a trace tells is neither stated nor varied beside it.
_TOLD = (
    "requests_per_day",
    "average_requests_per_s",
    "average_output_tok_per_s",
    "peak_to_average",
    "peak_output_tok_per_s",
    "profile",
)


def with_demand(tree: dict[str, Any], document: YamlDocument) -> dict[str, Any]:
    """Return the scenario's tree with the demand of its trace filled in, where it asks for that.

    Args:
        tree: the scenario, its shape's trace resolved.
        document: knows where keys stand, and the folder that a trace is relative to.

    Raises:
        InputError: no trace, one without times or under a minute, or a demand stated beside it.
    """
    traffic = tree.get("traffic")
    if not isinstance(traffic, dict):
        return tree
    demand = traffic.get("demand")
    if not isinstance(demand, dict) or demand.get("from_trace") is not True:
        return tree
    for key in _TOLD:
        if demand.get(key) is not None:
            _refuse(
                document,
                key,
                f"`from_trace` and `{key}` exclude each other: the trace has its own",
                "drop one of them; `scale` makes the trace's demand larger or smaller",
            )
    told = _told(_shape(traffic.get("shape"), document), document)
    return {**tree, "traffic": {**traffic, "demand": {**demand, **told}}}


def hourly_weights(shape: TrafficShape) -> tuple[float, ...] | None:
    """Return the mean rate of each hour of the day, or of the week where it spans one.

    Hour 0 begins with the first arrival. An hour that the trace holds more often than another
    is averaged, so that a part of a day at its end does not count twice. None under a day.
    """
    span_s = shape.span_s or 0.0
    days = span_s / SECONDS_PER_DAY
    if days < 1:
        return None
    hours = HOURS_PER_DAY * (DAYS_PER_WEEK if days >= DAYS_PER_WEEK else 1)
    arrivals = np.array(shape.arrivals_per_minute, dtype=float)
    starts_s = np.arange(len(arrivals)) * SECONDS_PER_MINUTE
    held_s = np.minimum(span_s - starts_s, SECONDS_PER_MINUTE)
    hour = np.arange(len(arrivals)) // MINUTES_PER_HOUR % hours
    counts = np.bincount(hour, arrivals, hours)
    seconds = np.bincount(hour, held_s, hours)
    return tuple((counts / seconds).tolist())


def _shape(shape: object, document: YamlDocument) -> TrafficShape | None:
    """Return the shape of the scenario's trace; None where the trace is itself at fault."""
    raw = shape.get("trace") if isinstance(shape, dict) else None
    if raw is None:
        _refuse(
            document,
            "from_trace",
            "`from_trace` needs a trace, and the shape has none",
            "state traffic.shape.trace, or the demand itself",
        )
    try:
        trace = Trace.model_validate(raw, context={"folder": document.path.parent})
    except ValidationError:
        return None
    return shape_of_file(trace.path())


def _told(shape: TrafficShape | None, document: YamlDocument) -> dict[str, Any]:
    if shape is None:
        return {"average_requests_per_s": 1.0}
    if shape.span_s is None:
        _refuse(
            document,
            "from_trace",
            f"the trace {shape.file} states no times, so it tells no demand",
            "state requests_per_day, or a trace with times",
        )
    if shape.requests_per_s is None or shape.peak_to_average is None:
        _refuse(
            document,
            "from_trace",
            f"the trace {shape.file} spans {shape.span_s:g} s, too little for a rate and a peak",
            "state requests_per_day, or a trace of at least a minute",
        )
    told: dict[str, Any] = {
        "average_requests_per_s": {
            "value": shape.requests_per_s,
            "source": f"{shape.requests:,} requests of the trace over its {shape.span_s:,.0f} s",
        },
        "peak_to_average": {
            "value": shape.peak_to_average,
            "source": "busiest minute of the trace by its mean",
        },
    }
    weights = hourly_weights(shape)
    if weights is not None:
        told["profile"] = list(weights)
    return told


def _refuse(document: YamlDocument, key: str, message: str, remedy: str) -> NoReturn:
    refuse(document, (*_AT, key), message, remedy)
