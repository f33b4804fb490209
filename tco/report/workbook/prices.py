"""The sheet of prices: what each alternative asks, and its bill for the same request."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import PriceTier
from tco.report.headline import label
from tco.report.workbook.api import Offer, billed, tier_usd
from tco.report.workbook.formula import Term, if_, total
from tco.report.workbook.given import name_of
from tco.report.workbook.inputs import Inputs
from tco.report.workbook.page import RERUN, Page, Style, unless
from tco.report.workbook.steps import PER_MILLION, TINY, Given

_TITLES = (
    "Alternative",
    "Holds for an input of",
    "Requests at these hours",
    "USD per M fresh input",
    "USD per M cached input",
    "USD per M written, 5 min",
    "USD per M written, 1 h",
    "USD per M output",
    "USD fee per request",
    "Requests that pay it",
    "Fresh input tokens",
    "Cached input tokens",
    "Output tokens",
    "USD per request",
    "Source, and whether what tco found still holds",
)
_HOURS, _FIRST_PRICE, _FEE, _SHARE, _BILL, _SOURCE = 2, 3, 8, 9, 13, 14
_PRICES = ("input", "cached_input", "cache_write_5m", "cache_write_1h", "output")
_TOKENS = ("requests_share", "uncached_tokens", "cached_tokens", "output_tokens")
_TOKEN_FORMS = ("0.0##%", *("#,##0.0",) * 3)
_TRAFFIC = (
    "traffic.shape.input_tokens",
    "traffic.shape.cached_input_share",
    "traffic.shape.output_tokens",
)


@dataclass(frozen=True, slots=True)
class Prices:
    """The sheet, the inputs with the prices of tables among them, and the bills of a request.

    Attributes:
        stale: of each alternative, whether its bill rests on what tco found for other inputs;
            None where all of it follows the inputs.
    """

    page: Page
    offers: tuple[Offer, ...]
    given: Given
    usd_per_request: tuple[Term, ...]
    stale: tuple[Term | None, ...]


def prices_page(offers: tuple[Offer, ...], inputs: Inputs, banner: str | None) -> Prices:
    """Return the sheet of prices."""
    written = any(_writes(tier) for offer in offers for tier in offer.result.price_tiers)
    of_writes = 12.0 if written else 0.0
    widths = (38, 18, 10, 11, 11, of_writes, of_writes, 11, 11, 10, *(11,) * 3, 16, 46)
    page = Page("Prices", widths, landscape=True)
    page.head(
        "Prices",
        banner,
        "List prices, USD per million tokens. A price holds for the whole of a request; of "
        "several that hold the last one wins. Tokens are means over all requests, in the own "
        "model's count; USD per request takes the token ratio and the discount in.",
    )
    page.heading(*_TITLES, words=(1, _SOURCE), frozen=True)
    terms = dict(inputs.given.terms)
    bills = tuple(_bill(page, offer, terms, inputs) for offer in offers)
    return Prices(
        page,
        offers,
        Given(terms),
        tuple(bill for bill, _ in bills),
        tuple(stale for _, stale in bills),
    )


def _bill(
    page: Page, offer: Offer, terms: dict[str, Term], inputs: Inputs
) -> tuple[Term, Term | None]:
    first, stale, keys = page.row, None, set[str]()
    for place, tier in enumerate(offer.result.price_tiers):
        page.put(0, label(offer.result), "label")
        page.put(1, _when(tier), "text")
        _list_prices(page, offer, place, terms)
        if _tokens(page, offer, place, terms):
            # Of alike requests only their spread over the hours is as tco found it.
            if not offer.follows_length(place):
                own = (offer.key("token_ratio"), offer.key("cached_input_share"))
                keys.update((*_TRAFFIC, *own))
            stale = inputs.moved(*sorted(keys))
        page.put(_SOURCE, _source(offer), "words")
        page.row += 1
    for place in range(page.row - first):
        usd = unless(stale, tier_usd(offer, place, Given(terms)))
        page.put(_BILL, usd, "live", TINY, row=first + place)
    page.put(0, f"{label(offer.result)}: a request", "total")
    summed = unless(stale, total(page.down(first, _BILL, page.row - first)))
    bill = page.put(_BILL, summed, "total", TINY, name=f"api_{offer.index}_usd_per_request")
    if stale is not None:
        page.put(_SOURCE, if_(stale, RERUN, "tokens in grey are as tco found them"), "check")
    page.row += 2
    return bill, stale


def _list_prices(page: Page, offer: Offer, place: int, terms: dict[str, Term]) -> None:
    """Write the list prices; those of a table may be changed here, the others on the inputs."""
    tier = offer.result.price_tiers[place]
    amounts = (
        tier.usd_per_million_input,
        tier.usd_per_million_cached_input,
        tier.usd_per_million_cache_write_5m,
        tier.usd_per_million_cache_write_1h,
        tier.usd_per_million_output,
        tier.usd_per_request,
    )
    keys = [offer.price_key(place, name) for name in _PRICES] + [offer.fee_key(place)]
    for column, (key, amount) in enumerate(zip(keys, amounts, strict=True), start=_FIRST_PRICE):
        if key in terms:
            page.put(column, terms[key], "live", PER_MILLION)
        elif amount is None:
            page.put(column, "as fresh", "note")
        elif not offer.is_own():
            terms[key] = page.put(
                column, amount, "input", PER_MILLION, name=name_of(key), limits=(0.0, 1e9)
            )


def _tokens(page: Page, offer: Offer, place: int, terms: dict[str, Term]) -> bool:
    """Write what is billed at a price; say whether any of it is as tco found it."""
    tier, key = offer.result.price_tiers[place], f"alternatives.{offer.index}.tier.{place}."
    follows, by_hour = offer.follows_length(place), tier.hours_share != 1
    hours: Style = "fixed" if by_hour else "live"
    share = page.put(_HOURS, tier.hours_share, hours, "0.0##%")
    if by_hour:
        terms[f"{key}hours_share"] = share
    found = billed(offer, place, Given(terms)) if follows else None
    for at, (name, form) in enumerate(zip(_TOKENS, _TOKEN_FORMS, strict=True)):
        if found is None:
            terms[key + name] = page.put(_SHARE + at, getattr(tier, name), "fixed", form)
        else:
            page.put(_SHARE + at, getattr(found, name), "live", form)
    return by_hour or not follows


def _writes(tier: PriceTier) -> bool:
    """Say whether writing to a cache has a price of its own."""
    prices = tier.usd_per_million_cache_write_5m, tier.usd_per_million_cache_write_1h
    return any(usd is not None for usd in prices)


def _when(tier: PriceTier) -> str:
    if tier.above_tokens is None:
        return "any length"
    return f"{'from' if tier.inclusive else 'above'} {tier.above_tokens:,.0f} tokens on"


def _source(offer: Offer) -> str:
    source = offer.result.price_source
    named = "/".join(filter(None, (source.provider, source.model)))
    dated = f", {source.date.isoformat()}" if source.date is not None else ""
    return f"{source.table}{f': {named}' if named else ''}, {source.service}{dated}"
