"""A term's text and value are the same arithmetic, as spreadsheets read it."""

import math

import numpy as np
import pytest

from tco.report.workbook.formula import (
    Term,
    if_,
    payment,
    raised,
    sum_of_products,
    term,
    whole_above,
    with_rounding,
)

A, B, C = Term("a", 7.0), Term("b", 2.0), Term("c", 3.0)


@pytest.mark.parametrize(
    ("formula", "text", "value"),
    [
        (A - (B - C), "a-(b-c)", 8.0),
        (A - B - C, "a-b-c", 2.0),
        (A / (B * C), "a/(b*c)", 7 / 6),
        (A * (B + C), "a*(b+c)", 35.0),
        ((A + B) ** C, "(a+b)^c", 729.0),
        ((-B) ** 2, "(-b)^2", 4.0),
        (-(B**2), "(-(b^2))", -4.0),
        (1 - A, "1-a", -6.0),
        (B ** (C**B), "b^(c^b)", 512.0),
        (A * -1.5, "a*(-1.5)", -10.5),
    ],
)
def test_brackets_stand_where_a_spreadsheet_needs_them(formula, text, value):
    assert (formula.text, formula.value) == (text, value)


def test_an_error_has_no_value_and_a_branch_not_taken_does_no_harm():
    zero = Term("z", 0.0)
    assert math.isnan((A / zero).value)
    assert if_(zero > 0, A / zero, "none").value == "none"


def test_a_quote_in_a_text_is_doubled():
    assert term('say "x"').text == '"say ""x"""'


def test_a_quotient_that_is_whole_but_for_rounding_buys_no_replica():
    assert whole_above(Term("q", 3.0000000001)).value == 3
    assert whole_above(Term("q", 3.1)).value == 4
    assert with_rounding(Term("q", 1.9999999999)).value == 2


def test_a_payment_without_interest_is_the_even_share():
    assert payment(Term("r", 0.0), Term("n", 4.0), A, B).value == pytest.approx(5 / 4)


def test_a_payment_is_the_annuity():
    found = payment(Term("r", 0.08), Term("n", 4.0), Term("p", 100_000.0), Term("s", 20_000.0))
    assert found.value == pytest.approx(25_753.66, abs=0.01)


def test_ranges_are_reckoned_entry_by_entry():
    values = Term("x", np.array([1.0, 2.0, 3.0]))
    assert sum_of_products(values * (values > 1)).value == 5


def test_a_power_too_small_for_a_double_is_nothing():
    times = Term("t", np.array([0.0, 2.0, 30.0]))
    found = raised(Term("x", 1e-12), times - 0.0)
    assert found.text == "EXP((t-0)*LN(x))"
    assert found.value == pytest.approx([1.0, 1e-24, 0.0])
