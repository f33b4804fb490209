"""An engine's argument: its value, its name in one spelling, and what it does."""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator

from tco.quantity import fault, shown


def _as_argument(raw: object) -> object:
    if isinstance(raw, Decimal):
        raw = float(raw)
    if isinstance(raw, float) and not math.isfinite(raw):
        raise fault(f"must be finite, got {shown(raw)}")
    if raw is None or isinstance(raw, str | bool | int | float):
        return raw
    raise fault(f"must be text, a number or true, got {shown(raw)}", "put JSON in quotes")


Argument = Annotated[str | bool | int | float | None, BeforeValidator(_as_argument)]


def plain_name(name: str) -> str:
    """Return the name of an argument in the spelling of a command line, without its dashes."""
    return name.replace("_", "-")


def effect_of(value: object) -> object:
    """Return what a value does: text and number are the same word of a command, false is none."""
    if value is None or isinstance(value, bool):
        return value or None
    return str(value)


def in_effect(args: Mapping[str, Argument]) -> dict[str, Argument]:
    """Return the arguments that reach the engine, by their plain names."""
    return {plain_name(n): v for n, v in args.items() if effect_of(v) is not None}
