"""Cash flows at their edges: part years, no investment, none or several rates of return."""

import numpy as np
import pytest

from tco.cost.finance import (
    CashFlow,
    cash_flow,
    irr,
    levelised_saving,
    npv_usd,
    payback_years,
)
from tco.cost.hardware import annual_capital_usd, capital_recovery_factor


def flows(*net):
    times = np.arange(len(net), dtype=float)
    return CashFlow(times, -np.array(net, dtype=float), np.zeros(len(net)), 0.0)


def bought(**changes):
    terms = {
        "investment_usd": 1000.0,
        "residual_usd": 0.0,
        "opex_usd_first_year": 100.0,
        "opex_growth_per_year": 0.1,
        "api_usd_first_year": 600.0,
        "api_change_per_year": 0.0,
        "years": 2.5,
        "constant_usd_per_year": 50.0,
    }
    return cash_flow(**(terms | changes))


def test_the_last_part_of_a_year_carries_its_share_of_the_flow_at_the_end():
    flow = bought(residual_usd=30.0)
    assert list(flow.times_years) == [0, 1, 2, 2.5]
    assert flow.net_usd == pytest.approx([-1000, 450, 440, (600 - 121 - 50) / 2 + 30])


def test_payback_falls_within_a_part_year():
    years, reason = payback_years(bought())
    assert (years, reason) == (pytest.approx(2 + 110 / 214.5 * 0.5), None)


def test_the_residual_does_not_pay_back():
    flow = bought(residual_usd=1000.0, api_usd_first_year=300.0)
    assert payback_years(flow) == (None, "not_within_horizon")


def test_without_an_investment_there_is_nothing_to_pay_back():
    assert payback_years(bought(investment_usd=0.0)) == (None, "no_investment")


def test_a_rate_of_return_is_found_where_there_is_one():
    assert irr(flows(-100, 110))[0] == pytest.approx(0.1)
    assert irr(flows(-100, 50))[0] == pytest.approx(-0.5)


def test_two_rates_of_return_are_none():
    assert irr(flows(-100, 230, -132)) == (None, "several_roots")


@pytest.mark.parametrize("net", [(-100, -1), (100, 1), (0, 0)])
def test_flows_of_one_sign_have_no_rate_of_return(net):
    assert irr(flows(*net)) == (None, "no_sign_change")


def test_a_rate_of_exactly_nothing_is_found():
    assert irr(flows(-100, 100)) == (pytest.approx(0, abs=1e-9), None)


def test_levelised_saving_is_the_saving_when_nothing_changes_and_rates_are_even():
    flow = bought(investment_usd=0.0, opex_growth_per_year=0.0)
    assert levelised_saving(flow, 0.08)[0] == pytest.approx(1 - 150 / 600)


def test_levelised_saving_against_nothing_is_none():
    assert levelised_saving(bought(api_usd_first_year=0.0), 0.08) == (None, "zero_price")


def test_npv_at_the_rate_of_return_is_nothing():
    flow = bought()
    assert npv_usd(flow, irr(flow)[0]) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("changes", [{"years": 0.0}, {"investment_usd": -1.0}])
def test_a_flow_outside_its_range_is_an_error(changes):
    with pytest.raises(ValueError, match="must be"):
        bought(**changes)


def test_capital_recovery_at_no_interest_is_one_over_the_life():
    assert capital_recovery_factor(0.0, 4) == 0.25
    assert capital_recovery_factor(1e-12, 4.0) == pytest.approx(0.25)
    assert capital_recovery_factor(np.array([0.0, 0.08]), 4)[1] == pytest.approx(0.3019208)


def test_an_annuity_without_interest_is_the_straight_line():
    for life in (1, 3.5, 10):
        line = annual_capital_usd(1000, 100, 0.5, life, "straight_line")
        assert annual_capital_usd(1000, 100, 0.0, life) == pytest.approx(line)


def test_a_very_high_rate_of_return_is_a_rate_and_not_none():
    assert irr(flows(-1500, 4_846_121_063)) == (pytest.approx(4_846_121_063 / 1500 - 1), None)


@pytest.mark.filterwarnings("error")
def test_a_hundred_years_do_not_overflow():
    rate, reason = irr(flows(-100_000, *[8_000] * 100))
    assert (rate, reason) == (pytest.approx(0.0799636, rel=1e-4), None)
    assert irr(flows(-100_000, *[-1] * 100)) == (None, "no_sign_change")
