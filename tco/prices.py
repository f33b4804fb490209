"""The price tables by `provider/model`: the shipped ones, the user's own, then genai-prices."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tco.errors import InputError
from tco.price_files.genai_prices import PACKAGE, bundled_names, bundled_offer
from tco.price_files.own import PriceFile
from tco.price_files.reading import read_price_file
from tco.price_files.table import ListedOffer, PriceFaultError, Table
from tco.price_row import Offer, PriceRow, price_request
from tco.resources import data_dir

__all__ = [
    "ListedOffer", "Offer", "PriceFile", "PriceRow", "PriceTables", "load_tables", "price_request",
    "shipped_tables",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class PriceTables:
    """All offers by `provider/model`; of two with one name the later table's stands.

    Attributes:
        left_out: why a row of the user's own tables is none of the offers.
        second: looks up a name that is in no table; None where there is none either.
        second_names: all names that the second source knows, for a remedy.
    """

    offers: Mapping[str, ListedOffer]
    left_out: Mapping[str, str] = field(default_factory=dict)
    second: Callable[[str], ListedOffer | None] = lambda _: None
    second_names: Callable[[], Sequence[str]] = tuple

    def find(self, name: str) -> ListedOffer:
        """Return the offer named `provider/model`.

        Raises:
            InputError: there is none; the remedy names the nearest.
        """
        if name in self.offers:
            return self.offers[name]
        if name in self.left_out:
            raise InputError(
                f"the price row `{name}` cannot be used: {self.left_out[name]}",
                remedy="state a price of your own under `usd_per_million`",
            )
        try:
            found = self.second(name)
        except PriceFaultError as fault:
            raise InputError(
                f"the price row `{name}` of {PACKAGE} cannot be used: {fault}",
                remedy="state a price of your own under `usd_per_million`",
            ) from None
        if found is None:
            raise self._unknown(name)
        return found

    def priced_second(self, names: Iterable[str]) -> Iterator[ListedOffer]:
        """Yield what the second source has of these names, less what is here, or prices no text."""
        for name in names:
            if name in self.offers:
                continue
            try:
                found = self.second(name)
            except PriceFaultError:
                continue
            if found is not None:
                yield found

    def _unknown(self, name: str) -> InputError:
        names = [*self.offers, *self.second_names()]
        close = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
        hint = f"did you mean `{close[0]}`? " if close else ""
        return InputError(
            f"there is no price row `{name}`",
            remedy=f"{hint}`tco prices list` names the rows, and yours are in --prices FILE",
        )


def load_tables(extra: Sequence[Path] = ()) -> PriceTables:
    """Return the shipped offers and those of the given files, whose rows win.

    What is in neither is looked up in the genai-prices package, offline.

    Raises:
        InputError: a file cannot be used, with file, line and key.
    """
    own = [read_price_file(path) for path in extra]
    listed = [one for table in (*shipped_tables(), *own) for one in table.offers.values()]
    left_out = {each.name: each.reason for table in own for each in table.left_out if each.is_whole}
    offers = {one.name: one for one in listed}
    for table in own:
        # A second row of one name is left out, and the first one stands.
        left_out = {name: why for name, why in left_out.items() if name not in table.offers}
    return PriceTables(offers, left_out, bundled_offer, bundled_names)


def shipped_tables() -> Iterator[Table]:
    """Yield the tables of pricing/api/."""
    for path in sorted((data_dir("pricing") / "api").glob("*.yaml")):
        table = read_price_file(path)
        # The name, not the path: where a table lies on one machine is no part of a report.
        table.name = f"pricing/api/{path.name}"
        table.offers = {
            name: dataclasses.replace(one, table=table.name) for name, one in table.offers.items()
        }
        yield table
