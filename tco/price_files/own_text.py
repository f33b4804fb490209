"""Offers written as a table of our own, and read back before anything is kept."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from tco.errors import InputError
from tco.price_files.own import SCHEMA, PriceFile
from tco.price_row import Offer, PriceRow
from tco.yamlfile import MAX_BYTES
from tco.yamltree import parse_yaml


def own_text(provider: str, offers: Sequence[Offer], comments: Sequence[str] = ()) -> str:
    """Return the YAML of one provider's offers, each of which has a date.

    Raises:
        InputError: it would be larger than a table may be, or would not read back the same.
    """
    lines = [f"# {line}" for comment in comments for line in comment.splitlines()]
    lines += [f"schema: {SCHEMA}", f"provider: {_text(provider)}", "offers:"]
    lines += [line for offer in offers for line in _offer(offer)]
    text = "\n".join(lines) + "\n"
    if len(text.encode()) > MAX_BYTES:
        raise InputError(
            f"{len(offers)} offers make a table larger than {MAX_BYTES >> 20} MiB",
            remedy="take fewer of them with --model",
        )
    read = PriceFile.model_validate(parse_yaml(text, provider).root)
    if [one.model_dump() for one in read.offers] != [one.model_dump() for one in offers]:
        raise InputError("the offers cannot be written so that they read back the same")
    return text


def _offer(offer: Offer) -> Iterator[str]:
    yield f"  - model: {_text(offer.model)}"
    if offer.weights is not None:
        yield f"    weights: {_text(offer.weights)}"
    yield f"    source: {_text(offer.source)}"
    yield f"    date: {offer.date}"
    yield "    prices:"
    for row in offer.prices:
        first, *others = _row(row)
        yield f"      - {first}"
        yield from (f"        {other}" for other in others)


def _row(row: PriceRow) -> Iterator[str]:
    rates = row.usd_per_million.model_dump(exclude_none=True)
    yield f"usd_per_million: {_flow(rates)}"
    given: Mapping[str, Any] = row.model_dump(
        by_alias=True, exclude={"usd_per_million"}, exclude_defaults=True
    )
    for key, value in given.items():
        yield f"{key}: {_flow(value)}"


def _flow(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_flow(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dt.datetime | dt.time):
        return f'"{value.isoformat()}"'
    return str(value)


def _text(text: str) -> str:
    """Return the text in YAML's double quotes, of which JSON's are a part."""
    return json.dumps(text, ensure_ascii=False)
