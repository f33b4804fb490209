"""The exports that are known, each by the names that its provider documents.

Sources, read in 2026: OpenAI's API reference (organization usage, costs) and its dashboard's
exports; Anthropic's Admin API (messages usage report, cost report; its amounts are in cents)
and its console's exports; OpenRouter's API reference (activity) and its activity export;
LiteLLM's table of spend logs; FOCUS in `tco.bill.focus`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from tco.bill.focus import FOCUS_NEEDS, focus_row
from tco.bill.records import Record
from tco.bill.row import Row
from tco.bill.value import check_currency, count, moment_s, number
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
_SNAPSHOT = re.compile(r"-20\d\d-?\d\d-?\d\d$")
_CENT = Decimal("0.01")
_ANY = "any"


@dataclass(frozen=True, slots=True)
class Format:
    """Names of keys (in lower case) and what they stand for; of several, see each attribute.

    Attributes:
        provider: whose usage and costs go together; `any` goes with everyone's.
        needs: the keys by which it is recognised, all of them.
        start: the first that is there counts.
        end: as `start`; where none is there, a row lasts `span_s`.
        span_s: 0 for rows that are one request each.
        model: the first that is there.
        requests: None where the export has none, or where a row is one request.
        input_tokens: their sum is the whole input.
        cached_tokens: the first that is there.
        cache_write_tokens: their sum.
        usd: their sum, in units of `usd_unit`.
        model_of: makes the model of what stands there.
        left_out: says of a record that it was no request to a provider.
        is_other: says of a cost that it was paid for something else than text tokens.
        is_unclear: says of a cost that its name alone does not tell what it was paid for.
        row: reads a record where names alone do not tell.
    """

    name: str
    provider: str
    needs: tuple[str, ...]
    start: tuple[str, ...] = ()
    end: tuple[str, ...] = ()
    span_s: int = 0
    model: tuple[str, ...] = ("model",)
    requests: str | None = None
    is_request: bool = False
    input_tokens: tuple[str, ...] = ()
    cached_tokens: tuple[str, ...] = ()
    cache_write_tokens: tuple[str, ...] = ()
    output_tokens: str | None = None
    usd: tuple[str, ...] = ()
    usd_unit: Decimal = Decimal(1)
    currency: str | None = None
    id: str | None = None
    model_of: Callable[[str], str] = str
    left_out: Callable[[Record], bool] = lambda record: False  # noqa: ARG005  keeps every record
    is_other: Callable[[Record], bool] | None = None
    is_unclear: Callable[[Record], bool] | None = None
    row: Callable[[Record], Row] | None = None

    def has_usage(self) -> bool:
        """Say whether it tells of tokens."""
        return bool(self.input_tokens) or self.row is not None

    def has_cost(self) -> bool:
        """Say whether it tells of money."""
        return bool(self.usd) or self.row is not None


def row_of(form: Format, record: Record) -> Row:
    """Return the record as a row.

    Raises:
        TrafficError: a value that is not what its key stands for, or another currency.
    """
    if form.row is not None:
        return form.row(record)
    start_s = moment_s(*_first(record, form.start))
    model = _first(record, form.model)[0]
    end = _first(record, form.end)
    check_currency(record.get(form.currency) if form.currency else None, form.currency or "")
    name = record.get(form.id) if form.id else None
    usd = _usd(form, record)
    is_other = form.is_other is not None and form.is_other(record)
    if is_other and form.is_request:
        # A speech or an embedding: no request that own hardware would answer with tokens.
        return Row(
            start_s=start_s,
            end_s=start_s,
            model=None if model is None else form.model_of(str(model)),
            other_usd=usd,
            id=None if name is None else str(name),
        )
    is_unclear = not is_other and form.is_unclear is not None and form.is_unclear(record)
    return Row(
        start_s=start_s,
        end_s=start_s + form.span_s if end[0] is None else moment_s(*end),
        model=None if model is None else form.model_of(str(model)),
        requests=Decimal(1) if form.is_request else _summed(record, form.requests),
        input_tokens=_summed(record, *form.input_tokens),
        cached_tokens=count(*_first(record, form.cached_tokens)),
        cache_write_tokens=_summed(record, *form.cache_write_tokens),
        output_tokens=_summed(record, form.output_tokens),
        usd=None if is_other else usd,
        other_usd=usd if is_other else None,
        unclear_usd=usd if is_unclear else None,
        id=None if name is None else str(name),
    )


def empty_row(form: Format, record: Record) -> Row:
    """Return a bucket without results: nothing was asked in that time."""
    start, end = _first(record, form.start), _first(record, form.end)
    return Row(start_s=moment_s(*start), end_s=moment_s(*end))


def _first(record: Record, keys: tuple[str, ...]) -> tuple[object, str]:
    for key in keys:
        if record.get(key) is not None:
            return record[key], key
    return None, keys[0] if keys else ""


def _summed(record: Record, *keys: str | None) -> Decimal | None:
    """Return the sum of what is there; None where nothing is."""
    stated = [count(record.get(key), key) for key in keys if key]
    there = [each for each in stated if each is not None]
    return sum(there, Decimal(0)) if there else None


def _usd(form: Format, record: Record) -> Decimal | None:
    stated = [number(record.get(key), key) for key in form.usd]
    there = [each for each in stated if each is not None]
    return sum(there, Decimal(0)) * form.usd_unit if there else None


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


def _console_model(text: str) -> str:
    """Return one name for what the console calls `Claude Haiku 4.5` or `claude-haiku-4-5-20251001`.

    Its exports of usage hold identifiers with a date, those of costs the names it shows.
    """
    return _SNAPSHOT.sub("", re.sub(r"[ .]", "-", text.strip().casefold()))


def _is_other_cost(record: Record) -> bool:
    """Say whether a cost of Anthropic's is of another type than tokens, where it names one."""
    return str(record.get("cost_type") or "tokens").lower() not in {"tokens", "token"}


