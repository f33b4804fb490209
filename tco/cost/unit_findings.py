"""Stated prices that no market has: most likely cents, or the price of one token or a thousand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tco.finding import Finding
from tco.price_faults import HIGHEST_USD, LOWEST_USD
from tco.scenario import Scenario

# The dearest grids ask less than half a dollar; a diesel generator on an island about one.
HIGHEST_USD_PER_KWH: Final = 2.0


def unit_findings(scenario: Scenario) -> Iterator[Finding]:
    """Yield a warning for each price that looks like one in another unit."""
    yield from _electricity(scenario)
    for index, alternative in enumerate(scenario.alternatives):
        if alternative.usd_per_million is None or alternative.is_bill:
            continue
        for name in ("input", "output"):
            price = getattr(alternative.usd_per_million, name)
            if price is None or not price.value or LOWEST_USD <= price.value <= HIGHEST_USD:
                continue
            low = price.value < LOWEST_USD
            yield Finding(
                kind="api_price_unit",
                severity="warn",
                path=f"alternatives.{index}.usd_per_million.{name}",
                message=f"{price.value:f} USD for a million {name} tokens is "
                + ("far below" if low else "far above")
                + " what any API asks",
                advice="write USD per million tokens"
                + (", not per token or per thousand" if low else ", not cents"),
                value=float(price.value),
                limit=float(LOWEST_USD if low else HIGHEST_USD),
            )


def _electricity(scenario: Scenario) -> Iterator[Finding]:
    if scenario.power is None or scenario.power.usd_per_kwh.value <= HIGHEST_USD_PER_KWH:
        return
    yield Finding(
        kind="electricity_price_unit",
        severity="warn",
        path="power.usd_per_kwh",
        message=f"{scenario.power.usd_per_kwh.value:g} USD per kWh is far above what any grid asks",
        advice="write USD per kWh, not cents",
        value=scenario.power.usd_per_kwh.value,
        limit=HIGHEST_USD_PER_KWH,
    )
