"""LiteLLM's table of spend logs, as its documentation names the columns (read in 2026)."""

from __future__ import annotations

from tco.bill.format import Format
from tco.bill.records import Record
from tco.bill.value import count

_LITELLM_USAGE = ("metadata.usage_object.", "metadata.additional_usage_values.", "")


def _is_no_call(record: Record) -> bool:
    """A request that failed, or that the proxy answered from its own cache of answers."""
    failed = str(record.get("status") or "").lower() == "failure"
    return failed or str(record.get("cache_hit")).lower() == "true"


def _has_no_answer(record: Record) -> bool:
    """Say of a call in LiteLLM's log that no token came out: a speech, an image, an embedding."""
    return not count(record.get("completion_tokens"), "completion_tokens")


LITELLM = (
    Format(
        "LiteLLM spend logs",
        "LiteLLM",
        ("starttime", "spend", "prompt_tokens", "completion_tokens"),
        start=("starttime",),
        is_request=True,
        input_tokens=("prompt_tokens",),
        cached_tokens=tuple(
            above + key
            for above in _LITELLM_USAGE
            for key in (
                "prompt_tokens_details.cached_tokens",
                "cache_read_input_tokens",
                "cached_tokens",
            )
        ),
        cache_write_tokens=("metadata.usage_object.cache_creation_input_tokens",),
        output_tokens="completion_tokens",
        usd=("spend",),
        id="request_id",
        left_out=_is_no_call,
        is_other=_has_no_answer,
    ),
)
