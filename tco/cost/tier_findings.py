"""What must be said where a price steps at a length of input and requests are of many lengths."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from tco.cost.contender import Contender
from tco.cost.evaluate import Inputs
from tco.finding import Finding
from tco.scenario import Scenario


def tier_findings(
    scenario: Scenario, inputs: Inputs, rivals: Sequence[Contender]
) -> Iterator[Finding]:
    """Yield a finding for each alternative whose price steps inside the range of our prompts.

    A tier is a cliff on one request's input, and here the mean request stands for all of them.
    """
    longest = scenario.traffic.shape.longest_input_tokens()
    if longest is None:
        return
    for terms, rival in zip(inputs.alternatives, rivals, strict=True):
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
