"""The price and carbon intensity of electricity by region, each figure with source and date.

A row fills what a scenario's `power` leaves out: its price of a kWh, converted where it is
not in USD at the rate that the scenario states, and its intensity where the row has one.
"""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import Field

from tco.errors import InputError
from tco.quantity import Amount, Date, Model
from tco.row_files import named_row, read_rows
from tco.yamlfile import validate


class ElectricityRow(Model):
    """One region and kind of customer.

    Attributes:
        currency: of `price_per_kwh`.
        kg_co2e_per_kwh: of the grid, where a source states it.
        date: when the row was looked up.
    """

    name: str
    date: Date
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    price_per_kwh: Amount
    kg_co2e_per_kwh: Amount | None = None
    notes: str | None = None


class ElectricityFile(Model):
    """A file of pricing/electricity/."""

    schema_: str = Field(alias="schema", pattern=r"^tco\.electricity/1$")
    rows: dict[str, ElectricityRow]


def read_regions(folder: Path | None = None) -> dict[str, ElectricityRow]:
    """Return all rows by their id, from the shipped folder unless another is named.

    Raises:
        InputError: a file cannot be used, or two files hold the same row.
    """
    return read_rows("electricity", lambda file: validate(ElectricityFile, file).rows, folder)


def fill_power(power: dict[str, Any], currency: object) -> None:
    """Fill in place what `power` leaves out, from the row that its `region` names.

    Args:
        power: the scenario's section.
        currency: the scenario's own `currency`, for a row that is not in USD.

    Raises:
        InputError: no such row, or no rate for its currency; without a place.
    """
    row_id = power["region"]
    row = named_row("electricity", read_regions(), row_id)
    if "usd_per_kwh" not in power:
        power["usd_per_kwh"] = _usd_per_kwh(row, row_id, currency)
    if row.kg_co2e_per_kwh is not None:
        source = row.kg_co2e_per_kwh.source
        parts = row.kg_co2e_per_kwh.model_dump(exclude_none=True)
        power.setdefault("kg_co2e_per_kwh", parts | {"source": _seen(source, row)})


def _usd_per_kwh(row: ElectricityRow, row_id: str, currency: object) -> dict[str, Any]:
    source = _seen(row.price_per_kwh.source, row)
    if row.currency == "USD":
        return row.price_per_kwh.model_dump(exclude_none=True) | {"source": source}
    rate = _usd_per_unit(currency, row.currency)
    if rate is None:
        raise InputError(
            f"the row `{row_id}` is in {row.currency}, and the scenario states no rate for it",
            remedy=f"state currency: {{code: {row.currency}, usd_per_unit: …, source: …}}, "
            "or power.usd_per_kwh itself",
        )
    amount = row.price_per_kwh.value
    return {
        "value": amount * float(rate),
        "source": f"{amount:g} {row.currency} at {rate} USD; {source}",
    }


def _usd_per_unit(currency: object, code: str) -> Decimal | None:
    """Return the scenario's rate, as far as it is one; what is wrong with it is said elsewhere."""
    if not isinstance(currency, dict) or currency.get("code") != code:
        return None
    rate = currency.get("usd_per_unit")
    if isinstance(rate, dict):
        rate = rate.get("value")
    if isinstance(rate, bool) or not isinstance(rate, int | float | Decimal):
        return None
    return Decimal(str(rate))


def _seen(source: str | None, row: ElectricityRow) -> str:
    return f"{source or row.name} (seen {row.date})"
