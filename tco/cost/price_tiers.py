"""Every price of an alternative, with the share of the requests that pay it."""

from __future__ import annotations

from collections.abc import Sequence

from tco.comparison import PriceTier
from tco.cost.api_bill import ApiTerms, HourTiers, Tier, Tokens, tier_for, tokens_by_tier
from tco.cost.evaluate import Inputs
from tco.cost.number import Number


def price_tiers(inputs: Inputs, index: int) -> tuple[PriceTier, ...]:
    """Return the prices of the alternative at `index`, hour by hour and tier by tier.

    Raises:
        ValueError: no price holds for some request.
    """
    terms = inputs.alternatives[index]
    return tuple(
        _tier(place, hour, tier, tokens)
        for place, hour in enumerate(terms.by_hour())
        for tier, tokens in zip(hour.tiers, _tokens(hour.tiers, terms, inputs), strict=True)
    )


def _tokens(tiers: Sequence[Tier], terms: ApiTerms, inputs: Inputs) -> tuple[Tokens, ...]:
    """Return what each tier bills of a mean request, at the hours when it holds."""
    if inputs.requests is not None:
        return tokens_by_tier(tiers, terms, inputs.requests, inputs.output_tokens)
    # Alike requests are all in one tier, that of their input.
    at_hours = ApiTerms(tuple(tiers), token_ratio=terms.token_ratio)
    holding = tier_for(at_hours, float(inputs.input_tokens))
    place = max(at for at, tier in enumerate(tiers) if tier is holding)
    cached = inputs.input_tokens * terms.cached_input_share
    whole = Tokens(1.0, inputs.input_tokens - cached, cached, inputs.output_tokens)
    nothing = Tokens(0.0, 0.0, 0.0, 0.0)
    return tuple(whole if at == place else nothing for at in range(len(tiers)))


def _tier(place: int, hour: HourTiers, tier: Tier, tokens: Tokens) -> PriceTier:
    return PriceTier(
        hours=place,
        hours_share=hour.share,
        above_tokens=None if tier.above_tokens < 0 else tier.above_tokens,
        inclusive=tier.inclusive,
        usd_per_million_input=float(tier.input_usd),
        usd_per_million_cached_input=_float(tier.cached_input_usd),
        usd_per_million_output=float(tier.output_usd),
        usd_per_million_cache_write_5m=_float(tier.cache_write_5m_usd),
        usd_per_million_cache_write_1h=_float(tier.cache_write_1h_usd),
        usd_per_request=float(tier.request_fee_usd),
        requests_share=hour.share * float(tokens.requests),
        uncached_tokens=hour.share * float(tokens.uncached),
        cached_tokens=hour.share * float(tokens.cached),
        output_tokens=hour.share * float(tokens.output),
    )


def _float(usd: Number | None) -> float | None:
    return None if usd is None else float(usd)
