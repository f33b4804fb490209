"""The records of an export, flat and with lower-case keys, whether it is JSON or CSV."""

from __future__ import annotations

import csv
import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NoReturn

from tco.quantity import shown
from tco.traffic.error import TrafficError

Record = Mapping[str, Any]

_DELIMITERS = ",;\t"
_RESULTS = ("results", "result")
# A log's column of JSON in a CSV: it holds what was cached.
_JSON_COLUMNS = ("metadata",)


@dataclass(slots=True)
class Records:
    """Iterates over the records of an export's lines.

    Attributes:
        has_more: whether its last page says that others follow.
    """

    lines: Iterable[str]
    has_more: bool = field(default=False)

    def __iter__(self) -> Iterator[Record]:
        """Yield each record: a CSV row, a JSON object, or one result of a bucket of time.

        A bucket without results is a record of its times alone.

        Raises:
            TrafficError: neither JSON nor CSV.
        """
        text = iter(self.lines)
        first = next((line for line in text if line.strip()), None)
        if first is None:
            raise TrafficError("is empty", remedy="export it again")
        if first.lstrip()[0] in "{[":
            yield from self._of_json(first, text)
        else:
            yield from _of_table(first, text)

    def _of_json(self, first: str, rest: Iterator[str]) -> Iterator[Record]:
        try:
            whole = _DECODER.decode(first)
        except (ValueError, RecursionError):
            # Not one object a line, so one document over many lines.
            yield from self._of(_decoded(first + "".join(rest)))
            return
        yield from self._of(whole)
        for line in rest:
            if line.strip():
                yield from self._of(_decoded(line))

    def _of(self, node: object) -> Iterator[Record]:
        """Yield the records of a page, a list, a bucket or an object."""
        if isinstance(node, list):
            for item in node:
                yield from self._of(item)
            return
        if not isinstance(node, dict):
            raise TrafficError(
                f"must hold JSON objects, got {shown(node)}", remedy="export it again"
            )
        if isinstance(node.get("data"), list):
            self.has_more = node.get("has_more") is True
            yield from self._of(node["data"])
            return
        inner = next((node[key] for key in _RESULTS if isinstance(node.get(key), list)), None)
        if inner is None:
            yield _flat(node)
            return
        times = _flat({key: value for key, value in node.items() if key not in _RESULTS})
        for result in inner:
            yield {**times, **_flat(result)}
        if not inner:
            yield times


def _flat(node: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Return the object's own values and those below it, by dotted lower-case keys."""
    if not isinstance(node, Mapping):
        raise TrafficError(f"must hold JSON objects, got {shown(node)}", remedy="export it again")
    out: dict[str, Any] = {}
    for name, value in node.items():
        key = f"{above}{name}".lower()
        below = _embedded(value) if name in _JSON_COLUMNS else value
        if isinstance(below, dict):
            out |= _flat(below, f"{key}.")
        elif not isinstance(below, list):
            out[key] = below
    return out


def _embedded(value: object) -> object:
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    try:
        return _DECODER.decode(value)
    except (ValueError, RecursionError):
        return value


def _of_table(header: str, text: Iterator[str]) -> Iterator[Record]:
    if "\r" in header.rstrip("\r\n"):
        raise TrafficError("ends its lines with CR alone", remedy="save it with LF, or CR LF")
    delimiter = max(_DELIMITERS, key=header.count)
    rows = csv.reader(itertools.chain([header], text), delimiter=delimiter, strict=True)
    try:
        names = [name.strip().lower() for name in next(rows)]
        _check_names(names)
        for row in rows:
            if not row:
                continue
            if len(row) != len(names):
                raise TrafficError(f"has {len(row)} columns, and the header {len(names)}")
            yield _of_row(names, row)
    except csv.Error as error:
        raise TrafficError(f"is not CSV: {error}", remedy="check the quotes on this line") from None


def _of_row(names: Sequence[str], row: Sequence[str]) -> Record:
    record: dict[str, Any] = {
        name: text.strip() or None for name, text in zip(names, row, strict=True)
    }
    for name in _JSON_COLUMNS:
        below = _embedded(record.get(name))
        if isinstance(below, dict):
            record |= _flat(below, f"{name}.")
    return record


def _check_names(names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise TrafficError(f"has the column {shown(twice)} twice")


def _decoded(text: str) -> object:
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise TrafficError(
            f"is not JSON: {reason[:1].lower()}{reason[1:]}", remedy="export it again"
        ) from None


def _no_constant(text: str) -> NoReturn:
    raise ValueError(text)


# Amounts are kept as written; NaN and Infinity are no JSON.
_DECODER = json.JSONDecoder(parse_float=Decimal, parse_constant=_no_constant)
