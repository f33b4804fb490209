"""The columns of a wall meter's export: which hold time, watts and energy, by their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tco.errors import InputError
from tco.measure.power.series import Kind
from tco.units import SECONDS_PER_HOUR, W_PER_KW

# Names as `_parts` leaves them: small letters, `_` between words, the unit taken off.
_TIMES = {
    "time", "timestamp", "datetime", "date_time", "date", "ts", "epoch", "unixtime", "unix_time",
    "time_stamp", "created_at", "logged_at",
}  # fmt: skip
_CLOCK = "time"  # beside a `date`
_POWERS = {
    "power", "apower", "watt", "watts", "active_power", "activepower", "real_power", "total_power",
    "total_active_power", "total_act_power", "act_power", "energy_power", "power_usage", "w", "kw",
}  # fmt: skip
_COUNTERS = {
    "energy", "total", "energy_total", "total_energy", "aenergy_total", "active_energy",
    "total_active_energy", "energy_counter", "kwh", "wh",
}  # fmt: skip
WATTS = {"w": 1.0, "watt": 1.0, "watts": 1.0, "kw": float(W_PER_KW), "mw": 1 / W_PER_KW}
JOULES = {"wh": float(SECONDS_PER_HOUR), "kwh": float(SECONDS_PER_HOUR * W_PER_KW)}
# Counters whose unit the maker states elsewhere: Shelly (Gen2 API) and Tasmota (its SENSOR topic).
_KNOWN_COUNTERS = {"aenergy_total": "wh", "energy_total": "kwh", "kwh": "kwh", "wh": "wh"}
_UNIT = re.compile(r"^(.*?)\s*[(\[]\s*([^)\]]*?)\s*[)\]]$")
_SUFFIX = re.compile(r"^(.+)_(kwh|wh|kw|mw|w|utc)$")


@dataclass(frozen=True, slots=True)
class Value:
    """A column of numbers: where it stands, what one is in watts, or in joules, and which."""

    index: int
    unit: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Columns:
    """Where time and power or energy stand.

    Attributes:
        time: the column of the time, or those of the date and of the time of day.
        says_utc: the header says that times are UTC.
        value: the watts, or else the counter.
        count: how many columns there are.
    """

    time: tuple[int, ...]
    says_utc: bool
    value: Value
    count: int


def columns(header: Sequence[str], file: str, line: int) -> Columns:
    """Return what the columns are; watts are taken before a counter, which has coarser steps.

    Raises:
        InputError: none holds a time, or none watts or a cumulative counter, or two do.
    """
    parts = [_parts(name) for name in header]
    time = _time(parts)
    powers = [_power(i, *part) for i, part in enumerate(parts)]
    counters = [_counter(i, *part) for i, part in enumerate(parts)]
    power, counter = (
        _only([value for value in values if value], header, file, line)
        for values in (powers, counters)
    )
    value = power or counter
    if not time or value is None:
        lacks = "watts or a cumulative counter in kWh or Wh" if time else "a time"
        raise InputError(
            f"no column is {lacks}; the header is {', '.join(header)}",
            file=file,
            line=line,
            remedy="name one `time`, and one `power (W)` or `energy (kWh)`",
        )
    says_utc = any(parts[i][1] == "utc" for i in time)
    return Columns(time, says_utc, value, len(header))


def _parts(name: str) -> tuple[str, str | None]:
    """Return a header's name and unit: `Active Power [W]` is `active_power`, `w`."""
    # A million watts is no unit of a wall meter; small letters would make it a thousandth of one.
    text, unit = name.strip().replace("MW", "megawatts").lower(), None
    if bracketed := _UNIT.match(text):
        text, unit = bracketed[1], bracketed[2] or None
    text = re.sub(r"[\s.:/-]+", "_", text).strip("_")
    suffixed = _SUFFIX.match(text)
    if unit is None and suffixed:
        return suffixed[1], suffixed[2]
    return text, unit


def _time(parts: Sequence[tuple[str, str | None]]) -> tuple[int, ...]:
    names = [name for name, _ in parts]
    if "date" in names and _CLOCK in names:
        return names.index("date"), names.index(_CLOCK)
    return next(((i,) for i, name in enumerate(names) if name in _TIMES), ())


def _power(index: int, name: str, unit: str | None) -> Value | None:
    if name not in _POWERS:
        return None
    watts = WATTS.get(unit or ("kw" if name == "kw" else "w"))
    return None if watts is None else Value(index, watts, "power")


def _counter(index: int, name: str, unit: str | None) -> Value | None:
    if name not in _COUNTERS:
        return None
    joules = JOULES.get(unit or _KNOWN_COUNTERS.get(name, ""))
    return None if joules is None else Value(index, joules, "counter")


def _only(found: Sequence[Value], header: Sequence[str], file: str, line: int) -> Value | None:
    if len(found) > 1:
        names = " and ".join(header[value.index] for value in found)
        raise InputError(
            f"{names} could each be the server's",
            file=file,
            line=line,
            remedy="keep the one that is, and rename or drop the others",
        )
    return found[0] if found else None
