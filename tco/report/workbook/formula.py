"""A Term is a piece of a formula: the text that a spreadsheet reads, and the value it has now.

Terms are built from other terms with Python's operators, so that a formula and the value that
is stored beside it cannot differ. Where a spreadsheet would show an error the value is NaN.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Value = float | str | bool | Floats

# How tightly an operator binds, as in a spreadsheet.
_COMPARE, _JOIN, _ADD, _MULTIPLY, _POWER, _ATOM = 1, 2, 3, 4, 5, 9
# Less than this off a whole number is a rounding error; the economics take off the same.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """A formula's text without its equals sign, its value, and how tightly its operator binds."""

    text: str
    value: Value
    binds: int = _ATOM

    def __add__(self, other: Operand) -> Term:
        return _joined(self, "+", other, _ADD)

    def __radd__(self, other: Operand) -> Term:
        return term(other) + self

    def __sub__(self, other: Operand) -> Term:
        return _joined(self, "-", other, _ADD)

    def __rsub__(self, other: Operand) -> Term:
        return term(other) - self

    def __mul__(self, other: Operand) -> Term:
        return _joined(self, "*", other, _MULTIPLY)

    def __rmul__(self, other: Operand) -> Term:
        return term(other) * self

    def __truediv__(self, other: Operand) -> Term:
        return _joined(self, "/", other, _MULTIPLY)

    def __rtruediv__(self, other: Operand) -> Term:
        return term(other) / self

    def __pow__(self, other: Operand) -> Term:
        return _joined(self, "^", other, _POWER)

    def __rpow__(self, other: Operand) -> Term:
        return term(other) ** self

    def __neg__(self) -> Term:
        # A spreadsheet lets a sign bind tighter than a power: always in brackets.
        return Term(f"(-{_bracketed(self, _ATOM)})", -self.number())

    def __lt__(self, other: Operand) -> Term:
        return _joined(self, "<", other, _COMPARE)

    def __le__(self, other: Operand) -> Term:
        return _joined(self, "<=", other, _COMPARE)

    def __gt__(self, other: Operand) -> Term:
        return _joined(self, ">", other, _COMPARE)

    def __ge__(self, other: Operand) -> Term:
        return _joined(self, ">=", other, _COMPARE)

    def is_(self, other: Operand) -> Term:
        """Return whether both are equal."""
        return _joined(self, "=", other, _COMPARE)

    def is_not(self, other: Operand) -> Term:
        """Return whether they differ."""
        return _joined(self, "<>", other, _COMPARE)

    def then(self, other: Operand) -> Term:
        """Return both as one text."""
        right = term(other)
        text = f"{_bracketed(self, _JOIN)}&{_bracketed(right, _JOIN + 1)}"
        return Term(text, _words(self.value) + _words(right.value), _JOIN)

    def number(self) -> float | Floats:
        """Return the value for arithmetic; a text has none."""
        if isinstance(self.value, str):
            return float("nan")
        return self.value


Operand = Term | float | str


def term(operand: Operand) -> Term:
    """Return a term as it is, a number or a text as a constant of a formula."""
    if isinstance(operand, Term):
        return operand
    if isinstance(operand, str):
        quoted = operand.replace('"', '""')
        return Term(f'"{quoted}"', operand)
    text = repr(operand).removesuffix(".0").upper()
    return Term(text if operand >= 0 else f"({text})", float(operand))


def if_(condition: Term, then: Operand, otherwise: Operand) -> Term:
    """Return one of two, by a condition on single values."""
    yes, no = term(then), term(otherwise)
    text = f"IF({condition.text},{yes.text},{no.text})"
    return Term(text, yes.value if condition.value else no.value)


def all_of(*conditions: Term) -> Term:
    """Return whether all conditions hold."""
    text = ",".join(each.text for each in conditions)
    return Term(f"AND({text})", all(each.value for each in conditions))


def any_of(*conditions: Term) -> Term:
    """Return whether one of the conditions holds; of none, no."""
    if not conditions:
        return Term("FALSE()", value=False)
    text = ",".join(each.text for each in conditions)
    return Term(f"OR({text})", any(each.value for each in conditions))


def is_number(each: Term) -> Term:
    """Return whether a value is a number, not a text such as "none"."""
    return Term(f"ISNUMBER({each.text})", not isinstance(each.value, str))


def least(*operands: Operand) -> Term:
    """Return the least of single numbers, or of one range; texts in a range do not count."""
    return _of_numbers("MIN", operands)


def largest(*operands: Operand) -> Term:
    """Return the largest, as `least`."""
    return _of_numbers("MAX", operands)


def total(*operands: Operand) -> Term:
    """Return the sum of numbers and ranges; texts in a range do not count."""
    return _of_numbers("SUM", operands)


def mean(range_: Term) -> Term:
    """Return the mean of a range of numbers."""
    return Term(f"AVERAGE({range_.text})", float(np.mean(range_.number())))


def how_many_numbers(range_: Term) -> Term:
    """Return how many entries of a range are numbers."""
    return Term(f"COUNT({range_.text})", float(np.sum(~np.isnan(range_.number()))))


def sum_of_products(each: Term) -> Term:
    """Return the sum over the rows of an arithmetic of ranges of one length."""
    return Term(f"SUMPRODUCT({each.text})", float(np.sum(each.number())))


def whole_below(operand: Term) -> Term:
    """Return the next whole number below, or itself."""
    return Term(f"INT({operand.text})", _whole(operand.number()))


def whole_above(operand: Term) -> Term:
    """Return the next whole number above, less a rounding error of 1e-9, of each entry."""
    return -whole_below(-(operand - _ROUNDING))