def _is_no_call(record: Record) -> bool:
    """A request that failed, or that the proxy answered from its own cache of answers."""
    failed = str(record.get("status") or "").lower() == "failure"
    return failed or str(record.get("cache_hit")).lower() == "true"


def _has_no_answer(record: Record) -> bool:
    """Say of a call in LiteLLM's log that no token came out: a speech, an image, an embedding."""
    return not count(record.get("completion_tokens"), "completion_tokens")


_LITELLM_USAGE = ("metadata.usage_object.", "metadata.additional_usage_values.", "")
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

FORMATS = (
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
    Format(
        "OpenAI costs",
        "OpenAI",
        ("start_time", "amount.value"),
        start=("start_time",),
        end=("end_time",),
        span_s=SECONDS_PER_DAY,
        model=("line_item",),
        model_of=_line_item_model,
        is_other=_is_other_item,
        is_unclear=_is_unclear_item,
        usd=("amount.value",),
        currency="amount.currency",
    ),
    Format(
        "OpenAI costs (CSV)",
        "OpenAI",
        ("start_time", "amount_value"),
        start=("start_time",),
        end=("end_time",),
        span_s=SECONDS_PER_DAY,
        model=("line_item",),
        model_of=_line_item_model,
        is_other=_is_other_item,
        is_unclear=_is_unclear_item,
        usd=("amount_value",),
        currency="amount_currency",
    ),
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
    Format("FOCUS", _ANY, FOCUS_NEEDS, row=focus_row),
)


def format_of(record: Record) -> Format | None:
    """Return the first format all of whose keys the record has; None if there is none."""
    return next((form for form in FORMATS if record.keys() >= set(form.needs)), None)


def goes_with(provider: str, others: set[str]) -> bool:
    """Say whether what one provider's export lacks can stand in one of the others'."""
    return provider in others or _ANY in others or (provider == _ANY and bool(others))
