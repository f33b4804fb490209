"""Our own price tables: YAML, one provider a file, every offer with its source and date."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from tco.errors import InputError
from tco.price_files.table import ListedOffer, Table
from tco.price_row import Offer
from tco.quantity import Date, Model
from tco.yamlfile import read_yaml, validate

SCHEMA = "tco.prices/1"


class DatedOffer(Offer):
    """An offer whose date of seeing is stated, as our own tables must."""

    date: Date


class PriceFile(Model):
    """One provider's offers."""

    schema_: Literal["tco.prices/1"] = Field(alias="schema")
    provider: str = Field(pattern=r"^[^/\s]+$")
    offers: tuple[DatedOffer, ...]


def read_own(path: Path, table: Table) -> None:
    """Take up the offers of a file.

    Raises:
        InputError: it cannot be used, with file, line and key.
    """
    document = read_yaml(path)
    file = validate(PriceFile, document)
    for index, offer in enumerate(file.offers):
        listed = ListedOffer(table.name, file.provider, offer)
        if listed.name in table.offers:
            raise InputError(
                f"the offer `{offer.model}` stands twice",
                file=str(path),
                line=document.line(("offers", index)),
                remedy="put further prices of a model under its `prices`",
            )
        table.offers[listed.name] = listed
