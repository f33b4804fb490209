"""Anthropic's exports of usage and costs.

Sources, read in 2026: its Admin API (messages usage report, cost report; its amounts are in
cents) and its console's exports.
"""

from __future__ import annotations

import re
from decimal import Decimal

from tco.bill.format import Format
from tco.bill.records import Record
from tco.units import SECONDS_PER_DAY

_SNAPSHOT = re.compile(r"-20\d\d-?\d\d-?\d\d$")
_CENT = Decimal("0.01")
_ANTHROPIC_API_INPUT = (
    "uncached_input_tokens",
    "cache_read_input_tokens",
    "cache_creation.ephemeral_5m_input_tokens",
    "cache_creation.ephemeral_1h_input_tokens",
)
_ANTHROPIC_CSV_INPUT = (
    "usage_input_tokens_no_cache",
    "usage_input_tokens_cache_read",
    "usage_input_tokens_cache_write_5m",
    "usage_input_tokens_cache_write_1h",
)


def _console_model(text: str) -> str:
    """Return one name for what the console calls `Claude Haiku 4.5` or `claude-haiku-4-5-20251001`.

    Its exports of usage hold identifiers with a date, those of costs the names it shows.
    """
    return _SNAPSHOT.sub("", re.sub(r"[ .]", "-", text.strip().casefold()))


def _is_other_cost(record: Record) -> bool:
    """Say whether a cost of Anthropic's is of another type than tokens, where it names one."""
    return str(record.get("cost_type") or "tokens").lower() not in {"tokens", "token"}


ANTHROPIC = (
    Format(
        "Anthropic usage",
        "Anthropic",
        ("starting_at", "uncached_input_tokens", "output_tokens"),
        start=("starting_at",),
        end=("ending_at",),
        span_s=SECONDS_PER_DAY,
        input_tokens=_ANTHROPIC_API_INPUT,
        cached_tokens=("cache_read_input_tokens",),
        cache_write_tokens=_ANTHROPIC_API_INPUT[2:],
        output_tokens="output_tokens",
    ),
    Format(
        "Anthropic costs",
        "Anthropic",
        ("starting_at", "amount", "currency"),
        start=("starting_at",),
        end=("ending_at",),
        span_s=SECONDS_PER_DAY,
        usd=("amount",),
        is_other=_is_other_cost,
        usd_unit=_CENT,
        currency="currency",
    ),
    Format(
        "Anthropic usage (CSV)",
        "Anthropic",
        ("usage_date_utc", "usage_input_tokens_no_cache", "usage_output_tokens"),
        start=("usage_date_utc",),
        span_s=SECONDS_PER_DAY,
        model=("model_version", "model"),
        model_of=_console_model,
        input_tokens=_ANTHROPIC_CSV_INPUT,
        cached_tokens=("usage_input_tokens_cache_read",),
        cache_write_tokens=_ANTHROPIC_CSV_INPUT[2:],
        output_tokens="usage_output_tokens",
    ),
    Format(
        "Anthropic costs (CSV)",
        "Anthropic",
        ("usage_date_utc", "cost_usd"),
        start=("usage_date_utc",),
        span_s=SECONDS_PER_DAY,
        model=("model", "model_version"),
        model_of=_console_model,
        usd=("cost_usd",),
        is_other=_is_other_cost,
    ),
)
