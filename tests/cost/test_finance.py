"""Cash flows at their edges: part years, no investment, none or several rates of return."""

import numpy as np
import pytest

from tco.cost.answers import Answers
from tco.cost.finance import CashFlow, levelised_saving, npv_usd, payback_years
from tco.cost.hardware import annual_capital_usd, capital_recovery_factor
from tco.cost.rate_of_return import irr, rate_of_return


def flows(*net):
    """The flow of those sums at 0, 1, 2 …"""
    nothing = np.zeros(1)
    later = np.array(net[1:], dtype=float)
    ends = np.arange(1, len(net), dtype=float)
    paid = np.array([-net[0]], dtype=float)
    return CashFlow(ends, -later, later * 0, nothing, paid, nothing, nothing)


def bought(*, invested=1000.0, residual=0.0, api=600.0, ends=(1, 2, 2.5)):
    """Own cost grows by a tenth of 100 a year, beside a constant 50."""
    lengths = np.diff(np.array([0.0, *ends]))
    at_end = np.array([float(ends[-1])])
    return CashFlow(
        year_ends=np.array(ends, dtype=float),
        own_usd=(100 * 1.1 ** np.arange(len(ends)) + 50) * lengths,
        api_usd=api * lengths,
        bought_at_years=np.zeros(1),
        bought_usd=np.array([invested]),
        sold_at_years=at_end,
        residual_usd=np.array([residual]),
    )


def test_the_last_part_of_a_year_carries_its_share_of_the_flow_at_the_end():
    times, net = bought(residual=30.0).net()
    assert list(times) == [0, 1, 2, 2.5]
    assert net == pytest.approx([-1000, 450, 440, (600 - 121 - 50) / 2 + 30])


def test_payback_falls_within_a_part_year():
    assert payback_years(bought()) == pytest.approx(2 + 110 / 214.5 * 0.5)


def test_the_residual_does_not_pay_back():
    assert np.isnan(payback_years(bought(residual=1000.0, api=300.0)))


def test_a_purchase_pays_back_before_the_sum_that_is_paid_at_the_end_of_that_year():
    flow = flows(-100, 60, 60)
    again = CashFlow(
        flow.year_ends,
        flow.own_usd,
        flow.api_usd,
        bought_at_years=np.array([0.0, 2.0]),
        bought_usd=np.array([100.0, 100.0]),
        sold_at_years=flow.sold_at_years,
        residual_usd=flow.residual_usd,
    )
    assert payback_years(again) == pytest.approx(payback_years(flow)) == pytest.approx(1 + 40 / 60)


def test_a_purchase_within_a_year_delays_the_payback():
    flow = flows(-100, 60, 60, 60)
    again = CashFlow(
        flow.year_ends,
        flow.own_usd,
        flow.api_usd,
        bought_at_years=np.array([0.0, 1.5]),
        bought_usd=np.array([100.0, 50.0]),
        sold_at_years=flow.sold_at_years,
        residual_usd=flow.residual_usd,
    )
    assert payback_years(again) == pytest.approx(2.5)


def test_without_an_investment_there_is_nothing_to_pay_back_and_no_rate_of_return():
    got = Answers.of(bought(invested=0.0), 0.08)
    assert (got.payback_years, got.payback_years_reason) == (None, "no_investment")
    assert (got.irr, got.irr_reason) == (None, "no_investment")


def test_a_purchase_that_never_pays_back_says_so():
    got = Answers.of(flows(-100, 50), 0.08)
    assert (got.payback_years, got.payback_years_reason) == (None, "not_within_horizon")


def test_a_rate_of_return_is_found_where_there_is_one():
    assert irr(flows(-100, 110)) == pytest.approx(0.1)
    assert irr(flows(-100, 50)) == pytest.approx(-0.5)


def test_two_rates_of_return_are_none():
    got = Answers.of(flows(-100, 230, -132), 0.08)
    assert (got.irr, got.irr_reason) == (None, "several_roots")


def test_a_rate_is_found_where_the_flows_change_sign_three_times():
    flow = flows(-100, 60, -10, 200)
    found = rate_of_return(flow)
    assert found.roots == 1
    assert npv_usd(flow, found.rate) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("net", [(-100, -1), (100, 1), (0, 0)])
def test_flows_of_one_sign_have_no_rate_of_return(net):
    found = rate_of_return(flows(*net))
    assert np.isnan(found.rate)
    assert found.roots == 0


def test_a_rate_of_exactly_nothing_is_found():
    assert irr(flows(-100, 100)) == pytest.approx(0, abs=1e-9)


def test_levelised_saving_is_the_saving_when_nothing_changes_and_rates_are_even():
    flow = flows(0, -100, -100)
    even = CashFlow(
        flow.year_ends,
        flow.own_usd,
        flow.own_usd * 4,
        flow.bought_at_years,
        flow.bought_usd,
        flow.sold_at_years,
        flow.residual_usd,
    )
    assert levelised_saving(even, 0.08) == pytest.approx(1 - 100 / 400)


def test_levelised_saving_against_nothing_is_none():
    got = Answers.of(bought(api=0.0), 0.08)
    assert (got.levelised_saving, got.levelised_saving_reason) == (None, "zero_price")


def test_npv_at_the_rate_of_return_is_nothing():
    assert npv_usd(bought(), irr(bought())) == pytest.approx(0, abs=1e-6)


def test_capital_recovery_at_no_interest_is_one_over_the_life():
    assert capital_recovery_factor(0.0, 4) == 0.25
    assert capital_recovery_factor(1e-12, 4.0) == pytest.approx(0.25)
    assert capital_recovery_factor(np.array([0.0, 0.08]), 4)[1] == pytest.approx(0.3019208)


def test_an_annuity_without_interest_is_the_straight_line():
    for life in (1, 3.5, 10):
        line = annual_capital_usd(1000, 100, 0.5, life, "straight_line")
        assert annual_capital_usd(1000, 100, 0.0, life) == pytest.approx(line)


def test_a_very_high_rate_of_return_is_a_rate_and_not_none():
    assert irr(flows(-1500, 4_846_121_063)) == pytest.approx(4_846_121_063 / 1500 - 1)


@pytest.mark.filterwarnings("error")
def test_a_hundred_years_do_not_overflow():
    assert irr(flows(-100_000, *[8_000] * 100)) == pytest.approx(0.0799636, rel=1e-4)
    assert np.isnan(irr(flows(-100_000, *[-1] * 100)))
