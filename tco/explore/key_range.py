"""Which values of a key a scenario allows: found by asking it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tco.cost.reader import at_key
from tco.errors import InputError
from tco.scenario import Scenario
from tco.what_if import WhatIf

_SIZES = (1e-12, 1e-9, 1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 1, 2, 5, 10, 30, 100)
_LARGE = (1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e12, 1e15)
_LADDER = (-1e3, -10, -1, -0.99, -0.5, -0.1, 0, *_SIZES, *_LARGE)
_HALVINGS = 60


@dataclass(frozen=True, slots=True)
class KeyRange:
    """The values from low to high that are allowed; only whole ones where `is_whole`."""

    low: float
    high: float
    is_whole: bool


def allowed_range(
    what_if: WhatIf, key: str, now: float | None, between: tuple[float, float] | None
) -> KeyRange:
    """Return the range around the value now, narrowed to `between`.

    What a scenario asks of a number leaves one range without gaps.

    Raises:
        InputError: the key takes no number, or an end of `between` is not allowed.
    """
    allows = _allows(what_if, key)
    if between is not None:
        for value in between:
            _hold_end(what_if, key, value)
        return KeyRange(*between, _is_whole(allows, between[0]))
    start = now if now is not None else next((float(v) for v in _LADDER if allows(v)), None)
    if start is None:
        _refuse_words(what_if, key)
        scenario_at(what_if, key, 1.0)
        raise InputError(f"`{key}` takes no number", key=key)
    is_whole = _is_whole(allows, start)
    ladder = [value for value in _LADDER if not is_whole or float(value).is_integer()]
    below = [value for value in reversed(ladder) if value < start]
    above = [value for value in ladder if value > start]
    low, high = (_edge(allows, start, way, is_whole=is_whole) for way in (below, above))
    return KeyRange(low, high, is_whole)


def scenario_at(what_if: WhatIf, key: str, value: float) -> Scenario:
    """Return the scenario with the key at a value.

    Raises:
        InputError: it is not allowed, said as of the key and not of a `--set`.
    """
    try:
        return what_if.scenario([f"{key}={_written(value)}"])
    except InputError as error:
        raise InputError(error.message, remedy=error.remedy, key=error.key or key) from None


def _written(value: float) -> str:
    """Return the shortest text of the same double; of a whole one without a point."""
    number = float(value)
    return f"{number:.17g}" if number.is_integer() else repr(number)


def _hold_end(what_if: WhatIf, key: str, value: float) -> None:
    """See that an end of `between` is allowed."""
    try:
        scenario_at(what_if, key, value)
    except InputError as error:
        message = f"not all values to try are allowed: {error.message}"
        raise InputError(message, remedy=error.remedy, key=error.key) from None


def _refuse_words(what_if: WhatIf, key: str) -> None:
    """Refuse a key that holds words, or other keys."""
    if at_key(what_if.case.loaded.scenario, key) is not None:
        raise InputError(
            f"`{key}` is no number, so no value of it meets a target",
            key=key,
            remedy="name a key with a number, such as hardware.purchase.price_usd",
        )


def _allows(what_if: WhatIf, key: str) -> Callable[[float], bool]:
    def allows(value: float) -> bool:
        try:
            scenario_at(what_if, key, value)
        except InputError:
            return False
        return True

    return allows


def _is_whole(allows: Callable[[float], bool], at: float) -> bool:
    return (
        at.is_integer()
        and not (allows(at + 0.5) or allows(at - 0.5))
        and (allows(at + 1) or allows(at - 1))
    )


def _edge(
    allows: Callable[[float], bool], inside: float, outwards: list[float], *, is_whole: bool
) -> float:
    """Return the last value allowed on the way outwards, to a double's rounding."""
    outside = None
    for value in outwards:
        if not allows(value):
            outside = value
            break
        inside = value
    for _ in range(_HALVINGS if outside is not None else 0):
        middle = (inside + float(outside or 0.0)) / 2
        middle = float(round(middle)) if is_whole else middle
        if middle in {inside, outside}:
            break
        if allows(middle):
            inside = middle
        else:
            outside = middle
    return inside
