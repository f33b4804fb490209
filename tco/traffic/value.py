"""A value of a traffic file: token counts, waits and times, checked as they are read.

Times are whole ticks of 100 ns, so that seven decimals of a second come out exactly.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from functools import lru_cache
from typing import Final

from tco.quantity import shown
from tco.traffic.error import TrafficError

TICKS_PER_S: Final = 10_000_000
_TICKS_PER_MS: Final = 10_000
_LARGEST_TOKENS = 100_000_000
_LARGEST_S = 1e9
# From 1973 on as milliseconds, up to the year 5138 as seconds.
_LEAST_EPOCH_MS = 1e11
_DIGITS = 7
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:[.,](\d{1,9}))? ?(Z|UTC|[+-]\d\d:?\d\d)?"
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def tokens(raw: object, key: str) -> int:
    """Return a count of tokens, 0 included.

    Raises:
        TrafficError: no whole number of 0 to 100 million.
    """
    if type(raw) is str and raw.isascii() and raw.isdigit() and len(raw) < 10:  # noqa: PLR2004  a quick way for nearly all
        count = int(raw)
    elif type(raw) is int:
        count = raw
    else:
        count = _whole(raw, key)
    if not 0 <= count <= _LARGEST_TOKENS:
        raise _not(f"a whole number of tokens from 0 to {_LARGEST_TOKENS:,}", raw, key)
    return count


def _whole(raw: object, key: str) -> int:
    number = _number(raw)
    if number is None or not number.is_integer():
        raise _not("a whole number of tokens", raw, key)
    return int(number)


def seconds(raw: object, key: str) -> float:
    """Return a duration in seconds, 0 included.

    Raises:
        TrafficError: no finite number from 0 on.
    """
    number = _number(raw)
    if number is None or not 0 <= number <= _LARGEST_S:
        raise _not("a number of seconds, 0 or more", raw, key)
    return number


def seconds_as_ticks(raw: object, key: str) -> int:
    """Return a time in seconds after the start as ticks."""
    return round(seconds(raw, key) * TICKS_PER_S)


def ms_as_ticks(raw: object, key: str) -> int:
    """Return a time in milliseconds after the start as ticks."""
    number = _number(raw)
    if number is None or not 0 <= number <= _LARGEST_S * 1000:
        raise _not("a number of milliseconds, 0 or more", raw, key)
    return round(number * _TICKS_PER_MS)


def clock_as_ticks(raw: object, key: str) -> int:
    """Return a moment as ticks since 1970: date and time (UTC if no zone is given), or Unix time.

    Unix time is in seconds, or in milliseconds where it is 1e11 or more.
    """
    if isinstance(raw, str):
        found = _TIME.fullmatch(raw.strip())
        if found:
            day, time, fraction, zone = found.groups()
            whole = _second(day, time, zone)
            if whole is None or whole < 0:
                raise _not("a date and time from 1970 on", raw, key)
            digits = (fraction or "")[:_DIGITS].ljust(_DIGITS, "0")
            return whole * TICKS_PER_S + int(digits)
    number = _number(raw)
    if number is None or not 0 <= number <= _LEAST_EPOCH_MS * 1000:
        raise _not("a date and time, or Unix time", raw, key)
    return round(number * (_TICKS_PER_MS if number >= _LEAST_EPOCH_MS else TICKS_PER_S))


@lru_cache(maxsize=64)
def _second(day: str, time: str, zone: str | None) -> int | None:
    offset = "+00:00" if zone in {None, "Z", "UTC"} else zone
    try:
        moment = dt.datetime.fromisoformat(f"{day}T{time}{offset}")
        return round((moment - _EPOCH).total_seconds())
    except (ValueError, OverflowError):
        return None


def _number(raw: object) -> float | None:
    """Return a finite number, of text or JSON; None for anything else."""
    if isinstance(raw, str):
        text = raw.strip()
        raw = float(text) if _NUMBER.fullmatch(text) else None
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        return None
    try:
        number = float(raw)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _not(rule: str, raw: object, key: str) -> TrafficError:
    return TrafficError(f"must be {rule}, got {_shown(raw)}", key=key)


def _shown(raw: object) -> str:
    return "nothing" if raw == "" else shown(raw)
