"""The six figures of the first page: always all six, each a number or the reason."""

import pytest

from tco.comparison import Stress
from tco.report.front import key_figures, years_words

TITLES = ["Saving", "Saving, USD a year", "Cash at the start", "Net present value"]
FALLING = Stress(
    api_price_change_per_year=-0.3,
    levelised_saving=0.11,
    npv_usd=9_000.0,
    payback_years=2.5,
    discounted_payback_years=2.9,
)


def test_six_figures_stand_side_by_side(make_comparison, make_rival, scenario):
    figures = key_figures(
        make_comparison(alternatives=(make_rival(stress=FALLING),)), scenario, None
    )
    assert [(each.label, each.value) for each in figures] == [
        ("Saving", "43.3\u00a0%"),
        ("Saving, USD a year", "$48,533"),
        ("Cash at the start", "\u2212$96,996"),
        ("Net present value", "$121,457"),
        ("Levelised saving", "41\u00a0%"),
        ("If API prices fall", "11\u00a0%"),
    ]
    assert figures[-1].note == "levelised saving, 30\u00a0% a year"


@pytest.mark.parametrize("kept", ["zero_price", "unpriced", "no_alternative", "unstressed"])
def test_what_has_no_figure_has_its_place_and_the_reason(
    kept, make_comparison, make_rival, scenario
):
    none = {"saving": None, "saving_reason": "zero_price", "levelised_saving": None}
    changes = {
        "zero_price": none | {"levelised_saving_reason": "zero_price"},
        "unpriced": {"npv_usd": None, "npv_usd_reason": "no_investment"},
        "unstressed": {"stress": None},
        "no_alternative": {},
    }[kept]
    rivals = () if kept == "no_alternative" else (make_rival(**changes),)
    figures = key_figures(make_comparison(alternatives=rivals), scenario, None)
    assert [each.label for each in figures[:4]] == TITLES
    assert len(figures) == 6
    assert any(each.value == "none" for each in figures)
    assert all(each.note for each in figures)


def test_cash_at_the_start_takes_no_alternative(make_comparison, scenario):
    alone = make_comparison(alternatives=())
    assert [each.value for each in key_figures(alone, scenario, None)] == [
        "none", "none", "\u2212$96,996", "none", "none", "none",
    ]  # fmt: skip
    rented = alone.self_host.model_copy(update={"cash_at_start_usd": 0.0})
    cash = key_figures(make_comparison(self_host=rented), scenario, None)[2]
    assert (cash.value, cash.note) == ("$0", "nothing is bought")


def test_large_sums_are_said_in_millions(make_comparison, make_rival, scenario):
    big = make_rival(npv_usd=-123_456_789_012.0, saving_usd_per_year=99_999_999.0)
    figures = key_figures(make_comparison(alternatives=(big,)), scenario, None)
    assert figures[1].value == "$99,999,999"
    assert figures[3].value == "\u2212$123,457 million"


def test_a_year_of_both_sides_and_the_payback_are_one_sentence(make_comparison, make_rival):
    never = make_rival(payback_years=None, payback_years_reason="not_within_horizon")
    words = years_words(make_comparison(alternatives=(never,)))
    assert words.startswith("A year costs $35,916 on own hardware, on a measured rate, and $112,0")
    assert words.endswith("Payback: not within the horizon.")
    alone = years_words(make_comparison(alternatives=()))
    assert alone == "A year costs $35,916 on own hardware, on a measured rate."
