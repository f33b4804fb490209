"""The years in words: as stated, and in the stress."""

from tco.comparison import Stress
from tco.report.years import stress_words, year_rows


def stressed(rival, **changes):
    values = {
        "api_price_change_per_year": -0.3,
        "levelised_saving": 0.12,
        "npv_usd": -2000.0,
        "payback_years": None,
        "payback_years_reason": "not_within_horizon",
        "discounted_payback_years": None,
        "discounted_payback_years_reason": "not_within_horizon",
    }
    return rival.model_copy(update={"stress": Stress(**values | changes)})


def test_the_stress_is_one_sentence_with_its_reasons(make_rival):
    words = stress_words(stressed(make_rival()))
    assert words.replace("\u00a0", " ") == (
        "If API prices fall 30 % a year: levelised saving 12 %, net present value "
        "\u2212$2,000, no simple payback (not within the horizon)."
    )


def test_a_stress_without_a_saving_says_so_as_a_sentence(make_rival):
    none = {"levelised_saving": None, "levelised_saving_reason": "zero_price"}
    words = stress_words(stressed(make_rival(), **none)).replace("\u00a0", " ")
    assert words.startswith(
        "If API prices fall 30 % a year: no levelised saving (the alternative's price is zero), net"
    )


def test_a_stress_may_also_be_a_price_that_rises(make_rival):
    words = stress_words(stressed(make_rival(), api_price_change_per_year=0.1))
    assert words.replace("\u00a0", " ").startswith("If API prices rise 10 % a year")


def test_both_cash_flows_stand_in_one_table(make_rival):
    as_stated, in_stress = year_rows(stressed(make_rival()))
    assert as_stated[0] == "as stated"
    assert in_stress[0].startswith("fall 30")
    assert len(as_stated) == len(in_stress)


def test_without_a_stress_there_is_one_row(make_rival):
    assert len(list(year_rows(make_rival()))) == 1
    assert stress_words(make_rival()) is None
