"""How the fields of a search are called and printed."""

from __future__ import annotations

from collections.abc import Mapping

from tco.report.numbers import NBSP, number, percent, usd
from tco.report.service import limit_words, ms_words, quantile_name
from tco.report.text import plain
from tco.service_limit import limits_of

COST = "usd_per_million_output"
RATE = "output_tok_per_s"
_NAMES = {
    COST: "USD per million output tokens",
    RATE: "Output tokens per second",
    "requests_per_s": "Requests per second",
    "saving": "Saving",
}


def field_name(field: str) -> str:
    """Return what a field is called: `TTFT p95`, `USD per million output tokens`."""
    if field in _NAMES:
        return _NAMES[field]
    try:
        (limit,) = limits_of({field: 0.0})
    except ValueError:
        words = plain(field).replace("_", " ")
        return words[:1].upper() + words[1:]
    return quantile_name(limit.latency, limit.quantile)


def field_value(field: str, value: float) -> str:
    """Return a field's value with its unit."""
    if field.startswith("usd_") or "_usd" in field:
        return usd(value)
    if field.endswith(("saving", "_share")):
        return percent(value)
    return ms_words(value) if field.endswith("_ms") else number(value)


def limit_of(field: str, slo: Mapping[str, float]) -> str:
    """Return a limit of the service level: `TTFT p95 ≤ 2 s`."""
    return f"{field_name(field)} ≤{NBSP}{limit_words(slo[field])}"
