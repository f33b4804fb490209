"""What an API asks for a request: rows with tiers, services, validity and windows.

Amounts are USD per million tokens, kept as Decimal from the text they were written in.
Among the rows of the asked service the last one whose conditions hold wins.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from decimal import Decimal
from typing import Annotated, Self

from pydantic import AwareDatetime, BeforeValidator, Field, StrictInt, StrictStr, model_validator

from tco.quantity import Date, Model, fault, shown
from tco.scenario import Service
from tco.units import TOKENS_PER_MILLION

# A price that was last checked longer ago may have changed.
PRICE_MAX_AGE_DAYS = 90
# Far above any price, so that no bill overflows.
_LARGEST_USD = 1e9


def _as_amount(raw: object) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, int | float | Decimal):
        raise fault(
            f"must be a number of USD, got {shown(raw)}", "write it without quotes or a sign"
        )
    amount = Decimal(str(raw))
    if not amount.is_finite() or amount < 0:
        raise fault(f"must be 0 or more, got {raw}", "a variable price cannot be compared with")
    if amount > _LARGEST_USD:
        raise fault(f"must be at most {_LARGEST_USD:g}, got {shown(raw)}")
    return amount


Usd = Annotated[Decimal, BeforeValidator(_as_amount, json_schema_input_type=float)]


class Rates(Model):
    """USD per million tokens; what is missing bills as fresh input, reasoning as output."""

    input: Usd
    cached_input: Usd | None = None
    cache_write_5m: Usd | None = None
    cache_write_1h: Usd | None = None
    output: Usd
    reasoning: Usd | None = None


class Window(Model):
    """Hours of some weekdays, in UTC: from inclusive, to exclusive; 1 is Monday.

    `to: 00:00` is the end of the day.
    """

    weekdays: tuple[Annotated[StrictInt, Field(ge=1, le=7)], ...]
    from_: dt.time = Field(alias="from")
    to: dt.time

    def holds(self, at_utc: dt.datetime) -> bool:
        """Say whether the moment lies inside."""
        ended = self.to != dt.time() and at_utc.time() >= self.to
        return self.from_ <= at_utc.time() and not ended and at_utc.isoweekday() in self.weekdays


class PriceRow(Model):
    """One price and the conditions under which it holds."""

    usd_per_million: Rates
    usd_per_request: Usd = Decimal(0)
    service: Service = "standard"
    context_gt: Annotated[StrictInt, Field(ge=0)] | None = None
    context_ge: Annotated[StrictInt, Field(ge=0)] | None = None
    valid_from: AwareDatetime | None = None
    valid_to: AwareDatetime | None = None
    windows_utc: tuple[Window, ...] = ()

    @model_validator(mode="after")
    def _one_threshold(self) -> Self:
        if self.context_gt is not None and self.context_ge is not None:
            raise fault("context_gt and context_ge exclude each other", "keep one of them")
        return self

    def in_force(self, at_utc: dt.datetime) -> bool:
        """Say whether the row holds at the moment: from inclusive, to exclusive."""
        return self.is_valid(at_utc) and self.is_open(at_utc)

    def is_valid(self, at_utc: dt.datetime) -> bool:
        """Say whether the moment lies between the row's dates, whatever the hour."""
        started = self.valid_from is None or self.valid_from <= at_utc
        return started and not (self.valid_to is not None and self.valid_to <= at_utc)

    def is_open(self, at_utc: dt.datetime) -> bool:
        """Say whether the moment lies in a window of the week, whatever the date."""
        return not self.windows_utc or any(w.holds(at_utc) for w in self.windows_utc)

    def takes_context(self, context_tokens: int | Decimal) -> bool:
        """Say whether one request's whole input (fresh, cached, written) is in this tier."""
        above = self.context_gt is None or context_tokens > self.context_gt
        reached = self.context_ge is None or context_tokens >= self.context_ge
        return above and reached


class Offer(Model):
    """A model as one provider sells it.

    Attributes:
        weights: whose model it is, as its publisher names it (`org/name`), if known.
        date: the day on which its prices were seen; None where a table does not say.
    """

    model: StrictStr = Field(min_length=1)
    weights: StrictStr | None = None
    source: StrictStr = Field(min_length=1)
    date: Date | None = None
    prices: tuple[PriceRow, ...] = Field(min_length=1)

    def rows(self, service: Service, at: dt.datetime) -> tuple[PriceRow, ...]:
        """Return the rows of a service in force at a moment, in order.

        Raises:
            LookupError: the offer has no such service then.
        """
        at_utc = at.astimezone(dt.UTC)
        found = tuple(r for r in self.prices if r.service == service and r.in_force(at_utc))
        if not found:
            raise LookupError(f"{self.model} has no {service} price in force on {at:%Y-%m-%d}")
        return found

    def services(self) -> tuple[Service, ...]:
        """Return the services it is sold as, in order of appearance."""
        return tuple(dict.fromkeys(row.service for row in self.prices))

    def sha256(self) -> str:
        """Return a hash of the offer, so that a report can be held against its table."""
        return hashlib.sha256(self.model_dump_json(by_alias=True).encode()).hexdigest()


class TokenCounts(Model):
    """Tokens of one request; kinds of input exclude each other, `output` includes reasoning."""

    fresh_input: Decimal = Decimal(0)
    cached_input: Decimal = Decimal(0)
    cache_write_5m: Decimal = Decimal(0)
    cache_write_1h: Decimal = Decimal(0)
    output: Decimal = Decimal(0)
    reasoning: Decimal = Decimal(0)

    def context(self) -> Decimal:
        """Return all input of the request, which is what a tier's threshold is held against."""
        return self.fresh_input + self.cached_input + self.cache_write_5m + self.cache_write_1h


class RequestBill(Model):
    """What one request costs, exactly."""

    input_usd: Decimal
    output_usd: Decimal
    fee_usd: Decimal

    @property
    def total_usd(self) -> Decimal:
        """The whole bill of the request."""
        return self.input_usd + self.output_usd + self.fee_usd


def row_in_force(offer: Offer, service: Service, counts: TokenCounts, at: dt.datetime) -> PriceRow:
    """Return the row that prices the request.

    Raises:
        LookupError: no row of that service is in force, or takes that much input.
    """
    rows = [row for row in offer.rows(service, at) if row.takes_context(counts.context())]
    if not rows:
        raise LookupError(f"{offer.model} has no {service} price for {counts.context()} tokens")
    return rows[-1]


def price_request(
    offer: Offer, counts: TokenCounts, service: Service, at: dt.datetime
) -> RequestBill:
    """Return the exact bill of one request.

    Raises:
        LookupError: no row of that service is in force, or takes that much input.
    """
    row = row_in_force(offer, service, counts, at)
    rates = row.usd_per_million
    parts = (
        (counts.fresh_input, rates.input),
        (counts.cached_input, rates.cached_input),
        (counts.cache_write_5m, rates.cache_write_5m),
        (counts.cache_write_1h, rates.cache_write_1h),
    )
    input_usd = sum(
        (tokens * (rates.input if rate is None else rate) for tokens, rate in parts), Decimal(0)
    )
    reasoning_rate = rates.output if rates.reasoning is None else rates.reasoning
    output_usd = (counts.output - counts.reasoning) * rates.output
    output_usd += counts.reasoning * reasoning_rate
    return RequestBill(
        input_usd=input_usd / TOKENS_PER_MILLION,
        output_usd=output_usd / TOKENS_PER_MILLION,
        fee_usd=row.usd_per_request,
    )
