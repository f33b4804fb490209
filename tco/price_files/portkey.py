"""Portkey's pricing files: US cents per single token, one provider a file.

A cent per token is USD 10,000 per million. The row `default` is no model. A cache at 0 has no
price apart, so those tokens bill as fresh input.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tco.price_files.table import PriceFaultError, Table, per_million

_CENTS_PER_TOKEN: Final = 4
_RATES: Final = {
    "request_token": "input",
    "response_token": "output",
    "cache_read_input_token": "cached_input",
    "cache_write_input_token": "cache_write_5m",
}
_CACHED_1H: Final = "cache_write_1h"
_SERVICES: Final = {"pay_as_you_go": "standard", "batch_config": "batch"}
_DEFAULT: Final = "default"


def is_portkey(document: object) -> bool:
    """Say whether models stand by name, each with a `pricing_config`."""
    rows = list(document.values())[:20] if isinstance(document, dict) else []
    return any(isinstance(row, dict) and "pricing_config" in row for row in rows)


def read_portkey(document: Mapping[str, Any], table: Table, provider: str) -> None:
    """Take up the models; the file does not say whose they are, so the provider is given."""
    for model, row in document.items():
        name = f"{provider}/{model}"
        if model == _DEFAULT:
            table.leave(name, "it stands for models that the file does not name")
            continue
        try:
            table.add(provider, model, list(_rows(name, row, table)))
        except PriceFaultError as fault:
            table.leave(name, str(fault))


def _rows(name: str, row: object, table: Table) -> Iterator[dict[str, Any]]:
    config = row.get("pricing_config") if isinstance(row, dict) else None
    if not isinstance(config, dict) or "pay_as_you_go" not in config:
        raise PriceFaultError("it has no price")
    currency = config.get("currency", "USD")
    if currency != "USD":
        raise PriceFaultError(f"its price is in {currency}")
    for key, service in _SERVICES.items():
        rates = _rates(config[key]) if isinstance(config.get(key), dict) else {}
        if {"input", "output"} <= rates.keys():
            yield {"service": service, "usd_per_million": rates}
        elif service == "standard":
            raise PriceFaultError("it has no price of input and output tokens")
        elif rates:
            table.note(name, f"without its {service} price, of which one half is missing")


def _rates(prices: Mapping[str, Any]) -> dict[str, Decimal]:
    rates = {}
    for key, of_key in _RATES.items():
        entry = prices.get(key)
        if entry is None:
            continue
        rate = per_million(entry.get("price") if isinstance(entry, dict) else entry,
                           _CENTS_PER_TOKEN)  # fmt: skip
        if rate or of_key in {"input", "output"}:
            rates[of_key] = rate
    units = prices.get("additional_units")
    hour = units.get(_CACHED_1H) if isinstance(units, dict) else None
    if isinstance(hour, dict) and (rate := per_million(hour.get("price"), _CENTS_PER_TOKEN)):
        rates[_CACHED_1H] = rate
    return rates
