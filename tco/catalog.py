"""The catalog of hardware: what servers cost to buy or rent, each figure with source and date.

A row fills what a scenario's `hardware` and `power` leave out. It offers a purchase or a
rental; where the scenario states the other one itself, the row gives only what is true of
the server either way: its accelerators and its watts.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Self

from pydantic import Field, model_validator

from tco.quantity import Amount, Date, Model, PositiveCount, Quantity, Years, fault
from tco.row_files import named_row, read_rows
from tco.yamlfile import validate


class CatalogPurchase(Model):
    """The price of a server."""

    price_usd: Amount
    life_years: Years | None = None


class CatalogRent(Model):
    """The price of a server's hour."""

    usd_per_hour: Amount


class CatalogPower(Model):
    """The server's watts at the wall, idle and under load."""

    idle_w: Amount | None = None
    load_w: Amount | None = None


class CatalogRow(Model):
    """One server; every figure carries its source, and `date` is when it was looked up."""

    name: str
    accelerators: PositiveCount
    accelerator: str
    date: Date
    purchase: CatalogPurchase | None = None
    rent: CatalogRent | None = None
    power: CatalogPower | None = None
    notes: str | None = None

    @model_validator(mode="after")
    def _one_offer(self) -> Self:
        if (self.purchase is None) == (self.rent is None):
            raise fault("needs either `purchase` or `rent`")
        return self


class CatalogFile(Model):
    """A file of pricing/hardware/."""

    schema_: str = Field(alias="schema", pattern=r"^tco\.hardware/1$")
    rows: dict[str, CatalogRow]


def read_catalog(folder: Path | None = None) -> dict[str, CatalogRow]:
    """Return all rows by their id, from the shipped folder unless another is named.

    Raises:
        InputError: a file cannot be used, or two files hold the same row.
    """
    return read_rows("hardware", lambda file: validate(CatalogFile, file).rows, folder)


def catalog_row(row_id: str) -> CatalogRow:
    """Return one row.

    Raises:
        InputError: there is no such row; the remedy names the nearest and where to look.
    """
    return named_row("hardware", _shipped(), row_id)


@cache
def _shipped() -> dict[str, CatalogRow]:
    """Return the shipped rows, read once: a page asks for them at every change."""
    return read_catalog()


def filled(hardware: dict[str, Any], power: dict[str, Any] | None, row: CatalogRow) -> None:
    """Fill in place what the scenario's `hardware` and `power` leave out.

    `power` is None where the scenario has none: watts without a price of energy would be
    half a figure, so none is made.
    """
    offer = "purchase" if row.purchase is not None else "rent"
    kinds = ("purchase", "rent")
    stated = next((kind for kind in kinds if hardware.get(kind) is not None), offer)
    if hardware.get(stated) is None:  # left out, or taken out with `null`
        hardware[stated] = {}
    terms = hardware[stated]
    if not isinstance(terms, dict):
        return
    if terms.get("accelerators") is None:
        terms["accelerators"] = _figure(row.accelerators, row)
    if stated == offer:
        _fill(terms, row.purchase or row.rent, row)
    if power is not None:
        _fill(power, row.power, row)


def _fill(section: dict[str, Any], figures: Model | None, row: CatalogRow) -> None:
    for key, quantity in figures or ():
        if isinstance(quantity, Quantity) and section.get(key) is None:
            section[key] = _figure(quantity, row)


def _figure(quantity: Quantity, row: CatalogRow) -> dict[str, Any]:
    parts = quantity.model_dump(exclude_none=True)
    return parts | {"source": f"{quantity.source or row.name} (seen {row.date})"}
