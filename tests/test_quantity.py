"""A number of a scenario: what is kept of it, and what is refused."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tco.quantity import Amount, Count, Price, Quantity, Share, shown


@given(st.floats(min_value=0, max_value=1e15).filter(lambda x: x == 0 or x >= 1e-12))
def test_a_price_is_the_decimal_of_its_text(number):
    assert TypeAdapter(Price).validate_python(Decimal(str(number))).value == Decimal(str(number))


@given(st.floats())
def test_a_share_is_taken_exactly_when_it_lies_from_0_to_1(number):
    inside = math.isfinite(number) and (number == 0 or 1e-12 <= number <= 1)
    try:
        kept = TypeAdapter(Share).validate_python(number)
    except ValidationError:
        assert not inside
    else:
        assert inside
        assert kept == Quantity(value=number)


@pytest.mark.parametrize("raw", [True, "1", None, [1], {"low": 1}, 1.5, -1, 2_000_000])
def test_a_count_is_a_whole_number_and_nothing_else(raw):
    with pytest.raises(ValidationError):
        TypeAdapter(Count).validate_python(raw)


@pytest.mark.parametrize(
    ("raw", "remedy"),
    [
        ("$95,000", "write 95000, a bare"),
        ("1,250,000.5", "write 1250000.5, a bare"),
        ("0.5", "write 0.5, a bare"),
        ("8%", "write 0.08 (shares go from 0 to 1, not percent)"),
        ("95.000,00", "write a bare number without quotes or unit"),
        ("1,5", "write a bare number without quotes or unit"),
        ("lots", "write a bare number without quotes or unit"),
    ],
)
def test_a_number_with_a_unit_is_refused_with_how_to_write_it(raw, remedy):
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Amount).validate_python(raw)
    assert caught.value.errors()[0]["ctx"]["remedy"].startswith(remedy)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_bounds_lie_around_the_value(low, value, high):
    low, value, high = (round(number, 6) for number in (low, value, high))
    raw = {"value": value, "low": low, "high": high}
    try:
        TypeAdapter(Share).validate_python(raw)
    except ValidationError:
        assert not low <= value <= high
    else:
        assert low <= value <= high


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (None, "nothing"),
        (True, "true"),
        ({}, "a mapping"),
        ([], "a list"),
        ("x", "'x'"),
        (Decimal("0.10"), "0.10"),
        ("y" * 100, "'" + "y" * 59 + "…"),
    ],
)
def test_a_value_is_shown_as_a_sentence_can_hold_it(raw, text):
    assert shown(raw) == text
