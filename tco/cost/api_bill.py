"""What a request costs on an API, or the requests of a mix on average; numbers and arrays alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tco.cost.number import Number, as_number, at_most_one, non_negative, require
from tco.request_mix import Floats, RequestMix
from tco.units import TOKENS_PER_MILLION

# Lengths are whole tokens; nearer to a threshold than this share of it is a rounding error.
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Tier:
    """Prices from a size of one request's input on [USD per million tokens].

    Attributes:
        above_tokens: the tier holds for an input above this (or, `inclusive`, from it on).
        cached_input_usd: None bills cached tokens as fresh; so do the writes' prices.
    """

    input_usd: Number
    cached_input_usd: Number | None
    output_usd: Number
    request_fee_usd: Number = 0.0
    above_tokens: float = -1.0
    inclusive: bool = False
    cache_write_5m_usd: Number | None = None
    cache_write_1h_usd: Number | None = None


@dataclass(frozen=True, slots=True)
class HourTiers:
    """The tiers that hold at some hours, and the share of requests (0 to 1) that come then.

    Attributes:
        of_hours: how much (0 to 1) of each hour of the week they hold, from Monday 00:00 UTC
            on; none where they hold all week.
    """

    share: float
    tiers: tuple[Tier, ...]
    of_hours: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ApiTerms:
    """On what terms an API takes the requests.

    Attributes:
        tiers: in order; the last one that holds wins. Those of most requests, where the price
            depends on the hour.
        discount: a share off every price.
        cached_input_share: the API's own cached share of the input; its cache is not ours.
        token_ratio: its tokens per token of ours, input and output.
        cached_by_request: each request of a mix has its own cached tokens, and the share is
            their mean.
        cache_write_5m_share: of the input, billed as written to a cache for 5 minutes;
            `cache_write_1h_share` for an hour.
        hours: where the price depends on the hour, the tiers of all hours.
    """

    tiers: tuple[Tier, ...]
    discount: Number = 0.0
    cached_input_share: Number = 0.0
    token_ratio: Number = 1.0
    cached_by_request: bool = False
    cache_write_5m_share: Number = 0.0
    cache_write_1h_share: Number = 0.0
    hours: tuple[HourTiers, ...] = ()

    def by_hour(self) -> tuple[HourTiers, ...]:
        """Return the tiers with their shares; of a price that is the same all week, one."""
        return self.hours or (HourTiers(1.0, self.tiers),)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What some requests hold, per request of the whole mix; `requests` is their share of it."""

    requests: Number
    uncached: Number
    cached: Number
    output: Number


def usd_per_request(
    terms: ApiTerms,
    input_tokens: Number,
    output_tokens: Number,
    requests: RequestMix | None = None,
) -> Number:
    """Return the bill of one request, or the mean of the bills of a mix [USD].

    (fresh x p_in + cached x p_cached + written x p_write + output x p_out) / 10^6 + fee, less
    the discount (vendors' price pages). A tier is a cliff on the input of one request: the
    whole request takes its prices.

    Args:
        terms: the API's terms.
        input_tokens: fresh, cached and written input of the (mean) request, in our tokens.
        output_tokens: its output, in our tokens.
        requests: the requests, where they are of several lengths; each is in its own tier.

    Raises:
        ValueError: a negative price or length, a share outside 0 to 1, or shares of the input
            that are more than all of it.
    """
    hours = usd_per_request_by_hours(terms, input_tokens, output_tokens, requests)
    bills = [usd * hour.share for hour, usd in hours]
    return sum(bills[1:], start=bills[0])


def usd_per_request_by_hours(
    terms: ApiTerms,
    input_tokens: Number,
    output_tokens: Number,
    requests: RequestMix | None = None,
) -> tuple[tuple[HourTiers, Number], ...]:
    """Return what `usd_per_request` is the mean of: the hours of each price, and a request then.

    Raises:
        ValueError: as `usd_per_request`.
    """
    non_negative(input_tokens=input_tokens, output_tokens=output_tokens)
    _check_shares(terms)
    found = []
    for hour in terms.by_hour():
        if requests is None:
            bill = _one_bill(hour.tiers, terms, input_tokens, output_tokens)
        else:
            bill = _mean_bill(hour.tiers, terms, requests, output_tokens)
        found.append((hour, bill * (1 - terms.discount)))
    return tuple(found)


def tier_for(terms: ApiTerms, input_tokens: float) -> Tier:
    """Return the tier that one request of that input falls in.

    Raises:
        ValueError: none does.
    """
    context = np.asarray(input_tokens * terms.token_ratio)
    holding = [tier for tier in terms.tiers if _holds(tier, context)]
    require(bool(holding), "no price holds for this input length")
    return holding[-1]


def _check_shares(terms: ApiTerms) -> None:
    shares = {
        "cached_input_share": terms.cached_input_share,
        "cache_write_5m_share": terms.cache_write_5m_share,
        "cache_write_1h_share": terms.cache_write_1h_share,
    }
    at_most_one(discount=terms.discount, **shares)
    whole = np.asarray(sum(shares.values()))
    require(whole <= 1 + 1e-9, "cached and written shares of the input are more than all")


