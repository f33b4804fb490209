"""An import: one provider's rows of any price table, as a table of our own."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError
from tco.price_files.own_text import own_text
from tco.price_files.reading import read_price_file
from tco.price_files.table import LeftOut, Table
from tco.validation import nearest

_LISTED = 8


@dataclass(frozen=True, slots=True)
class PriceImport:
    """What an import writes.

    Attributes:
        text: the whole file.
        left_out: rows of the provider that are not in it, or not whole.
    """

    provider: str
    offers: int
    text: str
    left_out: tuple[LeftOut, ...]


def import_prices(
    path: Path, *, provider: str | None = None, model: str = "", date: dt.date | None = None
) -> PriceImport:
    """Return the table of one provider's offers.

    Args:
        path: a price table of any known format.
        provider: whose rows are taken; needed where the file holds those of several.
        model: only models whose name has this in it, in either case.
        date: when the prices were seen; needed where the file does not say.

    Raises:
        InputError: the file cannot be used, or nothing of it is meant, or too much.
    """
    table = read_price_file(path, provider=provider)
    whose = _provider(table, provider, path)
    offers = [
        one.offer if one.offer.date else one.offer.model_copy(update={"date": date})
        for one in table.offers.values()
        if one.provider == whose and model.casefold() in one.offer.model.casefold()
    ]
    left_out = tuple(
        each
        for each in table.left_out
        if each.name.startswith(f"{whose}/") and model.casefold() in each.name.casefold()
    )
    if not offers:
        raise InputError(
            f"no row of {whose} matches {model!r}" if model else f"has no row of {whose} to take",
            file=str(path),
            remedy="see `tco prices check FILE` for what is left out, and why",
        )
    if any(offer.date is None for offer in offers):
        raise InputError(
            "does not say when its prices were seen",
            file=str(path),
            remedy="give the day on which you fetched it: --date YYYY-MM-DD",
        )
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    comments = [f"Imported from {path.name} ({table.format}), SHA-256 {sha256}."]
    comments += left_out_words(left_out)
    return PriceImport(whose, len(offers), own_text(whose, offers, comments), left_out)


def check_new(output: Path, *, force: bool) -> None:
    """Refuse to write over a table unless that is asked for.

    Raises:
        InputError: it exists.
    """
    if output.exists() and not force:
        raise InputError("exists already", file=str(output), remedy="overwrite it with --force")


def left_out_words(left_out: tuple[LeftOut, ...]) -> list[str]:
    """Return each reason once, with the rows it is about."""
    lines = []
    counts = Counter((each.is_whole, each.reason) for each in left_out)
    for (is_whole, reason), count in counts.most_common():
        names = [e.name for e in left_out if (e.is_whole, e.reason) == (is_whole, reason)]
        listed = ", ".join(names[:_LISTED]) + (", …" if count > _LISTED else "")
        lines.append(f"{'Left out' if is_whole else 'In part'} ({count}): {reason}: {listed}")
    return lines


def _provider(table: Table, provider: str | None, path: Path) -> str:
    known = sorted({one.provider for one in table.offers.values()})
    if provider in known:
        return provider
    if provider is not None:
        close = nearest(provider, known)
        remedy = f"did you mean `{close}`?" if close else f"it has rows of {_named(known)}"
        raise InputError(f"has no row of {provider}", file=str(path), remedy=remedy)
    if len(known) > 1:
        raise InputError(
            f"holds the prices of {len(known)} providers, and a table of ours those of one",
            file=str(path),
            remedy=f"name one with --provider: {_named(known)}",
        )
    if not known:
        raise InputError(
            "holds no row that can be used", file=str(path), remedy="see `tco prices check FILE`"
        )
    return known[0]


def _named(known: list[str]) -> str:
    return ", ".join(known[:_LISTED]) + (", …" if len(known) > _LISTED else "")
