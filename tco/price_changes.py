"""What changed between two price tables: offers that came and went, and prices that moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Literal

from pydantic import Field

from tco.price_files.table import ListedOffer, Table
from tco.price_quotes import UsdNumber
from tco.price_row import Offer, PriceRow
from tco.quantity import Model


class Change(Model):
    """One amount that moved.

    Attributes:
        row: the service and the conditions of the price, in words.
        amount: `input`, `cached_input`, …, or `usd_per_request`.
        old_usd: None where the old table had no such amount.
        new_usd: None where the new one has none.
        ratio: new ÷ old; None where one of them is missing or nothing.
    """

    name: str
    row: str
    amount: str
    old_usd: UsdNumber | None
    new_usd: UsdNumber | None
    ratio: float | None


class Changes(Model):
    """Two tables held against each other."""

    schema_: Literal["tco.price_changes/1"] = Field("tco.price_changes/1", alias="schema")
    old: str
    new: str
    added: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    changed: tuple[Change, ...]


def changes_between(old: Table, new: Table) -> Changes:
    """Return what the new table says otherwise than the old one."""
    both = sorted(old.offers.keys() & new.offers.keys())
    changed = [c for name in both for c in _moved(name, old.offers[name], new.offers[name])]
    return Changes(
        old=old.name,
        new=new.name,
        added=tuple(sorted(new.offers.keys() - old.offers.keys())),
        removed=tuple(sorted(old.offers.keys() - new.offers.keys())),
        unchanged=len(both) - len({change.name for change in changed}),
        changed=tuple(changed),
    )


def row_words(row: PriceRow) -> str:
    """Return a price's service and conditions: `batch, above 200,000 tokens`."""
    words: list[str] = [row.service]
    if row.context_gt is not None:
        words.append(f"above {row.context_gt:,} tokens")
    if row.context_ge is not None:
        words.append(f"from {row.context_ge:,} tokens on")
    if row.valid_from is not None:
        words.append(f"from {row.valid_from:%Y-%m-%d} on")
    if row.valid_to is not None:
        words.append(f"until {row.valid_to:%Y-%m-%d}")
    spans = [f"{each.from_:%H:%M} to {each.to:%H:%M}" for each in row.windows_utc]
    return ", ".join([*words, *([" and ".join(spans) + " UTC"] if spans else [])])


def _moved(name: str, old: ListedOffer, new: ListedOffer) -> Iterator[Change]:
    before, after = _amounts(old.offer), _amounts(new.offer)
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key), after.get(key)
        if was != now:
            ratio = float(now / was) if was and now else None
            yield Change(
                name=name, row=key[0], amount=key[1], old_usd=was, new_usd=now, ratio=ratio
            )


def _amounts(offer: Offer) -> Mapping[tuple[str, str], Decimal]:
    found = {}
    for row in offer.prices:
        for amount, rate in row.usd_per_million:
            if rate is not None:
                found[row_words(row), amount] = rate
        if row.usd_per_request:
            found[row_words(row), "usd_per_request"] = row.usd_per_request
    return found
