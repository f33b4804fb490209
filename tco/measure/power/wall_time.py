"""The times of a wall meter's export, as ns since 1970."""

from __future__ import annotations

import datetime as dt
import re

from tco.units import NS_PER_S

# A number is seconds, milliseconds, microseconds or nanoseconds since 1970, by its size:
# each unit's numbers of the years 2001 to 2286 lie in one power of a thousand.
_PER_UNIT_NS = ((1e9, NS_PER_S), (1e12, 1_000_000), (1e15, 1_000), (1e18, 1))
_LARGEST_STEP = 10.0
_NUMBER = re.compile(r"\d+(\.\d+)?")
_GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)")
_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(.*)")
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def unix_ns(text: str, zone: dt.tzinfo) -> tuple[int, bool]:
    """Return a time in ns since 1970, and whether it took the zone because it states none.

    ISO 8601, `2026/12/02 …`, `02.12.2026 …`, or a number since 1970.

    Raises:
        ValueError: it is none of these.
    """
    text = text.strip()
    if _NUMBER.fullmatch(text):
        return _from_number(text), False
    if german := _GERMAN.fullmatch(text):
        text = f"{german[3]}-{german[2]:0>2}-{german[1]:0>2}{german[4]}"
    elif slashed := _SLASHED.fullmatch(text):
        text = f"{slashed[1]}-{slashed[2]:0>2}-{slashed[3]:0>2}{slashed[4]}"
    moment = dt.datetime.fromisoformat(text.removesuffix(" UTC") + "Z" * text.endswith(" UTC"))
    is_bare = moment.tzinfo is None
    since = (moment.replace(tzinfo=zone) if is_bare else moment).astimezone(dt.UTC) - _EPOCH
    return (since // dt.timedelta(microseconds=1)) * 1000, is_bare


def _from_number(text: str) -> int:
    for least, unit_ns in _PER_UNIT_NS:
        if least <= float(text) < least * _LARGEST_STEP:
            whole, _, rest = text.partition(".")
            return int(whole) * unit_ns + (round(float(f"0.{rest}") * unit_ns) if rest else 0)
    raise ValueError(text)