def with_rounding(operand: Term) -> Term:
    """Return the next whole number below, where a rounding error of 1e-9 is let pass."""
    return whole_below(operand + _ROUNDING)


def payment(rate: Term, periods: Term, paid: Term, left: Operand) -> Term:
    """Return the yearly payment for a sum, of which a residual is left: PMT with its signs turned.

    (P - S/(1+r)^n) x r(1+r)^n/((1+r)^n - 1); a rate of 0 spreads P - S evenly.
    """
    residual = term(left)
    text = f"PMT({rate.text},{periods.text},{(-paid).text},{residual.text})"
    r, n = float(_single(rate)), float(_single(periods))
    p, s = float(_single(paid)), float(_single(residual))
    if r == 0:
        return Term(text, (p - s) / n)
    grown = np.expm1(n * np.log1p(r))
    return Term(text, float((p - s / (1 + grown)) * r * (1 + grown) / grown))


def kth_smallest(range_: Term, place: int) -> Term:
    """Return the k-th smallest of a range, counted from 1."""
    values = np.sort(np.asarray(range_.number(), dtype=float))
    return Term(f"SMALL({range_.text},{place})", float(values[place - 1]))


def rounded(operand: Term, decimals: int) -> Term:
    """Return a number rounded half away from zero."""
    scale = 10.0**decimals
    value = float(_single(operand))
    nearest = np.copysign(np.floor(abs(value) * scale + 0.5) / scale, value)
    return Term(f"ROUND({operand.text},{decimals})", float(nearest))


def raised(base: Term, exponent: Term) -> Term:
    """Return a positive number to a power; what is too small for a double is 0, as in Python.

    LibreOffice's `^` is an error there.
    """
    text = f"EXP({_bracketed(exponent, _MULTIPLY)}*LN({base.text}))"
    with np.errstate(all="ignore"):
        found = np.exp(np.asarray(exponent.number(), float) * np.log(_single(base)))
    found = np.where(np.isfinite(found), found, np.nan)
    return Term(text, float(found) if found.ndim == 0 else found)


def root(operand: Term) -> Term:
    """Return the square root."""
    return Term(f"SQRT({operand.text})", float(np.sqrt(_single(operand))))


def sign(operand: Term) -> Term:
    """Return -1, 0 or 1."""
    return Term(f"SIGN({operand.text})", float(np.sign(_single(operand))))


def size(operand: Term) -> Term:
    """Return the amount without its sign, of each entry."""
    return Term(f"ABS({operand.text})", np.abs(operand.number()))


def picked(range_: Term, place: Term) -> Term:
    """Return the entry of a range at a place, counted from 1."""
    values = np.asarray(range_.number(), dtype=float)
    at = float(_single(place))
    value = float("nan") if np.isnan(at) else float(values[int(at) - 1])
    return Term(f"INDEX({range_.text},{place.text})", value)


def first_place(range_: Term, wanted: float) -> Term:
    """Return at which place of a range a value first stands, counted from 1."""
    values = np.asarray(range_.number(), dtype=float)
    places = np.flatnonzero(values == wanted)
    value = float(places[0] + 1) if len(places) else float("nan")
    return Term(f"MATCH({term(wanted).text},{range_.text},0)", value)


def how_many(range_: Term, wanted: float) -> Term:
    """Return how many entries of a range have a value."""
    values = np.asarray(range_.number(), dtype=float)
    text = f"COUNTIF({range_.text},{term(wanted).text})"
    return Term(text, float(np.sum(values == wanted)))


def _joined(left: Term, sign_: str, other: Operand, binds: int) -> Term:
    right = term(other)
    text = f"{_bracketed(left, binds)}{sign_}{_bracketed(right, binds + 1)}"
    return Term(text, _calculated(left, sign_, right), binds)


def _bracketed(each: Term, binds: int) -> str:
    return each.text if each.binds >= binds else f"({each.text})"


def _calculated(left: Term, sign_: str, right: Term) -> Value:
    if sign_ in {"=", "<>"} and isinstance(left.value, str | bool):
        return (left.value == right.value) is (sign_ == "=")
    a, b = np.asarray(left.number(), dtype=float), np.asarray(right.number(), dtype=float)
    with np.errstate(all="ignore"):
        found = np.asarray(_OPERATIONS[sign_](a, b))
    if found.dtype == bool:
        return bool(found) if found.ndim == 0 else found.astype(float)
    found = np.where(np.isfinite(found), found, np.nan)
    return float(found) if found.ndim == 0 else found


_OPERATIONS: dict[str, Callable[[Floats, Floats], object]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "=": np.equal,
    "<>": np.not_equal,
}


def _of_numbers(name: str, operands: tuple[Operand, ...]) -> Term:
    terms = [term(each) for each in operands]
    numbers = np.concatenate([np.atleast_1d(np.asarray(each.number(), float)) for each in terms])
    counted = numbers[~np.isnan(numbers)]
    value = float(_REDUCED[name](counted)) if len(counted) else 0.0
    return Term(f"{name}({','.join(each.text for each in terms)})", value)


_REDUCED: dict[str, Callable[[Floats], np.float64]] = {"MIN": np.min, "MAX": np.max, "SUM": np.sum}


def _whole(number: float | Floats) -> float | Floats:
    found = np.floor(number)
    return float(found) if np.ndim(found) == 0 else np.asarray(found)


def _single(each: Term) -> float:
    return float(np.asarray(each.number()))


def _words(value: Value) -> str:
    if isinstance(value, str):
        return value
    return f"{float(np.asarray(value)):.15g}"