def _one_bill(
    tiers: Sequence[Tier], terms: ApiTerms, input_tokens: Number, output_tokens: Number
) -> Number:
    tokens = Tokens(
        requests=1.0,
        uncached=input_tokens * (1 - terms.cached_input_share),
        cached=input_tokens * terms.cached_input_share,
        output=output_tokens,
    )
    context = np.asarray(input_tokens * terms.token_ratio)
    bills = [_bill(tier, tokens, terms) for tier in tiers]
    holds = [_holds(tier, context) for tier in tiers]
    covered = np.any(np.stack(np.broadcast_arrays(*holds)), axis=0)
    require(covered, "no price holds for this input length")
    if len(bills) == 1:
        return bills[0]
    return as_number(np.select(list(reversed(holds)), list(reversed(bills))))


def _mean_bill(
    tiers: Sequence[Tier], terms: ApiTerms, requests: RequestMix, output_tokens: Number
) -> Number:
    """Bill the requests of each tier at its prices: from where it holds to the next that does."""
    parts = tokens_by_tier(tiers, terms, requests, output_tokens)
    return as_number(
        sum((_bill(*part, terms) for part in zip(tiers, parts, strict=True)), start=0.0)
    )


def tokens_by_tier(
    tiers: Sequence[Tier], terms: ApiTerms, requests: RequestMix, output_tokens: Number
) -> tuple[Tokens, ...]:
    """Return what the requests of each tier hold, per request of the whole mix.

    Raises:
        ValueError: no price holds for the shortest request.
    """
    starts = [_first_in(tier, terms, requests.input_tokens) for tier in tiers]
    require(np.min(np.stack(np.broadcast_arrays(*starts)), axis=0) == 0, "no price holds for all")
    parts: list[Tokens] = []
    end = np.asarray(len(requests.input_tokens))
    # Every tier holds from its start on, so a later one ends all that stand before it.
    for start in reversed(starts):
        parts.append(_between(terms, requests, np.minimum(start, end), end, output_tokens))
        end = np.minimum(start, end)
    return tuple(reversed(parts))


def _first_in(tier: Tier, terms: ApiTerms, lengths: Floats) -> np.ndarray:
    """Return the place of the shortest request that the tier takes."""
    threshold = np.asarray(tier.above_tokens / np.asarray(terms.token_ratio))
    if tier.inclusive:
        return np.searchsorted(lengths, threshold * (1 - _ROUNDING), side="left")
    return np.searchsorted(lengths, threshold + abs(threshold) * _ROUNDING, side="right")


def _between(
    terms: ApiTerms, requests: RequestMix, start: np.ndarray, end: np.ndarray, output: Number
) -> Tokens:
    def part(sums: Floats) -> Number:
        return as_number(sums[end] - sums[start])

    share, whole = part(requests.requests), part(requests.input_sums)
    if terms.cached_by_request and requests.cached_sums is not None:
        cached = part(requests.cached_sums)
    else:
        cached = whole * terms.cached_input_share
    return Tokens(
        requests=share,
        uncached=whole - cached,
        cached=cached,
        output=share * output if requests.output_sums is None else part(requests.output_sums),
    )


def _bill(tier: Tier, tokens: Tokens, terms: ApiTerms) -> Number:
    cached_usd = tier.input_usd if tier.cached_input_usd is None else tier.cached_input_usd
    non_negative(
        input_usd=tier.input_usd,
        cached_input_usd=cached_usd,
        output_usd=tier.output_usd,
        request_fee_usd=tier.request_fee_usd,
    )
    millions_usd = (
        tokens.uncached * _uncached_usd(tier, terms)
        + tokens.cached * cached_usd
        + tokens.output * tier.output_usd
    )
    fee_usd = tokens.requests * tier.request_fee_usd
    return millions_usd * terms.token_ratio / TOKENS_PER_MILLION + fee_usd


def _uncached_usd(tier: Tier, terms: ApiTerms) -> Number:
    """Return the price of a million input tokens that no cache held, some of them written to it.

    Of a mix, every request writes the same share of what it has uncached.
    """
    usd = tier.input_usd
    for share, write_usd in (
        (terms.cache_write_5m_share, tier.cache_write_5m_usd),
        (terms.cache_write_1h_share, tier.cache_write_1h_usd),
    ):
        if write_usd is not None and np.any(share):
            non_negative(cache_write_usd=write_usd)
            # Where nothing is uncached, nothing is written either.
            uncached_share = np.maximum(1 - terms.cached_input_share, _ROUNDING)
            of_uncached = share / uncached_share
            usd = usd + of_uncached * (write_usd - tier.input_usd)
    return usd


def _holds(tier: Tier, context: np.ndarray) -> np.ndarray:
    threshold = tier.above_tokens
    return np.asarray(context >= threshold if tier.inclusive else context > threshold)
