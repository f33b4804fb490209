"""A table is what one price file holds: offers, and what of it was left out and why."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from tco.price_row import Offer
from tco.quantity import shown


class PriceFaultError(ValueError):
    """A row whose price cannot be expressed here; its words say why."""


@dataclass(frozen=True, slots=True)
class ListedOffer:
    """An offer and the table it stands in."""

    table: str
    provider: str
    offer: Offer

    @property
    def name(self) -> str:
        """Return `provider/model`."""
        return f"{self.provider}/{self.offer.model}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What a table says and ours does not.

    Attributes:
        is_whole: the whole offer is left out; else only a part of it.
    """

    name: str
    reason: str
    is_whole: bool


@dataclass(slots=True)
class Table:
    """One price file, filled row by row as it is read.

    Attributes:
        name: of the file, without its folder.
        format: what writes such a file, in words.
    """

    name: str
    format: str
    offers: dict[str, ListedOffer] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)

    def add(
        self,
        provider: str,
        model: str,
        rows: Sequence[Mapping[str, Any]],
        *,
        source: str | None = None,
        weights: str | None = None,
        date: dt.date | None = None,
    ) -> None:
        """Take an offer up; one that cannot be, or whose name is taken, is left out with a reason.

        Raises:
            PriceFaultError: the name has no provider, or a row is no price.
        """
        name = f"{provider}/{model}"
        if not provider or "/" in provider or any(letter.isspace() for letter in provider):
            raise PriceFaultError(f"its provider is {shown(provider)}")
        if name in self.offers:
            same = _rows_of(rows) == self.offers[name].offer.prices
            also = "as the row before says too" if same else "with other prices: the first stands"
            raise PriceFaultError(f"it stands twice, {also}")
        try:
            offer = Offer(
                model=model,
                weights=weights,
                source=source or f"{self.format}: {self.name}",
                date=date,
                prices=_rows_of(rows),
            )
        except ValidationError as error:
            raise PriceFaultError(_words(error)) from None
        self.offers[name] = ListedOffer(self.name, provider, offer)

    def leave(self, name: str, reason: str) -> None:
        """Say that a whole offer is left out."""
        self.left_out.append(LeftOut(name, reason, is_whole=True))

    def note(self, name: str, reason: str) -> None:
        """Say that a part of an offer is left out."""
        self.left_out.append(LeftOut(name, reason, is_whole=False))


def per_million(amount: object, power: int) -> Decimal:
    """Return the amount x 10^power [USD per million tokens], by its digits.

    Raises:
        PriceFaultError: it is no price.
    """
    if isinstance(amount, bool) or not isinstance(amount, int | Decimal):
        raise PriceFaultError(f"a price of it is {shown(amount)}, and no number")
    exact = Decimal(amount)
    if not exact.is_finite() or exact < 0:
        raise PriceFaultError(
            f"a price of it is {shown(amount)}: it varies, so there is nothing to compare with"
        )
    return plain(exact.scaleb(power))


def plain(amount: Decimal) -> Decimal:
    """Return the same amount without trailing zeros or exponent: 1.50E-1 as 0.15."""
    return Decimal(format(amount.normalize(), "f"))


def without_free_writes(rates: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """Return the rates of a paid row without cache writes at 0.

    A write at 0 means that nothing is charged on top: the tokens are still fresh input.
    """
    writes = ("cache_write_5m", "cache_write_1h")
    return {k: v for k, v in rates.items() if not (k in writes and v == 0 and rates["input"])}


def _rows_of(rows: Sequence[Mapping[str, Any]]) -> tuple[Any, ...]:
    from tco.price_row import PriceRow

    return tuple(PriceRow.model_validate(row) for row in rows)


def _words(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return f"{where} is missing" if first["type"] == "missing" else f"{where}: {first['msg']}"
