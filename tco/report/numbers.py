"""Numbers as they are printed: with their unit, and as many digits as are worth reading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tco.measurement import Interval

NBSP = "\u00a0"
MINUS = "\u2212"
_PERCENT = 100
_SIGN = f"{NBSP}%"
# Half of the last digit printed; what a sum may be off by in the arithmetic of doubles.
_HALF_A_TENTH = 0.0005
_ROUNDING = 1e-12
_WHOLE_FROM = 1000
_WHOLE_PERCENT_FROM = 10
_MOST_DECIMALS = 8
_MILLION, _MILLIONS_FROM = 1e6, 1e8


def percent(share: float) -> str:
    """Return a share (0 to 1) as percent: `65.9 %`, `100 %`, `−12.5 %`, `−1,202 %`.

    Only all is `100 %` and only nothing `0 %`; what rounds to them is `>99.9 %` or `<0.1 %`.
    """
    decimals = 0 if abs(share) >= _WHOLE_PERCENT_FROM else 1
    rounded = round(share * _PERCENT, decimals) + 0.0
    return _nearly(share) or _signed(f"{rounded:,.{decimals}f}".removesuffix(".0")) + _SIGN


def tenth_percent(share: float) -> str:
    """Return a share as percent, always with one decimal, for a column that aligns on the point."""
    return _nearly(share) or _signed(f"{round(share * _PERCENT, 1) + 0.0:,.1f}") + _SIGN


def _nearly(share: float) -> str | None:
    size = abs(share)
    sign = MINUS if share < 0 else ""
    if _ROUNDING < size < _HALF_A_TENTH:
        return f"{sign}<0.1{_SIGN}"
    if _ROUNDING < 1 - size <= _HALF_A_TENTH:
        return f"{sign}>99.9{_SIGN}"
    return None


def times(own_to_other: float) -> str:
    """Return a ratio as the words `3.2 times`."""
    return f"{_digits(own_to_other, 2)} times"


def usd(amount_usd: float) -> str:
    """Return money: `$12,345`, `$12.50`, `$0.0579`, `−$3.20`."""
    size = abs(amount_usd)
    if size >= _WHOLE_FROM:
        body = f"{size:,.0f}"
    elif size >= 1 or size == 0:
        body = f"{size:,.2f}".removesuffix(".00")
    else:
        body = f"{size:.{decimals_for(size, 3)}f}"
    sign = MINUS if amount_usd < 0 and body != "0" else ""
    return f"{sign}${body}"


def short_usd(amount_usd: float) -> str:
    """Return money for a narrow place: as `usd`, and from 100 million on `$123.5 million`."""
    if abs(amount_usd) < _MILLIONS_FROM:
        return usd(amount_usd)
    sign = MINUS if amount_usd < 0 else ""
    return f"{sign}${_digits(abs(amount_usd) / _MILLION, 4)} million"


def usd_column(amounts_usd: Sequence[float | None], absent: str = "none") -> tuple[str, ...]:
    """Return money with one number of decimals, so that a right-set column aligns on the point."""
    return tuple(
        text if amount is None else f"{MINUS}${text[1:]}" if text[0] == MINUS else f"${text}"
        for amount, text in zip(amounts_usd, amount_column(amounts_usd, absent), strict=True)
    )


def amount_column(amounts: Sequence[float | None], absent: str = "none") -> tuple[str, ...]:
    """Return amounts of any currency with one number of decimals, without its sign."""
    decimals = _column_decimals([abs(amount) for amount in amounts if amount])
    return tuple(
        absent if amount is None else _signed(f"{round(amount, decimals) + 0.0:,.{decimals}f}")
        for amount in amounts
    )


def number(value: float, digits: int = 4) -> str:
    """Return a bare number with that many significant digits: `11,840`, `786.9`, `0.051`."""
    return _signed(_digits(value, digits))


def exact(value: float) -> str:
    """Return a number as it was stated, with a separator of thousands: `96,995.99`."""
    text = f"{value:.12g}"
    return _signed(text if "e" in text else f"{value:,.{_decimals_of(text)}f}")


def count(value: float) -> str:
    """Return a whole count: `1,234`."""
    return _signed(f"{value:,.0f}")


def years(value: float) -> str:
    """Return a span in years: `1.8 years`, `1 year`."""
    text = _digits(value, 2)
    return f"{text}{NBSP}{'year' if text == '1' else 'years'}"


def several(amount: float, noun: str) -> str:
    """Return an amount of something: `1 day`, `2.5 days`, `1,234 days`."""
    text = _signed(_digits(amount, 4))
    return f"{text} {noun}" if text == "1" else f"{text} {noun}s"


def signed_percent(change: float) -> str:
    """Return a change (a share of either sign) with its sign and one decimal: `−25.0 %`."""
    return _signed(f"{_PERCENT * change:+.1f}{_SIGN}")


def gain_percent(ratio: float) -> str:
    """Return what a ratio gains: `+3.0 %` of 1.03."""
    return signed_percent(ratio - 1)


def gain_interval(interval: Interval | None) -> str:
    """Return the same of a ratio's interval: `+1.0 % to +5.0 %`; nothing where there is none."""
    if interval is None:
        return ""
    return f"{gain_percent(interval.low)} to {gain_percent(interval.high)}"


def gain_and_interval(ratio: float | None, interval: Interval | None) -> str:
    """Return a gain, and its interval in brackets; nothing where there is no ratio."""
    if ratio is None:
        return ""
    held = gain_interval(interval)
    return gain_percent(ratio) + (f" ({held})" if held else "")


def decimals_for(size: float, digits: int) -> int:
    """Return the decimals that show a positive number with that many significant digits."""
    if size <= 0:
        return 0
    return min(max(digits - 1 - math.floor(math.log10(size)), 0), _MOST_DECIMALS)


def _digits(value: float, digits: int) -> str:
    text = f"{value:,.{decimals_for(abs(value), digits)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _decimals_of(text: str) -> int:
    return len(text.partition(".")[2])


def _column_decimals(sizes: Sequence[float]) -> int:
    if not sizes or max(sizes) >= _WHOLE_FROM:
        return 0
    finest = decimals_for(min(sizes), 3)
    return max(2, finest) if finest else 2


def _signed(text: str) -> str:
    return text.replace("-", MINUS)
