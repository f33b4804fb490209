"""A Quantity is a number of the scenario: bare, or with a range and a source."""

from __future__ import annotations

import contextlib
import datetime as dt
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.functional_validators import AfterValidator
from pydantic_core import PydanticCustomError

from tco.bounds import HIGHEST_CHANGE, Range

_LONGEST_SHOWN = 60
# As in 0.2-0.8, 1.2..1.8 or 0.5 ± 0.1, and not in 2026-10-15 or 1e-3.
_TWO_NUMBERS = re.compile(r"^\s*[\d.]+\s*(?:-|\.\.|–|±|to|\+/-)\s*[\d.]+\s*$")
# As in 60 %, $95,000 or -3.5; a comma only between groups of three digits.
_NUMBER_WITH_UNIT = re.compile(
    r"\s*\$?\s*(?P<digits>-?(?:\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.\d{1,15})?)\s*(?P<percent>%)?\s*",
    re.ASCII,
)
# Far outside what any figure here can be, so that no product or power of them overflows.
_SMALLEST, _LARGEST = 1e-12, 1e15

_Q = TypeVar("_Q", "Quantity", "PriceQuantity")

RangeShape = Literal["uniform", "triangular"]


class Model(BaseModel):
    """What every model of a file shares: frozen, no unknown keys, no NaN.

    Not `strict`, since YAML has lists where we keep tuples, and dates as text; the
    scalars that pydantic would coerce are strict one by one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


def fault(message: str, remedy: str | None = None, key: str = "") -> PydanticCustomError:
    """Return the error a validator raises: a sentence and, apart from it, the remedy.

    A message that starts with a verb ("must be …") is given the key's name as its
    subject; `key` names a dotted key below the one being validated.
    """
    parts = key.split(".") if key else []
    below = tuple(int(part) if part.isdigit() else part for part in parts)
    context = {"message": message, "remedy": remedy, "key": below}
    return PydanticCustomError("tco", "{message}", context)


def shown(raw: object) -> str:
    """Return a value of a file as a sentence shows it."""
    if raw is None:
        return "nothing"
    if isinstance(raw, bool):
        return str(raw).lower()
    if isinstance(raw, Mapping):
        return "a mapping"
    if isinstance(raw, list | tuple):
        return "a list"
    text = repr(raw) if isinstance(raw, str) else str(raw)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _given(model: Model, *names: str) -> list[str]:
    return [name for name in names if getattr(model, name) is not None]


def at_most_one(model: Model, *names: str) -> None:
    """Raise the fault of two keys that exclude each other, at the last of them."""
    given = _given(model, *names)
    if len(given) > 1:
        listed = " and ".join(f"`{name}`" for name in given)
        raise fault(f"{listed} exclude each other", "keep one of them", key=given[-1])


def exactly_one(model: Model, *names: str) -> None:
    """Raise a fault unless one of the keys is given, and only one."""
    at_most_one(model, *names)
    if not _given(model, *names):
        raise fault("needs one of " + ", ".join(f"`{name}`" for name in names))


class Quantity(Model):
    """A number, the range it may lie in, and where it comes from.

    Attributes:
        value: the figure used, in the unit the key's name carries.
        low: the lowest it may be, at most `value`; left out: `value` itself.
        high: the highest it may be, at least `value`; left out: `value` itself.
        shape: how likely what lies between is: all alike, or most at `value` and falling in a
            straight line to nothing at both ends.
        source: where the figure was found.
    """

    value: float
    low: float | None = None
    high: float | None = None
    shape: RangeShape = "uniform"
    source: str | None = None


class PriceQuantity(Model):
    """As `Quantity`, with the price kept exactly as the text it was written in."""

    value: Decimal
    low: Decimal | None = None
    high: Decimal | None = None
    shape: RangeShape = "uniform"
    source: str | None = None


def _as_parts(raw: object) -> Mapping[str, Any] | Quantity | PriceQuantity:
    if isinstance(raw, Quantity | PriceQuantity):
        return raw
    if isinstance(raw, Mapping):
        if "value" not in raw:
            known = "write a bare number, or {value, low, high, shape, source}"
            raise fault("needs a `value`", known)
        return raw
    return {"value": raw}


def _bare(raw: object) -> str:
    """Return how to write the number that the text holds: 0.6 for `60 %`, 95000 for `$95,000`."""
    meant = _NUMBER_WITH_UNIT.fullmatch(str(raw)) if isinstance(raw, str) else None
    if meant is None:
        return "write a bare number without quotes or unit"
    number = Decimal(meant["digits"].replace(",", ""))
    if meant["percent"]:
        return f"write {number / 100:f} (shares go from 0 to 1, not percent)"
    return f"write {number:f}, a bare number without quotes, unit or commas"


def _number(raw: object, key: str) -> Decimal:
    if isinstance(raw, bool) or not isinstance(raw, int | float | Decimal):
        remedy = _bare(raw)
        if not key and (isinstance(raw, list) or _TWO_NUMBERS.search(str(raw))):
            remedy = "write a range as {value: …, low: …, high: …}"
        raise fault(f"must be a number, got {shown(raw)}", remedy, key)
    return Decimal(str(raw)) if isinstance(raw, float) else Decimal(raw)


def _checked(
    raw: object, allowed: Range, convert: type[float | Decimal], *, whole: bool = False
) -> Any:
    parts = _as_parts(raw)
    if isinstance(parts, Quantity | PriceQuantity):
        parts = parts.model_dump()
    out = dict(parts)
    for name in ("value", "low", "high"):
        if name not in out or (name != "value" and out[name] is None):
            continue
        key = "" if name == "value" else name
        number = _number(out[name], key)
        if not allowed.holds(number):
            rule = f"must be {allowed.rule(number)}, got {shown(out[name])}"
            raise fault(rule, allowed.remedy(number), key)
        if number and not _SMALLEST <= abs(number) <= _LARGEST:
            raise fault(
                f"must be 0 or between {_SMALLEST:g} and {_LARGEST:g} in size, "
                f"got {shown(out[name])}",
                key=key,
            )
        if whole and number != number.to_integral_value():
            raise fault(f"must be a whole number, got {shown(out[name])}", key=key)
        out[name] = convert(number)
    return out


def _ordered(quantity: _Q) -> _Q:
    value, low, high = quantity.value, quantity.low, quantity.high
    if low is not None and high is not None and not low <= value <= high:
        numbers = ", ".join(f"{each:.12g}" for each in (low, value, high))
        raise fault(f"must have low <= value <= high, got {numbers}", "put the three in order")
    if low is not None and low > value:
        raise fault(f"must not be above the value ({value:.12g}), got {low:.12g}", key="low")
    if high is not None and high < value:
        raise fault(f"must not be below the value ({value:.12g}), got {high:.12g}", key="high")
    if quantity.shape == "triangular" and quantity.low is None and quantity.high is None:
        raise fault("needs `low` or `high` beside `shape`", "state its range, or drop `shape`")
    return quantity


def _kind(allowed: Range, *, whole: bool = False) -> tuple[BeforeValidator, AfterValidator]:
    return (
        BeforeValidator(
            lambda raw: _checked(raw, allowed, float, whole=whole),
            json_schema_input_type=Annotated[float, Field(**_bounds(allowed))] | Quantity,
        ),
        AfterValidator(_ordered),
    )


def _bounds(allowed: Range) -> dict[str, Any]:
    names = {
        ("gt" if allowed.low_open else "ge"): allowed.low,
        ("lt" if allowed.high_open else "le"): allowed.high,
    }
    return {name: bound for name, bound in names.items() if math.isfinite(bound)}


def _iso_date(raw: object) -> object:
    if isinstance(raw, dt.date) and not isinstance(raw, dt.datetime):
        return raw
    if isinstance(raw, str):
        with contextlib.suppress(ValueError):
            return dt.date.fromisoformat(raw)
    raise fault(f"must be a date, got {shown(raw)}", "write it as YYYY-MM-DD")


Date = Annotated[dt.date, BeforeValidator(_iso_date, json_schema_input_type=dt.date)]
Amount = Annotated[Quantity, *_kind(Range(low=0))]
Positive = Annotated[Quantity, *_kind(Range(low=0, low_open=True))]
Count = Annotated[Quantity, *_kind(Range(low=0, high=1e6), whole=True)]
PositiveCount = Annotated[Quantity, *_kind(Range(low=1, high=1e6), whole=True)]
Streams = Annotated[Quantity, *_kind(Range(low=1, high=65_536), whole=True)]
AtLeastOne = Annotated[Quantity, *_kind(Range(low=1))]
Share = Annotated[Quantity, *_kind(Range(low=0, high=1))]
ShareBelowOne = Annotated[Quantity, *_kind(Range(low=0, high=1, high_open=True))]
PositiveShare = Annotated[Quantity, *_kind(Range(low=0, low_open=True, high=1))]
Change = Annotated[Quantity, *_kind(Range(low=-1, low_open=True, high=HIGHEST_CHANGE))]
Tokens = Annotated[Quantity, *_kind(Range(low=0, low_open=True, high=1e8))]
AnyTokens = Annotated[Quantity, *_kind(Range(low=0, high=1e8))]
Turns = Annotated[Quantity, *_kind(Range(low=1, high=10_000))]
# Less is no horizon: its flows could not be told from those of the start.
Years = Annotated[Quantity, *_kind(Range(low=0.001, high=100))]
Rate = Annotated[Quantity, *_kind(Range(low=0, high=1))]
Price = Annotated[
    PriceQuantity,
    BeforeValidator(
        lambda raw: _checked(raw, Range(low=0), Decimal),
        json_schema_input_type=Annotated[float, Field(ge=0)] | Quantity,
    ),
    AfterValidator(_ordered),
]
