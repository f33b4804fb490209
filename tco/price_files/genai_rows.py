"""A model of genai-prices as our price rows.

Its own library says which price holds at a moment; a price of it changes on dates (UTC) and at
times of day, so it is asked once for each stretch between two changes. In it each kind of token
has tiers of its own, strictly above a size of the input.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from genai_prices.types import (
    ModelInfo,
    ModelPrice,
    StartDateConstraint,
    TieredPrices,
    TimeOfDateConstraint,
)

from tco.price_files.table import PriceFaultError, plain

# What its own keys select, by our services; others of its options cannot be asked for here.
SERVICES: Final[Mapping[str, Mapping[str, str]]] = {
    "standard": {},
    "batch": {"processing": "batch"},
    "flex": {"service_tier": "flex"},
    "priority": {"service_tier": "priority"},
}
_RATES: Final = {
    "input_mtok": "input",
    "output_mtok": "output",
    "output_reasoning_mtok": "reasoning",
    "cache_read_mtok": "cached_input",
    "cache_write_mtok": "cache_write_5m",
    "cache_write_1h_mtok": "cache_write_1h",
}
# Text tokens at a price that a row of ours cannot hold.
_REFUSED: Final = ("output_citation_mtok", "cache_write_5m_mtok", "input_text_mtok",
                   "output_text_mtok")  # fmt: skip
_FEES_PER_PRICE: Final = 1000
_EVERY_DAY: Final = [1, 2, 3, 4, 5, 6, 7]
_MIDNIGHT: Final = dt.time(tzinfo=dt.UTC)


def genai_price_rows(model: ModelInfo) -> list[dict[str, Any]]:
    """Return its rows, later ones over earlier ones.

    Raises:
        PriceFaultError: it has no price of text tokens in and out, or one of another kind.
    """
    stretches = list(_stretches(model))
    return [
        row
        for service, context in SERVICES.items()
        for moment, condition in stretches
        if service == "standard" or _is_sold(model, context, moment)
        for row in _tiers(model.get_prices(moment, context), {"service": service, **condition})
    ]


def _stretches(model: ModelInfo) -> Iterator[tuple[dt.datetime, dict[str, Any]]]:
    """Yield a moment of each stretch of time without a change, and our condition for it."""
    hours = _hours(model)
    for start in _starts(model):
        since = {} if start is None else {"valid_from": dt.datetime.combine(start, _MIDNIGHT)}
        for begin, end in zip(hours, [*hours[1:], _MIDNIGHT], strict=True):
            moment = dt.datetime.combine(start or dt.date(1970, 1, 1), begin)
            span = {"from": begin.replace(tzinfo=None), "to": end.replace(tzinfo=None)}
            windows = {"windows_utc": [{"weekdays": _EVERY_DAY, **span}]} if len(hours) > 1 else {}
            yield moment, since | windows


def _is_sold(model: ModelInfo, context: Mapping[str, str], moment: dt.datetime) -> bool:
    return any(
        variant.when == context
        and (variant.constraint is None or variant.constraint.active(moment))
        for variant in model.price_variants or ()
    )


def _tiers(price: ModelPrice, condition: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    prices = {key: value for key, value in vars(price).items() if value is not None}
    refused = next((key for key in _REFUSED if key in prices), None)
    if refused is not None:
        raise PriceFaultError(f"it has a price that no row here can hold: {refused}")
    if not {"input_mtok", "output_mtok"} <= prices.keys():
        raise PriceFaultError("it has no price of input and output tokens")
    starts = {tier.start for each in prices.values() if isinstance(each, TieredPrices)
              for tier in each.tiers}  # fmt: skip
    for above_tokens in (None, *sorted(starts)):
        rates = {ours: plain(_price_above(prices[key], above_tokens))
                 for key, ours in _RATES.items() if key in prices}  # fmt: skip
        if "cache_write_5m" in rates:
            rates.setdefault("cache_write_1h", rates["cache_write_5m"])
        row: dict[str, Any] = {"usd_per_million": rates, **condition}
        if "requests_kcount" in prices:
            fees = _price_above(prices["requests_kcount"], above_tokens)
            row["usd_per_request"] = plain(fees / _FEES_PER_PRICE)
        if above_tokens is not None:
            row["context_gt"] = above_tokens
        yield row


def _price_above(price: Decimal | TieredPrices, above_tokens: int | None) -> Decimal:
    """Return the price of an input just above that many tokens; None is the smallest input."""
    if not isinstance(price, TieredPrices):
        return price
    tiers = [
        tier for tier in price.tiers if above_tokens is not None and tier.start <= above_tokens
    ]
    return tiers[-1].price if tiers else price.base


def _constraints(model: ModelInfo) -> Iterator[object]:
    for price in model.prices if isinstance(model.prices, list) else ():
        yield price.constraint
    for variant in model.price_variants or ():
        yield variant.constraint


def _starts(model: ModelInfo) -> list[dt.date | None]:
    found = {c.start_date for c in _constraints(model) if isinstance(c, StartDateConstraint)}
    return [None, *sorted(found)]


def _hours(model: ModelInfo) -> list[dt.time]:
    """Return the times of day (UTC) at which a price may change; midnight is one."""
    edges = {_MIDNIGHT}
    for constraint in _constraints(model):
        if isinstance(constraint, TimeOfDateConstraint):
            for edge in (constraint.start_time, constraint.end_time):
                zoned = edge if edge.tzinfo else edge.replace(tzinfo=dt.UTC)
                moment = dt.datetime.combine(dt.date(1970, 1, 2), zoned).astimezone(dt.UTC)
                edges.add(moment.timetz())
    return sorted(edges)
