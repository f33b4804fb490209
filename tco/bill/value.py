"""A value of a bill: exact numbers and moments in UTC, checked as they are read."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal
from functools import lru_cache

from tco.quantity import shown
from tco.traffic.error import TrafficError

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?")
_LARGEST = Decimal("1e15")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LEAST_EPOCH_MS = 100_000_000_000
_LATEST_S = 4_102_444_800  # 2100-01-01


def number(raw: object, key: str) -> Decimal | None:
    """Return a finite number exactly as written; None for nothing.

    Raises:
        TrafficError: text that is no plain number, or one beyond 1e15.
    """
    if raw is None or raw == "":
        return None
    if isinstance(raw, str) and _NUMBER.fullmatch(raw.strip()):
        found = Decimal(raw.strip())
    elif isinstance(raw, int | Decimal) and not isinstance(raw, bool):
        found = Decimal(raw)
    else:
        raise TrafficError(
            f"must be a plain number, got {shown(raw)}",
            key=key,
            remedy="write it with a decimal point, without currency sign or thousands separator",
        )
    if abs(found) > _LARGEST:
        raise TrafficError(f"must be at most 1e15 in size, got {shown(raw)}", key=key)
    return found


def count(raw: object, key: str) -> Decimal | None:
    """Return a count, 0 included; None for nothing.

    Raises:
        TrafficError: no number, or one below 0.
    """
    found = number(raw, key)
    if found is not None and found < 0:
        raise TrafficError(f"must be 0 or more, got {shown(raw)}", key=key)
    return found


def check_currency(raw: object, key: str) -> None:
    """See that money is USD.

    Raises:
        TrafficError: it is another currency.
    """
    if raw is not None and str(raw).upper() != "USD":
        raise TrafficError(
            f"is in {str(raw).upper()[:20]}, and a bill is read in USD alone",
            key=key,
            remedy="export it in USD, or state its prices as an alternative",
        )


def moment_s(raw: object, key: str) -> int:
    """Return a moment as whole seconds since 1970: a day, date and time, or Unix time; UTC.

    Raises:
        TrafficError: none of these.
    """
    found = _seconds(raw.strip() if isinstance(raw, str) else raw)
    if found is None or not 0 <= found <= _LATEST_S:
        raise TrafficError(
            f"must be a day (YYYY-MM-DD), a date and time, or Unix time, got {shown(raw)}", key=key
        )
    return found


@lru_cache(maxsize=4096)
def _seconds(raw: object) -> int | None:
    if isinstance(raw, str) and not _NUMBER.fullmatch(raw):
        return _iso_seconds(raw)
    if isinstance(raw, bool) or not isinstance(raw, int | Decimal | str):
        return None
    unix = int(Decimal(raw))
    return unix // 1000 if unix >= _LEAST_EPOCH_MS else unix


def _iso_seconds(text: str) -> int | None:
    # Spreadsheet exports write "… UTC"; the standard library takes "Z" and offsets alone.
    plain = text.removesuffix(" UTC").strip()
    if not _DAY.match(plain):
        return None
    try:
        moment = dt.datetime.fromisoformat(plain)
    except ValueError:
        return None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)).timestamp())
