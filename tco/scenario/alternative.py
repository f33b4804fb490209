"""An alternative: an API the same request could go to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal, Self

from pydantic import StrictBool, field_validator, model_validator
from pydantic.json_schema import SkipJsonSchema

from tco.quantity import Model, Positive, Price, Quantity, Share, ShareBelowOne, fault, shown

Service = Literal["standard", "batch", "flex", "priority"]


class ApiPrice(Model):
    """An API's price; what is read from a cache, or written to it, is fresh input if left out."""

    input: Price
    cached_input: Price | None = None
    cache_write_5m: Price | None = None
    cache_write_1h: Price | None = None
    output: Price


class Alternative(Model):
    """An API the same requests could go to.

    Attributes:
        cached_input_share: of its own cache; left out: the traffic's.
        cache_write_5m_share: of the input, billed as written to its cache for 5 minutes;
            `cache_write_1h_share` for an hour.
        token_ratio: its tokens per token of ours.
        is_bill: it is what a bill says was paid; set where `traffic.bill` is read, never stated.
    """

    catalog: str | None = None
    name: str | None = None
    usd_per_million: ApiPrice | None = None
    usd_per_request: Price | None = None
    service: Service = "standard"
    discount: ShareBelowOne = Quantity(value=0.0)
    same_weights: StrictBool | None = None
    cached_input_share: Share | None = None
    cache_write_5m_share: Share | None = None
    cache_write_1h_share: Share | None = None
    token_ratio: Positive = Quantity(value=1.0)
    source: str | None = None
    is_bill: SkipJsonSchema[Literal[True] | None] = None

    @model_validator(mode="before")
    @classmethod
    def _prices_of_one_place(cls, raw: object) -> object:
        """See this before the prices themselves, which may be no more than the one to be ranged."""
        both = ("catalog", "usd_per_million")
        if isinstance(raw, Mapping) and all(raw.get(key) is not None for key in both):
            raise fault(
                "`catalog` and `usd_per_million` exclude each other: a catalog row has its prices",
                "give the row's prices a range with `discount: {value: 0, low: 0, high: 0.2}`, or "
                "drop `catalog` and write `name` and every price here",
                key="usd_per_million",
            )
        return raw

    @model_validator(mode="after")
    def _catalog_or_price(self) -> Self:
        if self.is_bill:
            return self
        if (self.catalog is None) == (self.usd_per_million is None):
            raise fault("needs either `catalog`, or `name` with `usd_per_million`")
        if self.catalog is None and not self.name:
            raise fault("needs a `name` beside `usd_per_million`")
        return self

    @field_validator("catalog")
    @classmethod
    def _provider_and_model(cls, catalog: str | None) -> str | None:
        if catalog is not None and not re.fullmatch(r"[^/\s]+/\S+", catalog):
            raise fault(f"must be provider/model, got {shown(catalog)}")
        return catalog
