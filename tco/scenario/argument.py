"""The value of an engine's argument."""

from __future__ import annotations

import math
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
