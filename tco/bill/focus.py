"""A row of FOCUS, the FinOps Foundation's specification of cost and usage (versions 1.x).

A row is one charge: money for a period, and where it is usage a quantity with its unit. What
the tokens are (input, output, cached) stands in words alone, as the cloud names its meters.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from tco.bill.records import Record
from tco.bill.row import Row
from tco.bill.value import check_currency, count, moment_s, number

FOCUS_NEEDS = ("billedcost", "chargeperiodstart", "chargeperiodend", "billingcurrency")
_UNIT = re.compile(r"(1|10|100|1000|1,000)?\s*(k|m|thousands?|millions?)?\s*tokens?", re.IGNORECASE)
_SCALE = {"k": 1_000, "t": 1_000, "m": 1_000_000}
_WORDS = (
    "skumeter", "x_skumetername", "chargedescription", "skuid", "skupriceid", "resourcename",
)  # fmt: skip
_CACHED = re.compile(r"cach", re.IGNORECASE)
_WRITE = re.compile(r"writ|creat", re.IGNORECASE)
_OUTPUT = re.compile(r"(?<![a-z])(output|outp|opt|out|completion)s?(?![a-z])", re.IGNORECASE)
_INPUT = re.compile(r"(?<![a-z])(input|inp|in|prompt)s?(?![a-z])", re.IGNORECASE)


def focus_row(record: Record) -> Row:
    """Return a charge as a row: its billed cost, and its tokens where its unit is tokens.

    Raises:
        TrafficError: a value that is not what its column stands for, or another currency.
    """
    check_currency(record["billingcurrency"], "BillingCurrency")
    tokens = _tokens(record)
    words = _named(record)
    kinds: dict[str, Any] = {} if tokens is None else _kinds(tokens, words)
    meter = next((str(record[key]) for key in _WORDS if record.get(key)), None)
    service = record.get("servicename")
    return Row(
        start_s=moment_s(record["chargeperiodstart"], "ChargePeriodStart"),
        end_s=moment_s(record["chargeperiodend"], "ChargePeriodEnd"),
        model="/".join(str(part) for part in (service, meter) if part) or None,
        usd=number(record["billedcost"], "BilledCost"),
        effective_usd=number(record.get("effectivecost"), "EffectiveCost"),
        **kinds,
    )


def _tokens(record: Record) -> Decimal | None:
    """Return the tokens that were consumed; None where the unit is another."""
    unit = str(record.get("consumedunit") or "").strip()
    found = _UNIT.fullmatch(unit)
    if found is None:
        return None
    times, scale = found.groups()
    size = int((times or "1").replace(",", "")) * _SCALE.get((scale or "x")[0].lower(), 1)
    quantity = count(record.get("consumedquantity"), "ConsumedQuantity")
    return None if quantity is None else quantity * size


def _named(record: Record) -> str:
    return " ".join(str(record[key]) for key in _WORDS if record.get(key))


def _kinds(tokens: Decimal, words: str) -> dict[str, Any]:
    """Return the tokens under what the charge's words say they are."""
    if _CACHED.search(words):
        write = _WRITE.search(words) is not None
        return {
            "input_tokens": tokens,
            ("cache_write_tokens" if write else "cached_tokens"): tokens,
        }
    is_output, is_input = _OUTPUT.search(words), _INPUT.search(words)
    if (is_output is None) == (is_input is None):
        return {"unclear_tokens": tokens}
    return {"output_tokens" if is_output else "input_tokens": tokens}
