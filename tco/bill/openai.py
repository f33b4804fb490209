"""OpenAI's exports of usage and costs.

Sources, read in 2026: its API reference (organization usage, costs) and its dashboard's exports.
"""

from __future__ import annotations

import re

from tco.bill.format import Format
from tco.bill.records import Record
from tco.units import SECONDS_PER_DAY

# Products that OpenAI's completions usage does not count; its line items name them so.
_OTHER_ITEM = re.compile(
    r"image|dall-?e|whisper|\btts\b|-tts|speech|audio|transcri|realtime|embedding|moderation|storage"
    r"|vector store|(web|file)[ _-]?search|code[ _-]?interpreter|container|fine-?tun|training|sora"
    r"|video",
    re.IGNORECASE,
)
# What a line item of OpenAI's says after the model that it is of.
_TOKENS_OF_MODEL = re.compile(r".+, (cached )?(input|output)", re.IGNORECASE)


def _line_item_model(text: str) -> str:
    """Return the model of a line item such as `gpt-4o-2024-08-06, cached input`."""
    return text.rsplit(", ", 1)[0]


def _is_other_item(record: Record) -> bool:
    """Say whether a line item of OpenAI's is no text tokens of its completions."""
    return _OTHER_ITEM.search(str(record.get("line_item") or "")) is not None


def _is_unclear_item(record: Record) -> bool:
    """Say whether a line item of OpenAI's names anything but the tokens of a model."""
    item = record.get("line_item")
    return item is not None and _TOKENS_OF_MODEL.fullmatch(str(item)) is None


def _costs(name: str, usd: str, currency: str) -> Format:
    """Return the format of costs, whose amount stands under these keys."""
    return Format(
        name,
        "OpenAI",
        ("start_time", usd),
        start=("start_time",),
        end=("end_time",),
        span_s=SECONDS_PER_DAY,
        model=("line_item",),
        model_of=_line_item_model,
        is_other=_is_other_item,
        is_unclear=_is_unclear_item,
        usd=(usd,),
        currency=currency,
    )


OPENAI = (
    Format(
        "OpenAI usage",
        "OpenAI",
        ("start_time", "input_tokens", "output_tokens", "num_model_requests"),
        start=("start_time",),
        end=("end_time",),
        span_s=SECONDS_PER_DAY,
        requests="num_model_requests",
        input_tokens=("input_tokens",),
        cached_tokens=("input_cached_tokens",),
        output_tokens="output_tokens",
    ),
    _costs("OpenAI costs", "amount.value", "amount.currency"),
    _costs("OpenAI costs (CSV)", "amount_value", "amount_currency"),
)
