"""Quotes: what every provider of the same weights asks for one request, side by side."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from tco.errors import InputError
from tco.finding import Finding
from tco.price_files.table import ListedOffer
from tco.price_row import TokenCounts, price_request, row_in_force
from tco.prices import PriceTables
from tco.quantity import Model
from tco.scenario import Service
from tco.validation import nearest

UsdNumber = Annotated[Decimal, PlainSerializer(float, when_used="json")]
_MOST_TOKENS = 1e8
_FIRST_VERSION = re.compile(r"-v?1:0$")
_PREFIX = re.compile(r"^(?:[a-z]+\.)*(?:databricks-)?(?:meta-(?=llama))?")
_POINT = re.compile(r"(?<=\d)p(?=\d)")
_BEFORE_DIGIT = re.compile(r"(?<=[a-z])-(?=\d)")
_BATCH = ":batch"
Sameness = Literal["weights", "name"]


class Quote(Model):
    """One offer's price of the request.

    Attributes:
        same_by: by what it counts as the same model: its stated weights, or its name alone.
        usd_per_request: None where no price of the service is in force, with the reason.
        input_usd_per_million: of the tier that this request takes.
        cached_input_usd_per_million: None bills cached tokens as fresh.
    """

    provider: str
    model: str
    service: Service
    same_by: Sameness
    weights: str | None
    table: str
    source: str
    date: dt.date | None
    row_sha256: str
    usd_per_request: UsdNumber | None = None
    usd_per_request_reason: str | None = None
    input_usd_per_million: UsdNumber | None = None
    cached_input_usd_per_million: UsdNumber | None = None
    output_usd_per_million: UsdNumber | None = None


class Quotes(Model):
    """All quotes of one request: paid ones first, cheapest first, then those without a bill."""

    schema_: Literal["tco.price_quotes/1"] = Field("tco.price_quotes/1", alias="schema")
    model: str
    date: dt.date
    input_tokens: UsdNumber
    cached_input_tokens: UsdNumber
    output_tokens: UsdNumber
    quotes: tuple[Quote, ...]
    findings: tuple[Finding, ...] = ()


def request_of(input_tokens: float, output_tokens: float, cached_input_share: float) -> TokenCounts:
    """Return the counts of a request, whose cached tokens are a share of its input.

    Raises:
        InputError: a length is below 0 or above 10^8, or the share is outside 0 to 1.
    """
    for name, tokens in (("--input-tokens", input_tokens), ("--output-tokens", output_tokens)):
        if not 0 <= tokens <= _MOST_TOKENS:
            raise InputError(f"{name} must be from 0 to {_MOST_TOKENS:g}, got {tokens:g}")
    if not 0 <= cached_input_share <= 1:
        raise InputError(f"--cached-input-share must be from 0 to 1, got {cached_input_share:g}")
    whole = Decimal(repr(input_tokens))
    cached = whole * Decimal(repr(cached_input_share))
    return TokenCounts(
        fresh_input=whole - cached, cached_input=cached, output=Decimal(repr(output_tokens))
    )


def quotes(model: str, tables: PriceTables, counts: TokenCounts, date: dt.date) -> Quotes:
    """Return a quote of each service of each offer of the model, in force at noon UTC.

    Args:
        model: a row `provider/model`, a model's name, or its weights (`org/name`).
        tables: where offers are looked for.
        counts: the request.
        date: whose prices count.

    Raises:
        InputError: no table knows the model; the remedy names the nearest.
    """
    at = dt.datetime.combine(date, dt.time(12), tzinfo=dt.UTC)
    found = [
        _quote(listed, same_by, service, counts, at)
        for listed, same_by in offers_of(model, tables)
        for service in listed.offer.services()
    ]
    ours = {_bill(quote) for quote in found if quote.same_by == "weights"}
    # The same bill of the same provider in two tables is one quote: the one that knows more.
    found = [quote for quote in found if quote.same_by == "weights" or _bill(quote) not in ours]
    return Quotes(
        model=model,
        date=date,
        input_tokens=counts.context(),
        cached_input_tokens=counts.cached_input,
        output_tokens=counts.output,
        quotes=tuple(sorted(found, key=_order)),
        findings=tuple(_of_makers(found)),
    )


def _of_makers(found: Sequence[Quote]) -> Iterator[Finding]:
    """Say of a row under the name of the weights' maker that one table alone has it.

    Public tables list a model under its maker by mistake too, and many makers sell none.
    """
    makers = {quote.weights.partition("/")[0].casefold() for quote in found if quote.weights}
    odd = {
        (quote.provider, quote.model, quote.table): quote
        for quote in found
        if quote.same_by == "name" and quote.provider.casefold() in makers
    }
    for quote in odd.values():
        yield Finding.of(
            "maker_as_provider",
            "warn",
            f"{quote.provider}/{quote.model}",
            f"is a price of {quote.provider}, who made these weights, as {quote.table} alone says; "
            "nobody has seen there that they are sold",
            "look at the provider's page before you compare with it",
        )


def offers_of(model: str, tables: PriceTables) -> Iterator[tuple[ListedOffer, Sameness]]:
    """Yield the offers of a model, of our tables and the user's first, then of the second source.

    Raises:
        InputError: no table knows the model.
    """
    wanted = model.casefold()
    meant = [one for one in tables.offers.values() if wanted in _names(one)]
    weights = {one.offer.weights.casefold() for one in meant if one.offer.weights}
    names = {same_name(one.offer.model) for one in meant} | {same_name(model)}
    others = [name for name in tables.second_names() if same_name(name) in names]
    found = [*_same(tables.offers.values(), weights, names)]
    found += [*_same(tables.priced_second(others), weights, names)]
    if not found:
        close = nearest(model, (*tables.offers, *tables.second_names()))
        raise InputError(
            f"no price table knows the model `{model}`",
            remedy=f"did you mean `{close}`?" if close else "`tco prices list` names the rows",
        )
    yield from found


def short_name(model: str) -> str:
    """Return a model's name without its maker and without a variant such as `:free`."""
    return model.rpartition("/")[2].partition(":")[0].casefold()


