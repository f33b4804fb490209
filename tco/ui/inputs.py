"""An Input is a number of the scenario as the what-if page shows it: a slider and a field."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from pydantic import BaseModel

from tco.errors import InputError
from tco.quantity import PriceQuantity, Quantity
from tco.report.text import plain, shorten
from tco.scenario import LengthSpread, Scenario
from tco.ui.offers import ALTERNATIVE, GROUPS, Offer

_STEPS = 200
_STEP_DIGITS = (1, 2, 5, 10)
_END_DIGITS = (1, 1.5, 2, 3, 4, 5, 6, 8, 10)
_NAME_LIMIT = 40
_NEARLY = 1e-12


@dataclass(frozen=True, slots=True)
class Input:
    """A number that the page may change.

    Attributes:
        key: of the scenario, as `--set` takes it.
        label: under its group's title; `full_label` alone.
        value: as the scenario has it, in plain digits.
        low: where the slider begins, `high` where it ends; a field takes what lies outside too.
        stated_range: the range that the scenario gives the number, in words.
    """

    key: str
    label: str
    full_label: str
    unit: str
    value: str
    low: str
    high: str
    step: str
    stated_range: str | None


@dataclass(frozen=True, slots=True)
class Group:
    """Inputs under one heading.

    Attributes:
        is_api: whether they are an alternative's.
    """

    title: str
    is_api: bool
    inputs: tuple[Input, ...]


def groups_of(scenario: Scenario, loads: Callable[[str], Scenario]) -> tuple[Group, ...]:
    """Return what may be changed: the numbers that the scenario has and an override can set.

    What a trace, a bill or a price table tells cannot be set beside it, so it is left out.

    Args:
        scenario: as it stands.
        loads: returns the scenario under one `key=value`, or raises InputError.
    """
    titled: list[tuple[str, Sequence[Offer], str]] = [(title, each, "") for title, each in GROUPS]
    for index, rival in enumerate(scenario.alternatives):
        titled.append((f"API: {_name_of(rival)}", ALTERNATIVE, f".{index}."))
    found = [
        Group(title, bool(only), tuple(_offered(offers, only, scenario, loads)))
        for title, offers, only in titled
    ]
    return tuple(group for group in found if group.inputs)


def digits(number: float | Decimal) -> str:
    """Return the number in digits alone, as short as it can be read back."""
    exact = number if isinstance(number, Decimal) else Decimal(repr(float(number)))
    return f"{exact.normalize():f}"


def _offered(
    offers: Sequence[Offer], only: str, scenario: Scenario, loads: Callable[[str], Scenario]
) -> Iterator[Input]:
    for offer in offers:
        for key, quantity, owner in _found(offer.key.split("."), "", scenario, ""):
            if only not in key or (offer.rare and quantity.value in {0, 1}):
                continue
            if _is_settable(f"{key}={digits(quantity.value)}", loads):
                full = f"{owner}: {offer.label}" if owner else offer.label
                yield _input(key, offer.label if only else full, full, offer, quantity)


def _found(
    parts: Sequence[str], key: str, node: object, owner: str
) -> Iterator[tuple[str, Quantity | PriceQuantity, str]]:
    """Yield the quantities at a pattern, each with its key and the name of its list entry."""
    if isinstance(node, LengthSpread):
        parts, node, key = (), node.mean, f"{key}.mean"
    if not parts:
        if isinstance(node, Quantity | PriceQuantity):
            yield key, node, owner
        return
    head, *rest = parts
    if head == "*":
        for index, each in enumerate(node if isinstance(node, tuple) else ()):
            name = _name_of(each)
            yield from _found(rest, f"{key}.{index}", each, name)
    elif isinstance(node, BaseModel):
        yield from _found(rest, f"{key}.{head}".lstrip("."), getattr(node, head), owner)


def _name_of(entry: object) -> str:
    name = getattr(entry, "name", None) or getattr(entry, "catalog", None) or ""
    return shorten(plain(name), _NAME_LIMIT)


def _is_settable(override: str, loads: Callable[[str], Scenario]) -> bool:
    try:
        loads(override)
    except InputError:
        return False
    return True


def _input(
    key: str, label: str, full_label: str, offer: Offer, quantity: Quantity | PriceQuantity
) -> Input:
    low, high, step = _span(offer, quantity)
    return Input(
        key=key,
        label=label,
        full_label=full_label,
        unit=offer.unit,
        value=digits(quantity.value),
        low=digits(low),
        high=digits(high),
        step=digits(step),
        stated_range=_range_words(quantity),
    )


def _span(offer: Offer, quantity: Quantity | PriceQuantity) -> tuple[float, float, float]:
    """Return where the slider begins and ends, and its step: round ones, unless a range says."""
    value = float(quantity.value)
    if quantity.low is not None and quantity.high is not None and quantity.low < quantity.high:
        low, high = float(quantity.low), float(quantity.high)
        return low, high, _rounded_up((high - low) / _STEPS, _STEP_DIGITS)
    beyond = offer.most is None or value > offer.most
    high = _rounded_up(2 * value, _END_DIGITS) if beyond else offer.most or 0.0
    least = min(offer.least, value)
    step = max(_rounded_up((high - least) / _STEPS, _STEP_DIGITS), 1.0 if offer.whole else 0.0)
    low = math.ceil(least / step - _NEARLY) * step
    return (low if low <= value else least), high, step


def _range_words(quantity: Quantity | PriceQuantity) -> str | None:
    ends = (quantity.low, quantity.high)
    low, high = (quantity.value if end is None else end for end in ends)
    return f"{_grouped(low)} to {_grouped(high)}" if low < high else None


def _grouped(number: float | Decimal) -> str:
    return f"{Decimal(digits(number)):,f}"


def _rounded_up(number: float, leading: Sequence[float]) -> float:
    """Return the next of the leading digits times a power of ten; 1 for 0."""
    if number <= 0:
        return 1.0
    power = math.floor(math.log10(number))
    rounded = (float(Decimal(str(each)).scaleb(power)) for each in leading)
    return next(each for each in rounded if each >= number * (1 - _NEARLY))
