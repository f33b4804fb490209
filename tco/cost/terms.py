"""On what terms each alternative takes the request: its own price, or the table's rows."""

from __future__ import annotations

import datetime as dt

from tco.cost.api_bill import ApiTerms, Tier
from tco.cost.reader import Reader
from tco.errors import InputError
from tco.prices import PriceRow, PriceTables
from tco.scenario import Alternative

# A day's price is taken at noon UTC; by-the-hour prices of a day are another matter.
_HOUR_OF_PRICE = 12


def terms_of(
    read: Reader, index: int, alternative: Alternative, tables: PriceTables, date: dt.date
) -> ApiTerms:
    """Return the terms of one alternative; its own cached share wins over the traffic's.

    Raises:
        InputError: no such offer in the tables, or no such service.
    """
    key = f"alternatives.{index}."
    own_cache = key + "cached_input_share"
    shared = "traffic.shape.cached_input_share"
    has_own_cache = read.given(own_cache)
    return ApiTerms(
        tiers=tuple(
            _tier(row) for row in price_rows(alternative, index, tables, date)
        ) or (_own_tier(read, key),),
        discount=read(key + "discount"),
        cached_input_share=read(own_cache if has_own_cache else shared),
        token_ratio=read(key + "token_ratio", 1.0),
        cached_by_request=not has_own_cache,
    )  # fmt: skip


def _own_tier(read: Reader, key: str) -> Tier:
    cached = key + "usd_per_million.cached_input"
    return Tier(
        input_usd=read(key + "usd_per_million.input"),
        cached_input_usd=read(cached) if read.given(cached) else None,
        output_usd=read(key + "usd_per_million.output"),
        request_fee_usd=read(key + "usd_per_request"),
    )


def price_rows(
    alternative: Alternative, index: int, tables: PriceTables, date: dt.date
) -> tuple[PriceRow, ...]:
    """Return the table's rows of the alternative's service on the day; none for an own price.

    Raises:
        InputError: no such offer, or no such service then.
    """
    if alternative.catalog is None:
        return ()
    noon = dt.datetime.combine(date, dt.time(_HOUR_OF_PRICE), tzinfo=dt.UTC)
    try:
        offer = tables.find(alternative.catalog).offer
        return offer.rows(alternative.service, noon)
    except InputError as error:
        raise InputError(
            error.message, key=f"alternatives.{index}.catalog", remedy=error.remedy
        ) from None
    except LookupError as error:
        services = ", ".join(offer.services())
        raise InputError(
            str(error),
            key=f"alternatives.{index}.service",
            remedy=f"the table has {services}",
        ) from None


def _tier(row: PriceRow) -> Tier:
    rates = row.usd_per_million
    inclusive = row.context_ge is not None
    threshold = row.context_ge if inclusive else row.context_gt
    return Tier(
        input_usd=float(rates.input),
        cached_input_usd=None if rates.cached_input is None else float(rates.cached_input),
        output_usd=float(rates.output),
        request_fee_usd=float(row.usd_per_request),
        above_tokens=-1.0 if threshold is None else float(threshold),
        inclusive=inclusive,
    )
