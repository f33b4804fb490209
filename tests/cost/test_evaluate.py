"""The evaluation at its edges; the laws that hold for any numbers are in their own module."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, Tier, tier_for, usd_per_request
from tco.cost.evaluate import Inputs, SizedDemand, evaluate
from tco.cost.ownership import Running, Server


def inputs(u=0.5, price=1e5, kwh=0.1, api=1.0, rate=10.0, **server):
    tier = Tier(input_usd=api, cached_input_usd=None, output_usd=api)
    return Inputs(
        input_tokens=500.0,
        output_tokens=500.0,
        capacity_requests_per_s=rate,
        load=u,
        server=Server(
            price_usd=price, life_years=3.5, discount_rate=0.08, idle_w=200.0, load_w=1200.0,
            pue=1.3, usd_per_kwh=kwh, **server,
        ),
        running=Running(fte=0.1, fte_usd_per_year=1e5, hosting_usd_per_month=50.0),
        alternatives=(ApiTerms((tier,)),),
    )  # fmt: skip


@given(st.floats(1, 1e4))
def test_a_kilowatt_for_a_year_costs_8760_times_the_price_of_a_kwh(kw):
    case = inputs(u=1.0, price=0.0)
    server = Server(idle_w=0.0, load_w=kw * 1000, usd_per_kwh=0.2, life_years=1.0)
    got = evaluate(dataclasses.replace(case, server=server, running=Running()))
    assert got.usd_per_hour * 8760 == pytest.approx(kw * 8760 * 0.2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"u": 0.0}, "utilisation"),
        ({"u": 1.01}, "utilisation"),
        ({"u": float("nan")}, "utilisation"),
        ({"price": -1.0}, "price_usd"),
        ({"kwh": -0.1}, "usd_per_kwh"),
        ({"api": -1.0}, "input_usd"),
        ({"rate": 0.0}, "capacity"),
        ({"one_off_usd": -1.0}, "one_off_usd"),
    ],
)
def test_a_number_outside_its_range_is_an_error(changes, words):
    with pytest.raises(ValueError, match=words):
        evaluate(inputs(**changes))


def test_pue_below_1_and_no_life_are_errors():
    for server, words in ((Server(pue=0.9), "pue"), (Server(life_years=0.0), "life_years")):
        with pytest.raises(ValueError, match=words):
            evaluate(dataclasses.replace(inputs(), server=server))


def test_a_server_is_filled_with_whole_replicas():
    case = dataclasses.replace(
        inputs(), accelerators_per_replica=3, server=Server(accelerators=8, rent_usd_per_hour=1.0)
    )
    assert evaluate(case).fleet.replicas == 2
    with pytest.raises(ValueError, match="replica of 9 accelerators does not fit in a server of 8"):
        evaluate(dataclasses.replace(case, accelerators_per_replica=9))


def test_a_demand_whose_average_is_above_its_peak_is_an_error():
    demand = SizedDemand(average_requests_per_s=2.0, peak_requests_per_s=1.0)
    with pytest.raises(ValueError, match="above the peak"):
        evaluate(dataclasses.replace(inputs(), load=demand))


BASE = Tier(input_usd=1.0, cached_input_usd=0.5, output_usd=2.0)
LONG = Tier(
    input_usd=2.0, cached_input_usd=None, output_usd=4.0, request_fee_usd=1.0, above_tokens=1000
)


def test_a_tier_is_a_cliff_on_the_whole_request():
    terms = ApiTerms((BASE, LONG), discount=0.5)
    bills = usd_per_request(terms, np.array([1000.0, 1001.0]), 0.0)
    assert bills == pytest.approx([0.5 * 1000e-6, 0.5 * (2002e-6 + 1)])
    assert tier_for(terms, 1000.0) is BASE
    assert tier_for(terms, 1001.0) is LONG


def test_the_apis_own_tokens_count_for_its_tiers_and_its_bill():
    terms = ApiTerms((BASE, LONG), token_ratio=1.2, cached_input_share=0.25)
    assert usd_per_request(terms, 500.0, 100.0) == pytest.approx((375 + 62.5 + 200) * 1.2e-6)
    assert tier_for(terms, 900.0) is LONG


def test_an_input_that_no_tier_takes_is_an_error():
    terms = ApiTerms((LONG,))
    with pytest.raises(ValueError, match="no price holds"):
        usd_per_request(terms, 10.0, 1.0)
    with pytest.raises(ValueError, match="no price holds"):
        tier_for(terms, 10.0)


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_more_cached_than_input_is_an_error(share):
    with pytest.raises(ValueError, match="cached_input_share"):
        usd_per_request(ApiTerms((BASE,), cached_input_share=share), 10.0, 1.0)
