"""On what terms each alternative takes the requests: its own price, or the table's rows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

from tco.cost.api_bill import ApiTerms, HourTiers, Tier
from tco.cost.number import Number
from tco.cost.price_hours import hourly_weights, price_hours
from tco.cost.reader import Reader
from tco.price_row import PriceRow
from tco.prices import PriceTables
from tco.scenario import Alternative


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
    hours = tuple(
        HourTiers(hour.share, tuple(map(_tier, hour.rows)), hour.of_hours)
        for hour in price_hours(alternative, index, tables, date, hourly_weights(read.scenario))
    )
    return ApiTerms(
        tiers=hours[0].tiers if hours else (_own_tier(read, key),),
        discount=read(key + "discount"),
        cached_input_share=read(own_cache if has_own_cache else shared),
        token_ratio=read(key + "token_ratio", 1.0),
        cached_by_request=not has_own_cache,
        cache_write_5m_share=read(key + "cache_write_5m_share"),
        cache_write_1h_share=read(key + "cache_write_1h_share"),
        hours=hours if len(hours) > 1 else (),
    )


def _own_tier(read: Reader, key: str) -> Tier:
    prices = key + "usd_per_million."

    def where_given(name: str) -> Number | None:
        return read(prices + name) if read.given(prices + name) else None

    return Tier(
        input_usd=read(prices + "input"),
        cached_input_usd=where_given("cached_input"),
        output_usd=read(prices + "output"),
        request_fee_usd=read(key + "usd_per_request"),
        cache_write_5m_usd=where_given("cache_write_5m"),
        cache_write_1h_usd=where_given("cache_write_1h"),
    )


def _tier(row: PriceRow) -> Tier:
    rates = row.usd_per_million
    inclusive = row.context_ge is not None
    threshold = row.context_ge if inclusive else row.context_gt
    return Tier(
        input_usd=float(rates.input),
        cached_input_usd=_float(rates.cached_input),
        output_usd=float(rates.output),
        request_fee_usd=float(row.usd_per_request),
        above_tokens=-1.0 if threshold is None else float(threshold),
        inclusive=inclusive,
        cache_write_5m_usd=_float(rates.cache_write_5m),
        cache_write_1h_usd=_float(rates.cache_write_1h),
    )


def _float(rate: Decimal | None) -> float | None:
    return None if rate is None else float(rate)
