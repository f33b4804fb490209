"""OpenRouter's exports of activity and generations.

Sources, read in 2026: its API reference (activity) and its activity export.
"""

from __future__ import annotations

from tco.bill.format import Format
from tco.units import SECONDS_PER_DAY

OPENROUTER = (
    Format(
        "OpenRouter activity",
        "OpenRouter",
        ("date", "usage", "requests", "prompt_tokens", "completion_tokens"),
        start=("date",),
        span_s=SECONDS_PER_DAY,
        requests="requests",
        input_tokens=("prompt_tokens",),
        cached_tokens=("cached_tokens",),
        output_tokens="completion_tokens",
        usd=("usage", "byok_usage_inference"),
    ),
    Format(
        "OpenRouter activity (CSV)",
        "OpenRouter",
        ("date", "slug", "usage", "requests", "prompt tokens", "completion tokens"),
        start=("date",),
        span_s=SECONDS_PER_DAY,
        model=("slug",),
        requests="requests",
        input_tokens=("prompt tokens",),
        output_tokens="completion tokens",
        usd=("usage", "byok usage"),
    ),
    Format(
        "OpenRouter generations",
        "OpenRouter",
        ("created_at", "cost_total", "tokens_prompt", "tokens_completion"),
        start=("created_at",),
        model=("model_permaslug", "model"),
        is_request=True,
        input_tokens=("tokens_prompt",),
        cached_tokens=("tokens_cached",),
        output_tokens="tokens_completion",
        usd=("cost_total", "byok_usage_inference"),
        id="generation_id",
    ),
)
