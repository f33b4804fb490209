"""An API's bill for a request in formulas, price by price."""

from __future__ import annotations

from dataclasses import dataclass

from tco.comparison import AlternativeResult, Comparison
from tco.report.workbook.formula import Term, if_, largest
from tco.report.workbook.steps import Given
from tco.scenario import Scenario
from tco.units import TOKENS_PER_MILLION

# Where all input is cached nothing is written, and there is nothing to divide by.
_LEAST_UNCACHED = 1e-12


@dataclass(frozen=True, slots=True)
class Offer:
    """An alternative with the keys of its terms.

    Attributes:
        index: its place in the comparison.
        stated: its place in the scenario; a batch price beside an interactive one has that one's.
        alike: all requests are taken to be alike, so that their price follows their length.
    """

    index: int
    stated: int
    result: AlternativeResult
    alike: bool

    def key(self, name: str) -> str:
        """Return the scenario key of one of its terms."""
        return f"alternatives.{self.stated}.{name}"

    def price_key(self, tier: int, name: str) -> str:
        """Return the key of a price: the scenario's own, or one of the table's row."""
        if self.is_own():
            return self.key(f"usd_per_million.{name}")
        return f"alternatives.{self.index}.tier.{tier}.usd_per_million.{name}"

    def fee_key(self, tier: int) -> str:
        """Return the key of the fee of a request."""
        if self.is_own():
            return self.key("usd_per_request")
        return f"alternatives.{self.index}.tier.{tier}.usd_per_request"

    def is_own(self) -> bool:
        """Say whether the scenario states its price, and no table."""
        return self.result.price_source.row_sha256 is None

    def follows_length(self, tier: int) -> bool:
        """Say whether what is billed at a price follows the inputs.

        Else it is of single requests of several lengths, which the workbook does not hold.
        """
        return self.alike or len(self.beside(tier)) == 1

    def beside(self, tier: int) -> list[int]:
        """Return the places of all prices of the same hours, in order."""
        tiers = self.result.price_tiers
        hours = tiers[tier].hours
        return [place for place, each in enumerate(tiers) if each.hours == hours]


def offers_of(scenario: Scenario, comparison: Comparison) -> tuple[Offer, ...]:
    """Return the comparison's alternatives, in order."""
    names = [f"{each.name or each.catalog} (batch)" for each in scenario.alternatives]
    found = []
    for index, result in enumerate(comparison.alternatives):
        stated = index if index < len(names) else names.index(result.name)
        found.append(Offer(index, stated, result, result.usd_per_request_of_mean is None))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Billed:
    """What is billed at one price, per request of all."""

    requests_share: Term
    uncached_tokens: Term
    cached_tokens: Term
    output_tokens: Term


def billed(offer: Offer, tier: int, given: Given) -> Billed:
    """Return what is billed at a price: of alike requests by their length, else as tco found."""
    price = offer.result.price_tiers[tier]
    if not offer.follows_length(tier):
        key = f"alternatives.{offer.index}.tier.{tier}."
        return Billed(
            given(f"{key}requests_share"),
            given(f"{key}uncached_tokens"),
            given(f"{key}cached_tokens"),
            given(f"{key}output_tokens"),
        )
    share = given(f"alternatives.{offer.index}.tier.{tier}.hours_share", price.hours_share)
    for condition in _conditions(offer, tier, given):
        share = _times(share, condition)
    input_tokens = given("traffic.shape.input_tokens")
    cached_share = cached_share_of(offer, given)
    return Billed(
        share,
        _times(share, input_tokens) * (1 - cached_share),
        _times(share, input_tokens) * cached_share,
        _times(share, given("traffic.shape.output_tokens")),
    )


def _times(share: Term, other: Term) -> Term:
    return other if share.text == "1" else share * other


def cached_share_of(offer: Offer, given: Given) -> Term:
    """Return the cached share of the input there: its own, else the traffic's."""
    shared = given("traffic.shape.cached_input_share")
    return given(offer.key("cached_input_share"), shared)


def tier_usd(offer: Offer, tier: int, given: Given) -> Term:
    """Return the bill at one price, per request of all, discount taken off."""
    tokens = billed(offer, tier, given)
    fresh = given(offer.price_key(tier, "input"))
    millions = (
        tokens.uncached_tokens * _uncached_usd(offer, tier, given)
        + tokens.cached_tokens * given(offer.price_key(tier, "cached_input"), fresh)
        + tokens.output_tokens * given(offer.price_key(tier, "output"))
    )
    fee = tokens.requests_share * given(offer.fee_key(tier))
    ratio = given(offer.key("token_ratio"), 1.0)
    return (millions * ratio / TOKENS_PER_MILLION + fee) * (1 - given(offer.key("discount")))


def usd_per_request(offer: Offer, given: Given) -> Term:
    """Return the whole bill of a request in one formula."""
    parts = [tier_usd(offer, tier, given) for tier in range(len(offer.result.price_tiers))]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def _conditions(offer: Offer, tier: int, given: Given) -> list[Term]:
    """Return what must hold for a price to be the last that holds."""
    found = []
    for place in offer.beside(tier):
        if place < tier:
            continue
        holds = _holds(offer, place, given)
        if place == tier and holds is not None:
            found.append(if_(holds, 1.0, 0.0))
        elif place > tier and holds is not None:
            found.append(if_(holds, 0.0, 1.0))
        elif place > tier:
            found.append(Term("0", 0.0))
    return found


def _holds(offer: Offer, tier: int, given: Given) -> Term | None:
    price = offer.result.price_tiers[tier]
    if price.above_tokens is None:
        return None
    context = given("traffic.shape.input_tokens") * given(offer.key("token_ratio"), 1.0)
    return context >= price.above_tokens if price.inclusive else context > price.above_tokens


def _uncached_usd(offer: Offer, tier: int, given: Given) -> Term:
    """Return the price of a million uncached input tokens, some of them written to the cache."""
    usd = fresh = given(offer.price_key(tier, "input"))
    for name in ("cache_write_5m", "cache_write_1h"):
        price_key, share_key = offer.price_key(tier, name), offer.key(f"{name}_share")
        if given.has(price_key) and given.has(share_key):
            uncached = largest(1 - cached_share_of(offer, given), _LEAST_UNCACHED)
            usd = usd + given(share_key) / uncached * (given(price_key) - fresh)
    return usd
