"""genai-prices: its data file, and the one its package bundles, our second source of prices.

The bundled table is read as it lies in the package: nothing is fetched, and the package's own
updating thread is never started. The package is imported (a second) only when it is asked.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tco.price_files.table import ListedOffer, PriceFaultError, Table, per_million
from tco.quantity import shown

if TYPE_CHECKING:
    from genai_prices.types import ConditionalPrice, ModelInfo, ModelPrice, Provider, TieredPrices

PACKAGE: Final = "genai-prices"
# The last day on which its prices change before it was published: they are at least that new.
_SEEN: Final = {"0.2.3": dt.date(2026, 11, 9)}


@functools.cache
def bundled_name() -> str:
    """Return the name and version of the bundled table."""
    import importlib.metadata

    return f"{PACKAGE} {importlib.metadata.version(PACKAGE)}"


@functools.cache
def _bundled() -> Mapping[str, Provider]:
    from genai_prices.data import providers

    return {provider.id: provider for provider in providers}


def bundled_names() -> tuple[str, ...]:
    """Return `provider/model` of every model of the bundled table, priced here or not."""
    return tuple(
        f"{provider.id}/{model.id}" for provider in _bundled().values() for model in provider.models
    )


@functools.cache
def bundled_offer(name: str) -> ListedOffer | None:
    """Return the offer `provider/model` of the bundled table; None where there is none.

    The model is the table's own name of it, or one that the table says is the same; the
    package itself also takes names that only begin alike, and those are none here.

    Raises:
        PriceFaultError: it is there, and its price cannot be expressed here.
    """
    provider_id, _, wanted = name.partition("/")
    provider = _bundled().get(provider_id)
    models = () if provider is None else provider.models
    by_id = [model for model in models if model.id == wanted]
    found = by_id or [model for model in models if wanted.casefold() in set(_other_names(model))]
    if provider is None or not found:
        return None
    table = Table(bundled_name(), bundled_name())
    version = bundled_name().rpartition(" ")[2]
    _take(provider.id, found[0], _pages(provider.pricing_urls), table, _SEEN.get(version))
    return next(iter(table.offers.values()))


def _other_names(model: ModelInfo) -> Iterator[str]:
    clauses: list[Any] = [model.match]
    while clauses:
        clause = clauses.pop()
        clauses.extend(getattr(clause, "or_", ()))
        if hasattr(clause, "equals"):
            yield clause.equals.casefold()


def _pages(urls: object) -> str:
    first = urls[0] if isinstance(urls, list) and urls else None
    return f", which reads {first}" if first else ""


def _take(provider: str, model: ModelInfo, pages: str, table: Table, date: dt.date | None) -> None:
    from tco.price_files.genai_rows import genai_price_rows

    where = table.format if table.format == table.name else f"{table.format}: {table.name}"
    table.add(provider, model.id, genai_price_rows(model), source=where + pages, date=date)


def is_genai_prices(document: object) -> bool:
    """Say whether providers stand in a list, each with a list of models that have prices."""
    return isinstance(document, list) and any(
        isinstance(provider, dict) and isinstance(provider.get("models"), list)
        for provider in document[:20]
    )


def read_genai_prices(document: list[Any], table: Table) -> None:
    """Take up every model of the package's data file."""
    for provider in document:
        if not isinstance(provider, dict) or not isinstance(provider.get("id"), str):
            table.leave(PACKAGE, "a provider of it has no id")
            continue
        for model in provider.get("models") or ():
            name = f"{provider['id']}/{model.get('id') if isinstance(model, dict) else '?'}"
            try:
                pages = _pages(provider.get("pricing_urls"))
                _take(provider["id"], _model(model), pages, table, None)
            except PriceFaultError as fault:
                table.leave(name, str(fault))


def _model(raw: Any) -> ModelInfo:
    from genai_prices.types import ClauseEquals, ModelInfo, PriceVariant

    try:
        variants = [
            PriceVariant(dict(each["when"]), _price(each["prices"]), _constraint(each))
            for each in raw.get("price_variants") or ()
        ]
        prices = raw["prices"]
        return ModelInfo(
            id=raw["id"],
            match=ClauseEquals(raw["id"]),
            prices=[_conditional(p) for p in prices]
            if isinstance(prices, list)
            else _price(prices),
            price_variants=variants,
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise PriceFaultError(f"its prices are not of the known form: {error}") from None


def _conditional(raw: Mapping[str, Any]) -> ConditionalPrice:
    from genai_prices.types import ConditionalPrice

    return ConditionalPrice(_constraint(raw), prices=_price(raw["prices"]))


def _constraint(raw: Mapping[str, Any]) -> Any:
    from genai_prices.types import StartDateConstraint, TimeOfDateConstraint

    given = raw.get("constraint")
    if given is None:
        return None
    try:
        if given.keys() <= {"type", "start_date"}:
            return StartDateConstraint(dt.date.fromisoformat(given["start_date"]))
        start, end = (dt.time.fromisoformat(given[key]) for key in ("start_time", "end_time"))
        return TimeOfDateConstraint(start, end)
    except (KeyError, ValueError):
        raise PriceFaultError(f"a price of it holds under {shown(given)}") from None


def _price(raw: Mapping[str, Any]) -> ModelPrice:
    from genai_prices.types import ModelPrice

    return ModelPrice(**{key: _amount(amount) for key, amount in raw.items() if amount is not None})


def _amount(raw: Any) -> Decimal | TieredPrices:
    from genai_prices.types import Tier, TieredPrices

    if not isinstance(raw, dict):
        return per_million(raw, 0)
    tiers = [Tier(tier["start"], per_million(tier["price"], 0)) for tier in raw["tiers"]]
    return TieredPrices(per_million(raw["base"], 0), tiers)
