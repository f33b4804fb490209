"""What cannot be right in one offer, or must be known before it is used."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from tco.finding import Finding, Severity
from tco.price_files.table import ListedOffer, plain
from tco.price_row import PRICE_MAX_AGE_DAYS, PriceRow, Rates

# USD per million tokens: the cheapest text sold is above a tenth of a cent, the dearest at 600.
LOWEST_USD, HIGHEST_USD = Decimal("0.001"), Decimal(2000)
# Tables that differ by this much hold other units (cents are 100), not other prices.
UNIT_RATIO: Final = 50
# Tables that round, or convert from another unit, are this close.
_ROUNDING: Final = Decimal("0.01")
_LOCAL: Final = frozenset(
    (
        "hosted_vllm",
        "llamafile",
        "lm_studio",
        "local",
        "ollama",
        "ollama_chat",
        "vllm",
        "xinference",
    )
)


def kind_of_zero(name: str) -> str:
    """Return what a price of nothing of `provider/model` means, as far as its name tells.

    One of `free`, `trial`, `local` (it runs on one's own machine) and `unknown`.
    """
    provider, _, model = name.casefold().partition("/")
    if provider in _LOCAL:
        return "local"
    for word in ("free", "trial"):
        if model.endswith((f":{word}", f"-{word}")):
            return word
    return "unknown"


def offer_findings(listed: ListedOffer, at: dt.datetime) -> Iterator[Finding]:
    """Yield what must be said of one offer at a moment."""
    yield from _units(listed)
    yield from _validity(listed, at)
    yield from _age(listed, at.date())
    yield from _masked(listed)
    rows = _in_force(listed, at)
    if rows:
        yield from _services(listed, rows[-1].usd_per_million, at)


def said(
    kind: str,
    severity: Severity,
    listed: ListedOffer,
    message: str,
    advice: str,
    *,
    value: float | None = None,
    limit: float | None = None,
) -> Finding:
    """Return a finding on an offer, with the table and the name that it stands under."""
    path = f"{listed.table}: {listed.name}"
    return Finding.of(kind, severity, path, message, advice, value=value, limit=limit)


def _units(listed: ListedOffer) -> Iterator[Finding]:
    for row in listed.offer.prices:
        for name in ("input", "output"):
            rate: Decimal = getattr(row.usd_per_million, name)
            if 0 < rate < LOWEST_USD or rate > HIGHEST_USD:
                wrong = (
                    "what one token costs, or a thousand"
                    if rate < LOWEST_USD
                    else "more than any text costs"
                )
                limit = LOWEST_USD if rate < LOWEST_USD else HIGHEST_USD
                yield said(
                    "price_unit", "invalid", listed,
                    f"asks {plain(rate):f} USD for a million {name} tokens, which is {wrong}",
                    "write USD per million tokens", value=float(rate), limit=float(limit),
                )  # fmt: skip
                return
    if not any(
        row.usd_per_million.input or row.usd_per_million.output for row in listed.offer.prices
    ):
        kind = kind_of_zero(listed.name)
        yield said(
            "price_is_zero", "warn", listed, f"asks nothing ({kind})",
            "no saving is computed against it; compare with a paid row",
        )  # fmt: skip
    elif not any(row.usd_per_million.output for row in listed.offer.prices):
        yield said(
            "output_is_free", "warn", listed,
            "asks nothing for output: an embedding or a classifier, or half of a price",
            "compare with it only if the provider's page says so",
        )  # fmt: skip


def _validity(listed: ListedOffer, at: dt.datetime) -> Iterator[Finding]:
    rows = [row for row in listed.offer.prices if row.service == "standard"]
    later = [row.valid_from for row in rows if row.valid_from is not None and row.valid_from > at]
    running = [row for row in rows if row.valid_to is None or row.valid_to > at]
    if rows and not running:
        last = max(row.valid_to for row in rows if row.valid_to is not None)
        yield said(
            "price_expired", "warn", listed, f"has no price after {last:%Y-%m-%d}",
            "look the new price up",
        )  # fmt: skip
    elif later and len(later) == len(running):
        yield said(
            "price_not_yet", "warn", listed, f"has no price before {min(later):%Y-%m-%d}",
            "state the price until then, or a later date in the scenario",
        )  # fmt: skip
    elif later:
        yield said(
            "price_will_change", "info", listed, f"changes its price on {min(later):%Y-%m-%d}",
            "compare on a date after it too",
        )  # fmt: skip


def _age(listed: ListedOffer, date: dt.date) -> Iterator[Finding]:
    seen = listed.offer.date
    if seen is None:
        return
    age_days = (date - seen).days
    if age_days > PRICE_MAX_AGE_DAYS:
        yield said(
            "price_is_old", "warn", listed,
            f"was last checked on {seen}, {age_days} days before {date}",
            "check it on the provider's page", value=age_days, limit=PRICE_MAX_AGE_DAYS,
        )  # fmt: skip
    elif age_days < 0:
        yield said(
            "price_of_the_future", "warn", listed, f"was checked on {seen}, which is yet to come",
            "write the day on which the price was seen", value=age_days, limit=0,
        )  # fmt: skip


def _masked(listed: ListedOffer) -> Iterator[Finding]:
    """A row before one of the same service without any condition never holds."""
    rows = listed.offer.prices
    for index, row in enumerate(rows):
        after = [each for each in rows[index + 1 :] if each.service == row.service]
        if any(_conditions(each) == (None, None, None, None, ()) for each in after):
            yield said(
                "row_never_holds", "warn", listed,
                f"has a price, number {index + 1}, that never holds: a later one always does",
                "put the price without conditions first",
            )  # fmt: skip
            return


def _conditions(row: PriceRow) -> tuple[object, ...]:
    return row.context_gt, row.context_ge, row.valid_from, row.valid_to, row.windows_utc


def _services(listed: ListedOffer, standard: Rates, at: dt.datetime) -> Iterator[Finding]:
    cached = standard.cached_input
    if cached is not None and cached > standard.input:
        yield said(
            "cached_above_input", "warn", listed,
            f"asks more for cached input ({cached}) than for fresh ({standard.input})",
            "check both on the provider's page", value=float(cached), limit=float(standard.input),
        )  # fmt: skip
    for service in ("batch", "flex"):
        rows = [row for row in listed.offer.prices if row.service == service]
        rows = [row for row in rows if row.in_force(at) and row.takes_context(1)]
        if rows and rows[-1].usd_per_million.output > standard.output:
            rate, other = rows[-1].usd_per_million.output, standard.output
            yield said(
                "service_above_standard", "warn", listed,
                f"asks more for {service} output ({rate}) than for standard ({other})",
                "check both on the provider's page", value=float(rate), limit=float(other),
            )  # fmt: skip


def _in_force(listed: ListedOffer, at: dt.datetime) -> list[PriceRow]:
    """Return the standard rows that price a small request."""
    try:
        return [row for row in listed.offer.rows("standard", at) if row.takes_context(1)]
    except LookupError:
        return []


def disagreement(listed: ListedOffer, other: ListedOffer, at: dt.datetime) -> Iterator[Finding]:
    """Compare what both ask for a small request; far apart, it is another unit."""
    here, there = _in_force(listed, at), _in_force(other, at)
    if not here or not there:
        return
    for name in ("input", "cached_input", "output"):
        mine = getattr(here[-1].usd_per_million, name)
        theirs = getattr(there[-1].usd_per_million, name)
        if mine is None or theirs is None or abs(mine - theirs) <= _ROUNDING * max(mine, theirs):
            continue
        far = bool(mine and theirs) and not 1 / UNIT_RATIO < float(mine / theirs) < UNIT_RATIO
        yield said(
            "price_unit" if far else "price_disagreement",
            "invalid" if far else "warn",
            listed,
            f"asks {mine} USD per million {name.replace('_', ' ')} tokens where {other.table} "
            f"says {theirs}",
            "check the unit" if far else "check both on the provider's page",
            value=float(mine), limit=float(theirs),
        )  # fmt: skip
        return
