"""What has been paid by each time, on either side."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.cost.finance import CashFlow, invested_usd, payback_years, running_sum_usd
from tco.cost.paid import paid_by


def flow(own=40.0, api=100.0, price=90.0, years=3, again_at=None):
    count = years + 1 if again_at else years
    bought = [(0.0, price)] + ([(again_at, price)] if again_at else [])
    return CashFlow(
        year_ends=np.arange(1.0, count + 1),
        own_usd=np.full(count, own),
        api_usd=np.full(count, api),
        bought_at_years=np.array([at for at, _ in bought]),
        bought_usd=np.array([usd for _, usd in bought]),
        sold_at_years=np.array([float(count)]),
        residual_usd=np.array([30.0]),
    )


def test_each_year_adds_its_cost_and_a_purchase_stands_twice():
    sums = [(each.years, each.own_usd, each.api_usd) for each in paid_by(flow(again_at=2.0))]
    assert sums == [
        (0.0, 0.0, 0.0),
        (0.0, 90.0, 0.0),
        (1.0, 130.0, 100.0),
        (2.0, 170.0, 200.0),
        (2.0, 260.0, 200.0),
        (3.0, 300.0, 300.0),
        (4.0, 340.0, 400.0),
    ]


def test_a_rental_begins_at_nothing():
    rented = dataclasses.replace(flow(), bought_usd=np.array([0.0]))
    assert [each.years for each in paid_by(rented)] == [0.0, 1.0, 2.0, 3.0]
    assert paid_by(rented)[0].own_usd == 0.0


amounts = st.floats(0.0, 1e6)


@given(own=amounts, api=amounts, price=amounts, years=st.integers(1, 6))
def test_the_end_is_the_running_sum_and_the_sums_first_meet_at_the_payback(own, api, price, years):
    this = flow(own, api, price, years)
    sums = paid_by(this)
    tolerance = 1e-9 * max(own * years, api * years, price, 1.0)
    assert sums[-1].ahead_usd == pytest.approx(float(running_sum_usd(this)), abs=tolerance)
    at = float(payback_years(this))
    if float(invested_usd(this)) > 0 and not np.isnan(at):
        time = [each.years for each in sums]
        ahead = np.interp(at, time, [each.ahead_usd for each in sums])
        if at > 0:
            assert ahead == pytest.approx(0.0, abs=1e-6 * max(own, api, price, 1.0) * years)
