"""Numbers as printed."""

import pytest

from tco.report.numbers import (
    amount_column,
    exact,
    number,
    percent,
    several,
    tenth_percent,
    usd,
    usd_column,
    years,
)


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (12345.4, "$12,345"),
        (0.0579, "$0.0579"),
        (12.5, "$12.50"),
        (0, "$0"),
        (-96995.99, "−$96,996"),
    ],
)
def test_money_has_sensible_digits(amount, text):
    assert usd(amount) == text


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.659, "65.9\u00a0%"),
        (1.0, "100\u00a0%"),
        (-0.125, "−12.5\u00a0%"),
        (-12.023, "−1,202\u00a0%"),
        (0.9999999, ">99.9\u00a0%"),
        (1 - 1e-16, "100\u00a0%"),
        (0.9994, "99.9\u00a0%"),
        (1.0004, "100\u00a0%"),
        (0.0004, "<0.1\u00a0%"),
        (0.0006, "0.1\u00a0%"),
        (0.0, "0\u00a0%"),
        (-1e-17, "0\u00a0%"),
        (-0.0001, "−<0.1\u00a0%"),
    ],
)
def test_a_share_is_printed_in_percent(share, text):
    assert percent(share) == text


def test_a_column_of_shares_keeps_nearly_all_from_all():
    assert [tenth_percent(share) for share in (0.99999, 1.0, 0.00001, 0.0)] == [
        ">99.9\u00a0%",
        "100.0\u00a0%",
        "<0.1\u00a0%",
        "0.0\u00a0%",
    ]


def test_a_column_of_money_has_one_number_of_decimals():
    assert usd_column([1.7, 0.283, None, -0.5]) == ("$1.700", "$0.283", "none", "−$0.500")


def test_amounts_of_another_currency_have_no_sign_and_no_negative_zero():
    assert amount_column([1234.5, -0.0001, None]) == ("1,234", "0", "none")
    assert tenth_percent(1.0) == "100.0\u00a0%"


def test_a_span_of_one_year_is_singular():
    assert [years(span) for span in (1.0, 1.04, 1.8)] == [
        "1\u00a0year",
        "1\u00a0year",
        "1.8\u00a0years",
    ]


def test_one_of_something_is_singular_and_thousands_are_parted():
    assert several(1, "day") == several(1.00001, "day") == "1 day"
    assert several(0.5, "day") == "0.5 days"
    assert several(1234, "day") == "1,234 days"


def test_rates_keep_four_digits_and_inputs_keep_all():
    assert (number(11840.4), number(786.879), exact(96995.99)) == ("11,840", "786.9", "96,995.99")
