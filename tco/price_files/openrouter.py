"""OpenRouter's /api/v1/models: USD per single token, as text; -1 is a price that varies.

Some prices of `pricing` are of one thing more rather than of a kind of token: reasoning or a
cache at 0 has no price apart, so those tokens bill as output and as fresh input.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tco.price_files.table import PriceFaultError, Table, per_million
from tco.quantity import shown

PROVIDER: Final = "openrouter"
_PER_TOKEN: Final = 6
_RATES: Final = {
    "prompt": "input",
    "completion": "output",
    "internal_reasoning": "reasoning",
    "input_cache_read": "cached_input",
    "input_cache_write": "cache_write_5m",
    "input_cache_write_1h": "cache_write_1h",
}
_OPTIONAL: Final = frozenset({"reasoning", "cached_input", "cache_write_5m", "cache_write_1h"})
# What an override may price besides; whatever else it has says when it holds.
_OTHER_PRICES: Final = frozenset({
    "request", "image", "image_token", "image_output", "audio", "audio_output",
    "input_audio_cache", "web_search",
})  # fmt: skip
_NUMBER: Final = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?")
_EVERY_DAY: Final = [1, 2, 3, 4, 5, 6, 7]


def is_openrouter(document: object) -> bool:
    """Say whether the models stand in a list `data`, each with `pricing`."""
    data = document.get("data") if isinstance(document, dict) else None
    return isinstance(data, list) and any(
        isinstance(model, dict) and "id" in model and isinstance(model.get("pricing"), dict)
        for model in data[:20]
    )


def read_openrouter(document: Mapping[str, Any], table: Table) -> None:
    """Take up every model whose price is a price."""
    for model in document["data"]:
        if not isinstance(model, dict) or not isinstance(model.get("id"), str):
            table.leave(PROVIDER, "a row of it has no id")
            continue
        try:
            rows = list(_rows(model.get("pricing")))
            _note_discount(model["id"], model["pricing"], table)
            weights = model.get("hugging_face_id") or None
            table.add(PROVIDER, model["id"], rows, weights=weights)
        except PriceFaultError as fault:
            table.leave(f"{PROVIDER}/{model['id']}", str(fault))


def _note_discount(model: str, pricing: Mapping[str, Any], table: Table) -> None:
    """Say of a discounted price that nobody says whether it is the one before or after."""
    discount = pricing.get("discount")
    if discount and str(discount) != "0":
        table.note(
            f"{PROVIDER}/{model}",
            f"as listed: it names a discount of {shown(discount)}, which may be in it already",
        )


def _rows(pricing: object) -> Iterator[dict[str, Any]]:
    if not isinstance(pricing, dict) or not {"prompt", "completion"} <= pricing.keys():
        raise PriceFaultError("it has no price of input and output tokens")
    base = _rates(pricing)
    yield {"usd_per_million": _paid(base), **_fee(pricing)}
    for override in pricing.get("overrides") or ():
        rates = _paid({**base, **_rates(override)})
        fee = _fee({**pricing, **override})
        yield {"usd_per_million": rates, **fee, **_condition(override)}


def _fee(pricing: Mapping[str, Any]) -> dict[str, Decimal]:
    return {"usd_per_request": _amount(pricing.get("request", "0"), 0)}


def _condition(override: Mapping[str, Any]) -> dict[str, Any]:
    """Return when an override holds: from a size of the input on, or between two times of day."""
    given = override.keys() - _RATES.keys() - _OTHER_PRICES
    if given == {"min_prompt_tokens"} and type(override["min_prompt_tokens"]) is int:
        return {"context_ge": override["min_prompt_tokens"]}
    if given == {"utc_start", "utc_end"}:
        start, end = _time(override["utc_start"]), _time(override["utc_end"])
        spans = [(start, end)] if start < end or end == dt.time() else [
            (start, dt.time()), (dt.time(), end)
        ]  # fmt: skip
        windows = [{"weekdays": _EVERY_DAY, "from": one, "to": other} for one, other in spans]
        return {"windows_utc": windows}
    raise PriceFaultError(f"a price of it holds under {', '.join(sorted(given))}")


def _time(raw: object) -> dt.time:
    """Return a time written as hours and minutes in one number: 930 is 09:30."""
    if isinstance(raw, int) and not isinstance(raw, bool) and raw >= 0:
        hours, minutes = divmod(raw, 100)
        try:
            return dt.time(hours, minutes)
        except ValueError:
            pass
    raise PriceFaultError(f"a price of it begins or ends at {shown(raw)}")


def _rates(pricing: Mapping[str, Any]) -> dict[str, Decimal]:
    return {
        _RATES[key]: _amount(amount, _PER_TOKEN) for key, amount in pricing.items() if key in _RATES
    }


def _paid(rates: Mapping[str, Decimal]) -> dict[str, Decimal]:
    return {key: rate for key, rate in rates.items() if rate or key not in _OPTIONAL}


def _amount(raw: object, power: int) -> Decimal:
    if isinstance(raw, str) and _NUMBER.fullmatch(raw):
        raw = Decimal(raw)
    return per_million(raw, power)
