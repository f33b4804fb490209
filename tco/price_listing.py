"""A listing of price rows: what all tables hold, by name, with the price in force on a day."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field

from tco.price_files.table import ListedOffer
from tco.price_quotes import UsdNumber
from tco.prices import PriceTables
from tco.quantity import Model
from tco.scenario import Service


class ListedRow(Model):
    """One offer; its standard price of a small request, or None where none is in force."""

    name: str
    table: str
    date: dt.date | None
    weights: str | None
    services: tuple[Service, ...]
    input_usd_per_million: UsdNumber | None = None
    cached_input_usd_per_million: UsdNumber | None = None
    output_usd_per_million: UsdNumber | None = None


class Listing(Model):
    """The rows found, by name.

    Attributes:
        has_second: whether the second source was looked through too.
    """

    schema_: Literal["tco.price_listing/1"] = Field("tco.price_listing/1", alias="schema")
    filter: str
    date: dt.date
    has_second: bool
    rows: tuple[ListedRow, ...]


def listing(tables: PriceTables, text: str, date: dt.date) -> Listing:
    """Return the rows whose name or weights have the text in them, in either case.

    Without a text the second source, which holds thousands, is left out.
    """
    at = dt.datetime.combine(date, dt.time(12), tzinfo=dt.UTC)
    wanted = text.casefold()
    found = [
        one
        for one in tables.offers.values()
        if wanted in one.name.casefold() or wanted in (one.offer.weights or "").casefold()
    ]
    if wanted:
        found += tables.priced_second(
            name for name in tables.second_names() if wanted in name.casefold()
        )
    rows = sorted((_row(one, at) for one in found), key=lambda row: row.name)
    return Listing(filter=text, date=date, has_second=bool(wanted), rows=tuple(rows))


def _row(listed: ListedOffer, at: dt.datetime) -> ListedRow:
    offer = listed.offer
    row = ListedRow(
        name=listed.name,
        table=listed.table,
        date=offer.date,
        weights=offer.weights,
        services=offer.services(),
    )
    try:
        rates = [r for r in offer.rows("standard", at) if r.takes_context(1)][-1].usd_per_million
    except LookupError:  # IndexError is one
        return row
    return row.model_copy(
        update={
            "input_usd_per_million": rates.input,
            "cached_input_usd_per_million": rates.cached_input,
            "output_usd_per_million": rates.output,
        }
    )
