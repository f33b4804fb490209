"""Changes are the numbers that a page has changed from its scenario's file: keys and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode

from tco.errors import InputError
from tco.quantity import shown
from tco.ui.inputs import Input

_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d{1,3})?")
_MAX_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Change:
    """One number that differs from the file's."""

    input: Input
    text: str


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from the file, in the order of the page."""

    each: tuple[Change, ...] = ()

    def overrides(self) -> tuple[str, ...]:
        """Return them as arguments of `--set`."""
        return tuple(f"{one.input.key}={one.text}" for one in self.each)

    def query(self) -> str:
        """Return them as the part of an address after its question mark."""
        return urlencode([(one.input.key, one.text) for one in self.each])


def read_changes(raw: Iterable[tuple[str, str]], inputs: Mapping[str, Input]) -> Changes:
    """Return the changes that a page sent; a number that is the file's own is none.

    Raises:
        InputError: a key that the page does not offer (so no file, engine or command can be
            set from it), or a text that is no number.
    """
    given: dict[str, str] = {}
    for key, text in raw:
        if key not in inputs:
            raise InputError(
                f"{shown(key)} cannot be changed on this page",
                remedy="change it in the scenario's file, or with --set",
            )
        given[key] = text.strip()
    for key, text in given.items():
        _check(key, text)
    return Changes(
        tuple(
            Change(each, given[key])
            for key, each in inputs.items()
            if key in given and Decimal(given[key]) != Decimal(each.value)
        )
    )


def _check(key: str, text: str) -> None:
    if _NUMBER.fullmatch(text) and len(text) <= _MAX_LENGTH:
        return
    name = key.rpartition(".")[2]
    remedy = "write it with a point, and no sign between thousands" if "," in text else None
    raise InputError(
        f"{name} must be a number, got {shown(text) if text else 'nothing'}",
        remedy=remedy or "write a plain number such as 0.5",
        key=key,
    )
