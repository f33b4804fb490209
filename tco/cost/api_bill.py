"""What the same request costs on an API, for numbers and arrays alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.cost.number import Number, as_number, at_most_one, non_negative, require
from tco.units import TOKENS_PER_MILLION


@dataclass(frozen=True, slots=True)
class Tier:
    """Prices from a size of one request's input on [USD per million tokens].

    Attributes:
        above_tokens: the tier holds for an input above this (or, `inclusive`, from it on).
        cached_input_usd: None bills cached tokens as fresh.
    """

    input_usd: Number
    cached_input_usd: Number | None
    output_usd: Number
    request_fee_usd: Number = 0.0
    above_tokens: float = -1.0
    inclusive: bool = False


@dataclass(frozen=True, slots=True)
class ApiTerms:
    """On what terms an API takes the request.

    Attributes:
        tiers: in order; the last one that holds wins.
        discount: a share off every price.
        cached_input_share: the API's own cached share; its cache is not ours.
        token_ratio: its tokens per token of ours, input and output.
    """

    tiers: tuple[Tier, ...]
    discount: Number = 0.0
    cached_input_share: Number = 0.0
    token_ratio: Number = 1.0


def usd_per_request(terms: ApiTerms, input_tokens: Number, output_tokens: Number) -> Number:
    """Return the bill of one request [USD].

    (fresh x p_in + cached x p_cached + output x p_out) / 10^6 + fee, less the discount
    (vendors' price pages). A tier is a cliff on the input of one request: the whole
    request takes its prices.

    Args:
        terms: the API's terms.
        input_tokens: fresh and cached input of the request, in our tokens.
        output_tokens: its output, in our tokens.

    Raises:
        ValueError: a negative price or length, or a share outside 0 to 1.
    """
    non_negative(input_tokens=input_tokens, output_tokens=output_tokens)
    at_most_one(discount=terms.discount, cached_input_share=terms.cached_input_share)
    context = np.asarray(input_tokens * terms.token_ratio)
    bills = [_tier_bill(tier, terms, input_tokens, output_tokens) for tier in terms.tiers]
    holds = [_holds(tier, context) for tier in terms.tiers]
    covered = np.any(np.stack(np.broadcast_arrays(*holds)), axis=0)
    require(covered, "no price holds for this input length")
    return _last_that_holds(bills, holds) * (1 - terms.discount)


def tier_for(terms: ApiTerms, input_tokens: float) -> Tier:
    """Return the tier that one request of that input falls in.

    Raises:
        ValueError: none does.
    """
    context = np.asarray(input_tokens * terms.token_ratio)
    holding = [tier for tier in terms.tiers if _holds(tier, context)]
    require(bool(holding), "no price holds for this input length")
    return holding[-1]


def _tier_bill(tier: Tier, terms: ApiTerms, input_tokens: Number, output_tokens: Number) -> Number:
    cached_usd = tier.input_usd if tier.cached_input_usd is None else tier.cached_input_usd
    non_negative(
        input_usd=tier.input_usd,
        cached_input_usd=cached_usd,
        output_usd=tier.output_usd,
        request_fee_usd=tier.request_fee_usd,
    )
    fresh = input_tokens * (1 - terms.cached_input_share)
    cached = input_tokens * terms.cached_input_share
    millions_usd = fresh * tier.input_usd + cached * cached_usd + output_tokens * tier.output_usd
    return millions_usd * terms.token_ratio / TOKENS_PER_MILLION + tier.request_fee_usd


def _holds(tier: Tier, context: np.ndarray) -> np.ndarray:
    threshold = tier.above_tokens
    return np.asarray(context >= threshold if tier.inclusive else context > threshold)


def _last_that_holds(bills: Sequence[Number], holds: Sequence[np.ndarray]) -> Number:
    if len(bills) == 1:
        return bills[0]
    return as_number(np.select(list(reversed(holds)), list(reversed(bills))))
