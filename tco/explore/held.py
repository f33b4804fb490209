"""What a comparison rests on beside its ranges: the numbers that were held as stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tco.scenario import Scenario
from tco.uncertainty import Held

# Factors that change nothing at 1.
_FACTORS = ("token_ratio", "pue", "accelerators", "peak_to_average", "target_peak_utilisation")
# A price of what there is none of.
_PRICE_OF = {
    "operations.fte_usd_per_year": "operations.fte",
    "usd_per_million.cached_input": "cached_input_share",
}


def held_of(scenario: Scenario, asked: Mapping[str, float]) -> tuple[Held, ...]:
    """Return what the evaluation read and nothing varied, in the order it was read.

    Numbers that are nothing (0, or a factor of 1) are left out; a table's price has no number.
    """
    stated = tuple(f"alternatives.{index}." for index in range(len(scenario.alternatives)))
    numbers = (
        Held(key=key, value=value)
        for key, value in asked.items()
        if value != 0 and not (value == 1 and key.endswith(_FACTORS))
        if not key.startswith("alternatives.") or key.startswith(stated)
        if not _is_price_of_nothing(key, asked)
    )
    return (*numbers, *_tables(scenario))


def _is_price_of_nothing(key: str, asked: Mapping[str, float]) -> bool:
    """Say whether the key is a price of something of which every amount read is 0."""
    for price, amount in _PRICE_OF.items():
        if key.endswith(price):
            amounts = [value for each, value in asked.items() if each.endswith(amount)]
            return bool(amounts) and not any(amounts)
    return False


def _tables(scenario: Scenario) -> Iterator[Held]:
    for index, each in enumerate(scenario.alternatives):
        if each.catalog is not None:
            yield Held(key=f"alternatives.{index}.catalog", value=None)
