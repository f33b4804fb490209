"""How the fields of a search are called and printed, and what its settings are in words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tco.report.numbers import NBSP, number, percent, usd
from tco.report.service import limit_words, ms_words, quantile_name
from tco.report.text import plain
from tco.secret_names import SECRET_ARGUMENT, SECRET_NAME
from tco.service_limit import limits_of
from tco.tuning import Setting

OWN = "the scenario's own"
COST = "usd_per_million_output"
RATE = "output_tok_per_s"
_ENV = "env."
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


def settings_words(settings: Mapping[str, Setting], own: Mapping[str, Setting]) -> str:
    """Return the settings that differ from the scenario's own; a secret's value is left out."""
    differ = [
        _word(name, value) for name, value in settings.items() if value != own.get(name)
    ]  # fmt: skip
    return ", ".join(differ) or OWN


def _word(name: str, value: Setting) -> str:
    bare = name.removeprefix(_ENV)
    if value is None:
        return f"without {bare}"
    is_secret = SECRET_NAME.search(bare) if name != bare else SECRET_ARGUMENT.search(bare)
    if is_secret and isinstance(value, str):
        return f"{bare}=***"
    return f"{bare}={value if isinstance(value, str) else json.dumps(value)}"
