"""The price tables: the shipped ones of pricing/api/ and the user's own, by `provider/model`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from tco.errors import InputError
from tco.price_row import Offer, PriceRow, price_request
from tco.quantity import Model
from tco.resources import data_dir
from tco.yamlfile import read_yaml, validate

__all__ = ["ListedOffer", "Offer", "PriceRow", "PriceTables", "load_tables", "price_request"]


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
class PriceTables:
    """All offers by `provider/model`; of two with one name the later table's stands."""

    offers: Mapping[str, ListedOffer]

    def find(self, name: str) -> ListedOffer:
        """Return the offer named `provider/model`.

        Raises:
            InputError: there is none; the remedy names the nearest.
        """
        if name in self.offers:
            return self.offers[name]
        close = difflib.get_close_matches(name, self.offers, n=1, cutoff=0.4)
        hint = f"did you mean `{close[0]}`? " if close else ""
        raise InputError(
            f"there is no price row `{name}`",
            remedy=f"{hint}the rows are in pricing/api/, and yours in --prices FILE",
        )


class PriceFile(Model):
    """One provider's offers."""

    schema_: Literal["tco.prices/1"] = Field(alias="schema")
    provider: str = Field(pattern=r"^[^/\s]+$")
    offers: tuple[Offer, ...]


def load_tables(extra: Sequence[Path] = ()) -> PriceTables:
    """Return the shipped offers and those of the given files, whose rows win.

    Raises:
        InputError: a file cannot be used, with file, line and key.
    """
    shipped = sorted((data_dir("pricing") / "api").glob("*.yaml"))
    listed = [*_offers(shipped, label="pricing/api/"), *_offers(extra, label="")]
    return PriceTables({one.name: one for one in listed})


def _offers(paths: Sequence[Path], *, label: str) -> Iterator[ListedOffer]:
    for path in paths:
        document = read_yaml(path)
        file = validate(PriceFile, document)
        seen: set[str] = set()
        for index, offer in enumerate(file.offers):
            if offer.model in seen:
                raise InputError(
                    f"the offer `{offer.model}` stands twice",
                    file=str(path),
                    line=document.line(("offers", index)),
                    remedy="put further prices of a model under its `prices`",
                )
            seen.add(offer.model)
            # The name, not the path: where a table lies on one machine is no part of a report.
            yield ListedOffer(f"{label}{path.name}", file.provider, offer)
