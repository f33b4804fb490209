"""The capacity in words: its rate, its interval and what that covers, its rule, its origin."""

from __future__ import annotations

from tco.comparison import Capacity, Comparison
from tco.comparison import Interval as RateInterval
from tco.measurement import Interval, Measurement
from tco.plural import several
from tco.report.numbers import number, percent
from tco.report.service import SEEN_AT, kept_words, limits_words, seen_words, shown_to_hold
from tco.report.text import plain, shorten

ORIGIN_WORDS = {
    "measured": "measured by tco",
    "imported": "imported from another tool's result",
    "published": "published by others, not measured here",
}
_RULES = {
    "closed_loop": "the best closed loop, {streams}",
    "open_loop": "the rate of an open loop",
    "service_level": "the highest open-loop rate that kept the service level",
    "lowest_load": "the lowest load tried, as none is known to keep the service level",
    "stated_concurrency": "the closed loop that the scenario states, {streams}",
}
_NAME_LIMIT = 60


def on_rate(comparison: Comparison) -> str:
    """Return `on a measured rate`: it stands beside every figure that rests on the rate."""
    origin = comparison.capacity.origin
    return f"on {'an' if origin == 'imported' else 'a'} {origin} rate"


def capacity_words(comparison: Comparison, measurement: Measurement) -> str:
    """Return one line: rate, interval, rule, origin, and the verdict on the service level."""
    capacity = comparison.capacity
    parts = (
        f"Capacity of one replica: {number(capacity.output_tok_per_s)} output tokens a second",
        interval_words(capacity.interval),
        rule_words(capacity),
        origin_words(measurement),
    )
    return f"{', '.join(filter(None, parts))}. {service_words(comparison)}."


def service_words(comparison: Comparison) -> str:
    """Return the service level, whether it is kept, what was seen and where; no full stop."""
    verdict = comparison.service
    if verdict is None:
        return "No service level is set"
    kept = kept_words(shown_to_hold(comparison))
    words = f"Service level {limits_words(verdict.terms)}, kept: {kept}"
    if verdict.seen_at is None:
        return f"{words} (the rate comes without latencies)"
    return f"{words} ({seen_words(verdict)} {SEEN_AT[verdict.seen_at]})"


def seen_at_words(comparison: Comparison) -> str:
    """Return ` At the load to verify: TTFT p95 78 ms.`, or nothing where nothing was seen."""
    verdict = comparison.service
    if verdict is None or verdict.seen_at is None:
        return ""
    where = SEEN_AT[verdict.seen_at]
    return f" {where[:1].upper()}{where[1:]}: {seen_words(verdict)}."


def rule_words(capacity: Capacity) -> str:
    """Return how the capacity was found, as a clause; nothing where others found it."""
    if capacity.rule is None or capacity.rule not in _RULES:
        return ""
    streams = (
        "streams not stated" if capacity.streams is None else several(capacity.streams, "stream")
    )
    return _RULES[capacity.rule].format(streams=streams)


def interval_words(interval: Interval | RateInterval | None) -> str:
    """Return an interval of a rate (tok/s) with its level and what it covers."""
    if interval is None:
        return "no interval"
    ends = f"{number(interval.low)} to {number(interval.high)}"
    return f"{ends} ({covers_words(interval)})"


def covers_words(interval: Interval | RateInterval) -> str:
    """Return `95 %, within one run`; a bracket, which has no level, only says what it is."""
    level = "" if interval.level is None else f"{percent(interval.level)}, "
    return f"{level}{plain(interval.covers)}"


def origin_words(measurement: Measurement) -> str:
    """Return the origin of the rates, with tool and version where another made them."""
    imported = measurement.imported
    if imported is None:
        return ORIGIN_WORDS[measurement.origin]
    tool = shorten(plain(imported.tool), _NAME_LIMIT)
    version = plain(imported.tool_version) if imported.tool_version else "(version not stated)"
    return f"imported from {tool} {shorten(version, _NAME_LIMIT)}"
