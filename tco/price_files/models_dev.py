"""models.dev's api.json: USD per million tokens, models below their providers.

`tiers` state their size. `context_over_200k` repeats one of them whatever its size is, so it
counts only in a model without `tiers`, where its name is all that says the size.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tco.price_files.table import PriceFaultError, Table, per_million, without_free_writes
from tco.quantity import shown

_RATES: Final = {
    "input": "input",
    "output": "output",
    "reasoning": "reasoning",
    "cache_read": "cached_input",
    "cache_write": "cache_write_5m",
}
_NAMED_TOKENS: Final = 200_000


def is_models_dev(document: object) -> bool:
    """Say whether providers stand by id, each with its models by id."""
    providers = list(document.values())[:20] if isinstance(document, dict) else []
    return bool(providers) and all(
        isinstance(provider, dict) and isinstance(provider.get("models"), dict)
        for provider in providers
    )


def read_models_dev(document: Mapping[str, Any], table: Table) -> None:
    """Take up every model that has a price."""
    for provider_id, provider in document.items():
        for model_id, model in provider["models"].items():
            try:
                rows = list(_rows(f"{provider_id}/{model_id}", model, table))
                source = f"{table.format}: {table.name}, whose page is {provider.get('doc')}"
                table.add(provider_id, model_id, rows, source=source)
            except PriceFaultError as fault:
                table.leave(f"{provider_id}/{model_id}", str(fault))


def _rows(name: str, model: object, table: Table) -> Iterator[dict[str, Any]]:
    cost = model.get("cost") if isinstance(model, dict) else None
    if not isinstance(cost, dict):
        raise PriceFaultError("it has no price")
    yield {"usd_per_million": _rates(cost)}
    tiers = cost.get("tiers")
    over = cost.get("context_over_200k")
    if tiers is not None:
        yield from sorted(_tiers(tiers), key=lambda row: int(row["context_gt"]))
    elif over is not None:
        table.note(name, f"its dearer tier is taken to begin above {_NAMED_TOKENS:,} tokens")
        yield {"usd_per_million": _rates(over), "context_gt": _NAMED_TOKENS}


def _tiers(tiers: object) -> Iterator[dict[str, Any]]:
    for tier in tiers if isinstance(tiers, list) else [tiers]:
        limit = tier.get("tier") if isinstance(tier, dict) else None
        if not isinstance(limit, dict) or limit.get("type") != "context":
            raise PriceFaultError(f"a tier of it begins at {shown(limit)}, not at a context size")
        if isinstance(limit.get("size"), bool) or not isinstance(limit.get("size"), int):
            raise PriceFaultError(f"a tier of it begins at {shown(limit.get('size'))} tokens")
        yield {"usd_per_million": _rates(tier), "context_gt": limit["size"]}


def _rates(cost: object) -> dict[str, Decimal]:
    if not isinstance(cost, dict) or not {"input", "output"} <= cost.keys():
        raise PriceFaultError("it has no price of input and output tokens")
    return without_free_writes(
        {_RATES[key]: per_million(amount, 0) for key, amount in cost.items() if key in _RATES}
    )
