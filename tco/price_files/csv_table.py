"""Prices as CSV: one row a price, with the unit in the name of each column.

`provider`, `model`, `input_usd_per_million` and `output_usd_per_million` are needed (or
`_per_thousand`, or `_per_token`); the others stand in `_OTHERS`. Rows of one model follow the
rule of our own tables: the last one that holds wins.
"""

from __future__ import annotations

import csv
import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from tco.errors import InputError
from tco.price_files.table import PriceFaultError, Table, per_million
from tco.quantity import shown

_UNITS: Final = {"million": 0, "thousand": 3, "token": 6}
_RATES: Final = ("input", "cached_input", "cache_write_5m", "cache_write_1h", "output", "reasoning")
_RATE: Final = re.compile(rf"({'|'.join(_RATES)})_usd_per_({'|'.join(_UNITS)})")
_WHOLE: Final = frozenset({"context_gt", "context_ge"})
_AS_WRITTEN: Final = frozenset({"service", "valid_from", "valid_to"})
_OF_OFFER: Final = frozenset({"weights", "source", "date"})
_OTHERS: Final = {"provider", "model", "usd_per_request"} | _WHOLE | _AS_WRITTEN | _OF_OFFER
_NUMBER: Final = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?")


def is_csv(first_line: str) -> bool:
    """Say whether the line heads a table of prices, be they in units that are known or not."""
    names = _header(first_line)
    return "model" in names and len(names) > 1


def read_csv(text: str, table: Table, file: str, provider: str | None) -> None:
    """Take up the rows, those of one model together; `provider` is whose, where no column says.

    Raises:
        InputError: a column is not known, stands twice or is missing, or a row is no price.
    """
    lines = csv.reader(text.splitlines(), strict=True)
    try:
        names = [name.strip().casefold() for name in next(lines)]
        _check(names, file, provider)
        offers: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
        first_lines: dict[tuple[str, str], int] = {}
        for cells in lines:
            if not any(cells):
                continue
            if len(cells) != len(names):
                raise InputError(
                    f"has {len(cells)} cells under {len(names)} columns",
                    file=file,
                    line=lines.line_num,
                    remedy="put a text with a comma in quotes",
                )
            row = {name: cell.strip() for name, cell in zip(names, cells, strict=True) if cell}
            of = (row.get("provider") or provider or "", row.get("model", ""))
            offers[of].append(row)
            first_lines.setdefault(of, lines.line_num)
    except csv.Error as error:
        raise InputError(f"is no CSV: {error}", file=file, line=lines.line_num) from None
    faults: list[tuple[int, str]] = []
    for of, rows in offers.items():
        try:
            _take(of, rows, table)
        except PriceFaultError as fault:
            faults.append((first_lines[of], f"{'/'.join(of)}: {fault}"))
    if faults:
        rest = "" if len(faults) == 1 else f" ({len(faults)} rows have faults)"
        raise InputError(
            faults[0][1] + rest,
            file=file,
            line=faults[0][0],
            remedy="correct the row, or take it out; nothing of the file was used",
        )


def _header(line: str) -> list[str]:
    return [name.strip().casefold() for name in next(csv.reader([line]), [])]


def _check(names: list[str], file: str, provider: str | None) -> None:
    rates = [match[1] for name in names if (match := _RATE.fullmatch(name))]
    strange = [name for name in names if name not in _OTHERS and not _RATE.fullmatch(name)]
    twice = sorted({name for name in (*names, *rates) if (*names, *rates).count(name) > 1})
    lacking = [name for name in ("input", "output") if name not in rates]
    if not provider and "provider" not in names:
        lacking.append("provider")
    if strange:
        remedy = f"known are {', '.join(sorted(_OTHERS))}, and prices as input_usd_per_million"
        raise InputError(f"the column {shown(strange[0])} is not known", file=file, line=1,
                         remedy=remedy)  # fmt: skip
    if twice:
        raise InputError(f"the column `{twice[0]}` stands twice", file=file, line=1)
    if lacking:
        raise InputError(f"has no column of {lacking[0]}", file=file, line=1)


def _take(of: tuple[str, str], rows: list[dict[str, str]], table: Table) -> None:
    provider, model = of
    said: Mapping[str, str] = {k: v for row in rows for k, v in row.items() if k in _OF_OFFER}
    try:
        date = dt.date.fromisoformat(said["date"]) if "date" in said else None
    except ValueError:
        raise PriceFaultError(f"its date is {shown(said['date'])}: write YYYY-MM-DD") from None
    table.add(
        provider,
        model,
        [dict(_row(row)) for row in rows],
        source=said.get("source"),
        weights=said.get("weights"),
        date=date,
    )


def _row(row: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    rates = {}
    for name, cell in row.items():
        if match := _RATE.fullmatch(name):
            rates[match[1]] = per_million(_number(cell), _UNITS[match[2]])
        elif name == "usd_per_request":
            yield name, per_million(_number(cell), 0)
        elif name in _WHOLE:
            yield name, int(cell) if cell.isdecimal() else cell
        elif name in _AS_WRITTEN:
            yield name, cell
    yield "usd_per_million", rates


def _number(cell: str) -> Decimal | str:
    return Decimal(cell) if _NUMBER.fullmatch(cell) else cell
