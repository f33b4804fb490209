"""LiteLLM's model_prices_and_context_window.json: USD per single token, one flat row a model.

A price's conditions stand in its key: `_above_200k_tokens` is a tier (strictly above),
`_batches`, `_flex` and `_priority` are services, and `_above_1hr` on a cache write is how long
the cache lives. A tier's prices override the row's own, one by one, as LiteLLM bills them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tco.price_files.table import PriceFaultError, Table, per_million, plain, without_free_writes
from tco.quantity import shown

_PER_TOKEN: Final = 6
_RATES: Final = {
    "input_cost_per_token": "input",
    "output_cost_per_token": "output",
    "output_cost_per_reasoning_token": "reasoning",
    "cache_read_input_token_cost": "cached_input",
    "cache_creation_input_token_cost": "cache_write_5m",
    "cache_creation_input_token_cost_above_1hr": "cache_write_1h",
}
_KEY: Final = re.compile(
    rf"(?P<rate>{'|'.join(sorted(_RATES, key=len, reverse=True))})"
    r"(?:_above_(?P<thousands>\d+)k_tokens)?"
    r"(?:_(?P<service>batches|flex|priority))?"
)
_SERVICES: Final = {None: "standard", "batches": "batch", "flex": "flex", "priority": "priority"}
# An older name of the price of a cached token.
_CACHE_HIT: Final = "input_cost_per_token_cache_hit"
_MODES: Final = frozenset({"chat", "completion", "responses"})
# The file's own description of its keys.
_SAMPLE: Final = "sample_spec"
_EXAMPLES: Final = 3

_Rates = dict[str, Decimal]


def is_litellm(document: object) -> bool:
    """Say whether models stand by name, with LiteLLM's provider in each."""
    rows = list(document.values())[:20] if isinstance(document, dict) else []
    return any(isinstance(row, dict) and "litellm_provider" in row for row in rows)


def read_litellm(document: Mapping[str, Any], table: Table) -> None:
    """Take up the rows that price tokens in and out."""
    for key, row in document.items():
        if key == _SAMPLE:
            table.leave(key, "it describes the file and is no model")
        elif not isinstance(row, dict) or not isinstance(row.get("litellm_provider"), str):
            table.leave(key, "it names no provider")
        else:
            provider = row["litellm_provider"]
            model = key.removeprefix(f"{provider}/")
            try:
                _take(provider, model, row, table)
            except PriceFaultError as fault:
                table.leave(f"{provider}/{model}", str(fault))


def _take(provider: str, model: str, row: Mapping[str, Any], table: Table) -> None:
    if row.get("mode") not in _MODES:
        raise PriceFaultError(f"its mode is {row.get('mode')}, not tokens in and tokens out")
    if "tiered_pricing" in row and "input_cost_per_token" in row:
        raise PriceFaultError("it has a price of its own and a list of tiers")
    name = f"{provider}/{model}"
    rows = list(_tiered(row) if "tiered_pricing" in row else _flat(name, row, table))
    if "off_peak_pricing" in row:
        rows.append(_off_peak(row, rows[0]["usd_per_million"]))
    url = row.get("source")
    source = f"{table.format}: {table.name}" + (f", which reads {url}" if url else "")
    table.add(provider, model, rows, source=source)


def _flat(name: str, row: Mapping[str, Any], table: Table) -> Iterator[dict[str, Any]]:
    """Yield the rows of each service, and of each of its tiers, in order."""
    strange = [key for key in row if _is_of_tokens(key) and not _KEY.fullmatch(key)]
    if strange:
        listed = ", ".join(strange[:_EXAMPLES]) + (", …" if len(strange) > _EXAMPLES else "")
        table.note(name, f"without {listed}")
    services = _services(row)
    if "standard" not in services:
        raise PriceFaultError("it has no price of input and output tokens")
    for service, tiers in services.items():
        if {"input", "output"} <= tiers[0].keys():
            yield from _service_rows(service, tiers, row.get("input_cost_per_request"))
        elif service == "standard":
            raise PriceFaultError("it has no price of input and output tokens")
        else:
            table.note(name, f"without its {service} price, of which one half is missing")


def _services(row: Mapping[str, Any]) -> dict[str, dict[int, _Rates]]:
    """Return the rates of each service by the input above which they hold [tokens]."""
    found: dict[str, dict[int, _Rates]] = defaultdict(lambda: defaultdict(dict))
    for key, amount in row.items():
        match = _KEY.fullmatch(key)
        if match and amount is not None:
            above_tokens = int(match["thousands"] or 0) * 1000
            rates = found[_SERVICES[match["service"]]][above_tokens]
            rates[_RATES[match["rate"]]] = per_million(amount, _PER_TOKEN)
    if row.get(_CACHE_HIT) is not None:
        found["standard"][0].setdefault("cached_input", per_million(row[_CACHE_HIT], _PER_TOKEN))
    return found


def _service_rows(
    service: str, tiers: Mapping[int, _Rates], fee: object
) -> Iterator[dict[str, Any]]:
    for above_tokens in sorted(tiers):
        rates = without_free_writes({**tiers[0], **tiers[above_tokens]})
        tier: dict[str, Any] = {"service": service, "usd_per_million": rates}
        if above_tokens:
            tier["context_gt"] = above_tokens
        if fee is not None:
            tier["usd_per_request"] = per_million(fee, 0)
        yield tier


def _is_of_tokens(key: str) -> bool:
    """Say whether a key, which we do not know, changes what text tokens cost."""
    return key != _CACHE_HIT and any(key.startswith(f"{rate}_") for rate in _RATES)


def _tiered(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the tiers of a list; a range is above its start, up to and with its end."""
    for tier in row["tiered_pricing"]:
        if not isinstance(tier, dict) or not isinstance(tier.get("range"), list):
            raise PriceFaultError("its tiers are not ranges of input tokens")
        rates = {
            _RATES[name]: per_million(amount, _PER_TOKEN)
            for name, amount in tier.items()
            if name in _RATES
        }
        if not {"input", "output"} <= rates.keys():
            raise PriceFaultError("a tier of it has no price of input and output tokens")
        start = plain(per_million(tier["range"][0], 0))
        if start != start.to_integral_value():
            raise PriceFaultError(f"a tier of it starts at {start} tokens")
        above = {"context_gt": int(start)} if start else {}
        yield {"usd_per_million": without_free_writes(rates), **above}


def _off_peak(row: Mapping[str, Any], peak: _Rates) -> dict[str, Any]:
    off_peak = row["off_peak_pricing"]
    zone = off_peak.get("weekday_timezone", "UTC")
    if zone != "UTC":
        raise PriceFaultError(f"its hours are UTC and its weekdays of {zone}, two clocks at once")
    rates = {
        _RATES[name]: per_million(amount, _PER_TOKEN)
        for name, amount in off_peak.items()
        if name in _RATES
    }
    windows = [
        {"weekdays": window["weekdays"], "from": start, "to": end}
        for window in off_peak["windows"]
        for start, end in _hours(window["hours_utc"])
    ]
    return {"usd_per_million": {**peak, **rates}, "windows_utc": windows}


def _hours(raw: object) -> Iterator[tuple[str, str]]:
    for span in [raw] if isinstance(raw, str) else raw if isinstance(raw, list) else []:
        match = re.fullmatch(r"(\d\d:\d\d)-(\d\d:\d\d)", str(span))
        if match is None:
            raise PriceFaultError(f"its hours are {shown(span)}")
        yield f"{match[1]}:00", f"{match[2]}:00"
