"""What must be said where a price steps at a length of input and requests are of many lengths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tco.cost.api_bill import ApiTerms, usd_per_request
from tco.cost.contender import Contender
from tco.cost.evaluate import Inputs
from tco.finding import Finding
from tco.request_mix import RequestMix
from tco.scenario import Scenario, Shape


def tier_findings(
    scenario: Scenario, inputs: Inputs, rivals: Sequence[Contender]
) -> Iterator[Finding]:
    """Yield a finding for each alternative whose price steps inside the range of our prompts.

    A tier is a cliff on one request's input. Where the lengths are known each request is billed
    in its own tier; else the mean request stands for all of them.
    """
    shape, requests = scenario.traffic.shape, inputs.requests
    for terms, rival in zip(inputs.alternatives, rivals, strict=True):
        if requests is not None:
            yield from _by_request(shape, inputs, requests, terms, rival)
        else:
            longest = math.inf if scenario.traffic.bill else shape.longest_input_tokens()
            yield from _of_the_mean(longest, terms, rival)


def _by_request(
    shape: Shape, inputs: Inputs, requests: RequestMix, terms: ApiTerms, rival: Contender
) -> Iterator[Finding]:
    ratio = float(terms.token_ratio)
    shares = {
        tier.above_tokens: requests.share_above(tier.above_tokens / ratio, inclusive=tier.inclusive)
        for hour in terms.by_hour()
        for tier in hour.tiers
        if tier.above_tokens > 0
    }
    crossed = [step for step in sorted(shares) if shares[step] > 0]
    if not crossed:
        return
    mean_usd = float(usd_per_request(terms, inputs.input_tokens, inputs.output_tokens))
    usd = float(usd_per_request(terms, inputs.input_tokens, inputs.output_tokens, requests))
    share = shares[crossed[0]]
    yield Finding(
        kind="price_tier_by_request",
        severity="info",
        path=rival.path,
        message=f"{rival.name} changes its price at {crossed[0]:,.0f} input tokens of a request; "
        f"{share:.1%} of your requests{_whose(shape)} take the price above. Each is billed at its "
        f"own: ${usd:.6g} on average, where one of mean length would cost ${mean_usd:.6g}",
        advice=_advice(shape),
        value=share,
        limit=crossed[0],
    )


def _whose(shape: Shape) -> str:
    if shape.trace is not None:
        return " in the trace"
    if shape.mix is not None:
        return " in the mix"
    if shape.session is not None:
        return " (a session's calls, by their mean lengths)"
    return " (of the lognormal with your mean and p95)"


def _advice(shape: Shape) -> str:
    if shape.trace is not None:
        return "see that the trace is like your traffic in its longest prompts"
    return "a trace of your own requests tells how many are that long"


def _of_the_mean(longest: float | None, terms: ApiTerms, rival: Contender) -> Iterator[Finding]:
    if longest is None:
        return
    ratio = float(terms.token_ratio)
    steps = sorted({tier.above_tokens for tier in terms.tiers if tier.above_tokens > 0})
    crossed = [step for step in steps if step < longest * ratio]
    if crossed:
        words = "of any length" if math.isinf(longest) else f"of up to {longest:,.0f} tokens"
        yield Finding(
            kind="price_tier_of_the_mean",
            severity="warn",
            path=rival.path,
            message=f"{rival.name} changes its price at {crossed[0]:,.0f} input tokens of a "
            f"request; the mean one is priced, and your prompts are {words}",
            advice="compare the lengths above and below the step as scenarios of their own",
            value=None if math.isinf(longest) else longest,
            limit=crossed[0],
        )
