"""A JSON text as plain values whose numbers keep the digits they were written with."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

from tco.errors import InputError

_REMEDY = "give the file as its publisher wrote it"


class _FaultError(ValueError):
    """What JSON allows and a price table must not hold."""


def read_json(text: str, file: str) -> Any:
    """Return the one document; fractions are Decimal.

    Raises:
        InputError: it is no JSON, or a key stands twice in one mapping.
    """
    try:
        return json.loads(
            text,
            parse_float=Decimal,
            parse_constant=_constant,
            object_pairs_hook=_without_duplicates,
        )
    except json.JSONDecodeError as error:
        words = error.msg[:1].lower() + error.msg[1:]
        raise InputError(
            f"is not valid JSON: {words}", file=file, line=error.lineno, remedy=_REMEDY
        ) from None
    except _FaultError as error:
        raise InputError(str(error), file=file, remedy=_REMEDY) from None
    except (ValueError, RecursionError):
        raise InputError(
            "is nested too deep, or a number of it is too long", file=file, remedy=_REMEDY
        ) from None


def _constant(word: str) -> Any:
    raise _FaultError(f"holds {word}, which is no price")


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _FaultError(f"the key `{twice}` stands twice in one mapping")
    return found
