"""The check of price tables: what in them cannot be right, or must be known before use."""

from __future__ import annotations

import datetime as dt
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field

from tco.finding import Finding
from tco.plural import several
from tco.price_faults import disagreement, offer_findings, said
from tco.price_files.genai_prices import bundled_offer
from tco.price_files.reading import read_price_file
from tco.price_files.table import ListedOffer, PriceFaultError, Table
from tco.prices import shipped_tables
from tco.quantity import Model

_MOST_NAMED = 3

Lookup = Callable[[str], ListedOffer | None]


class PriceCheck(Model):
    """The tables that were checked, on a day, and what was found; the worst first."""

    schema_: Literal["tco.price_check/1"] = Field("tco.price_check/1", alias="schema")
    date: dt.date
    tables: tuple[str, ...]
    rows: int
    findings: tuple[Finding, ...]


def check_files(files: Sequence[Path], date: dt.date) -> PriceCheck:
    """Check price files of any format (or the shipped ones), and hold them against genai-prices.

    Raises:
        InputError: a file cannot be used.
    """
    tables = [read_price_file(path) for path in files] if files else list(shipped_tables())
    return PriceCheck(
        date=date,
        tables=tuple(table.name for table in tables),
        rows=sum(len(table.offers) for table in tables),
        findings=check_tables(tables, date, _known),
    )


def _known(name: str) -> ListedOffer | None:
    try:
        return bundled_offer(name)
    except PriceFaultError:  # it prices no text there
        return None


def check_tables(
    tables: Sequence[Table], date: dt.date, second: Lookup = lambda _: None
) -> tuple[Finding, ...]:
    """Return what must be said of the tables on a day.

    Args:
        tables: in the order in which their rows win.
        date: whose prices are in force, at noon UTC.
        second: a further table to hold the rows against.
    """
    at = dt.datetime.combine(date, dt.time(12), tzinfo=dt.UTC)
    found: list[Finding] = []
    for table in tables:
        found += _of_table(table)
        for listed in table.offers.values():
            found += offer_findings(listed, at)
            known = second(listed.name)
            if known is not None:
                found += disagreement(listed, known, at)
    for one, other in itertools.combinations(tables, 2):
        for name in sorted(one.offers.keys() & other.offers.keys()):
            found += _twice(one.offers[name], other.offers[name], at)
    rank = {"invalid": 0, "warn": 1, "info": 2}
    return tuple(sorted(found, key=lambda each: (rank[each.severity], each.path, each.kind)))


def _of_table(table: Table) -> Iterator[Finding]:
    undated = [name for name, listed in table.offers.items() if listed.offer.date is None]
    if undated:
        of_all = f"{len(undated)} of {len(table.offers)} rows"
        yield Finding.of(
            "price_without_date", "warn", table.name,
            f"does not say when {of_all} were last checked ({_some(undated)})",
            "import them with `tco prices import --date`, the day of the file",
            value=len(undated),
        )  # fmt: skip
    for is_whole in (True, False):
        yield from _left_out(table, is_whole=is_whole)


def _left_out(table: Table, *, is_whole: bool) -> Iterator[Finding]:
    """Yield a finding for each reason why rows are left out, or read but in part."""
    names: dict[str, list[str]] = defaultdict(list)
    for each in table.left_out:
        if each.is_whole == is_whole:
            names[each.reason].append(each.name)
    how = "is read without" if is_whole else "is read with a note on"
    for reason, of in sorted(names.items(), key=lambda item: -len(item[1])):
        yield Finding.of(
            "rows_left_out" if is_whole else "rows_in_part", "info", table.name,
            f"{how} {several(len(of), 'row')} ({_some(of)}): {reason}",
            "state a price of your own to compare with one of them", value=len(of),
        )  # fmt: skip


def _some(names: Sequence[str]) -> str:
    """Return the first names, and how many there are besides."""
    rest = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _twice(one: ListedOffer, other: ListedOffer, at: dt.datetime) -> Iterator[Finding]:
    yield said(
        "row_twice", "info", other, f"stands in {one.table} too, whose row it takes the place of",
        "keep one of them",
    )  # fmt: skip
    yield from disagreement(other, one, at)