def same_name(model: str) -> str:
    """Return what the providers' spellings of one model's name have in common.

    A maker's or region's prefix goes (`openai.`, `databricks-`), and so does the suffix that
    Amazon gives a first version (`-v1:0`); `3.3`, `3-3` and `3p3` are one, as are `llama3` and
    `llama-3`. Size, date, version, precision and words such as `turbo` or `mini` stay.
    """
    name = _FIRST_VERSION.sub("", model.rpartition("/")[2].casefold())
    name = short_name(_PREFIX.sub("", name)).replace("_", "-").replace(".", "-")
    return _BEFORE_DIGIT.sub("", _POINT.sub("-", name))


def _names(one: ListedOffer) -> set[str]:
    names = (one.name, one.offer.model, one.offer.weights, short_name(one.offer.model))
    return {name.casefold() for name in names if name}


def _same(
    offers: Iterable[ListedOffer], weights: set[str], names: set[str]
) -> Iterator[tuple[ListedOffer, Sameness]]:
    for one in offers:
        if one.offer.weights and one.offer.weights.casefold() in weights:
            yield one, "weights"
        elif same_name(one.offer.model) in names:
            yield one, "name"


def _quote(
    listed: ListedOffer, same_by: Sameness, service: Service, counts: TokenCounts, at: dt.datetime
) -> Quote:
    offer = listed.offer
    quote = Quote(
        provider=listed.provider,
        model=offer.model,
        service=service,
        same_by=same_by,
        weights=offer.weights,
        table=listed.table,
        source=offer.source,
        date=offer.date,
        row_sha256=offer.sha256(),
    )
    try:
        rates = row_in_force(offer, service, counts, at).usd_per_million
        bill = price_request(offer, counts, service, at).total_usd
    except LookupError as error:
        return quote.model_copy(update={"usd_per_request_reason": str(error)})
    figures = {
        "usd_per_request": bill,
        "input_usd_per_million": rates.input,
        "cached_input_usd_per_million": rates.cached_input,
        "output_usd_per_million": rates.output,
    }
    return quote.model_copy(update=figures)


def _bill(quote: Quote) -> tuple[str, Service, Decimal | None]:
    # OpenRouter names its batch service as a model of its own.
    service: Service = "batch" if quote.model.endswith(_BATCH) else quote.service
    return quote.provider, service, quote.usd_per_request


def _order(quote: Quote) -> tuple[int, Decimal, str, str]:
    """Paid quotes by their bill, then those at zero (no price to compare with), then none."""
    bill = quote.usd_per_request
    rank = 2 if bill is None else 0 if bill else 1
    return rank, bill or Decimal(0), quote.provider, quote.model
