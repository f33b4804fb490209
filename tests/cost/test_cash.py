"""The cash flow of the years: refresh, tax, growth, and arrays as their single points."""

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, Tier
from tco.cost.cash import CASH_FIGURES, CashTerms, cash_flows
from tco.cost.evaluate import Inputs, SizedDemand, evaluate
from tco.cost.finance import npv_usd, payback_years
from tco.cost.ownership import OneOff, Running, Server
from tco.cost.rate_of_return import rate_of_return
from tco.units import SECONDS_PER_YEAR

MONEY = st.floats(0.01, 1e5)
RATE = st.floats(0, 0.5)
CHANGE = st.floats(-0.5, 0.5)
HORIZON = st.floats(0.2, 8)


def owned(*, load=1.0, api=600.0, opex=100.0, one_off=0.0, horizon=2.0, **server):
    """A server whose replica takes 1 request a second; the API bills `api` a year for that."""
    server = {"price_usd": 1000.0, "life_years": 2.0, "discount_rate": 0.08} | server
    usd_per_million = np.asarray(api) / SECONDS_PER_YEAR * 1e6
    tier = Tier(input_usd=0.0, cached_input_usd=None, output_usd=usd_per_million)
    return Inputs(
        input_tokens=0.0,
        output_tokens=1.0,
        capacity_requests_per_s=1.0,
        load=load,
        server=Server(**server),
        running=Running(other_usd_per_year=opex),
        alternatives=(ApiTerms((tier,)),),
        one_off=OneOff(usd=one_off, years=horizon),
    )


def flow_of(case, horizon, **terms):
    return cash_flows(case, evaluate(case), CashTerms(horizon_years=horizon, **terms))[0]


def figures(case, horizon, **terms):
    flow = flow_of(case, horizon, **terms)
    rate = case.server.discount_rate
    return SimpleNamespace(**{name: figure(flow, rate) for name, figure in CASH_FIGURES.items()})


def demand(average, peak=None):
    return SizedDemand(average_requests_per_s=average, peak_requests_per_s=peak or average)


def test_hardware_is_bought_again_at_each_end_of_life_at_its_price_then():
    case = owned(residual_usd=200.0)
    times, net = flow_of(case, 4.0, refresh_price_change_per_year=-0.1).net()
    assert list(times) == [0, 1, 2, 3, 4]
    assert net == pytest.approx([-1000, 500, 500 + 200 - 810, 500, 500 + 162])


def test_a_server_cut_by_the_horizon_keeps_its_straight_line_share():
    case = owned(residual_usd=200.0)
    assert flow_of(case, 1.0).net()[1] == pytest.approx([-1000, 500 + 200 + 800 / 2])
    assert flow_of(case, 3.0).net()[1][-1] == pytest.approx(500 + 200 + 800 / 2)


def test_a_life_of_part_years_is_renewed_within_the_year():
    times, net = flow_of(owned(life_years=1.5), 3.0).net()
    assert list(times) == [0, 1, 1.5, 2, 3]
    assert net == pytest.approx([-1000, 500, -1000, 500, 500])


@given(HORIZON, MONEY, MONEY, CHANGE)
def test_refresh_with_a_life_as_long_as_the_horizon_changes_nothing(life, price, api, change):
    case = owned(price_usd=price, api=api, life_years=life, residual_usd=price / 4)
    changed = flow_of(case, life, refresh_price_change_per_year=change)
    for got, want in zip(changed.net(), flow_of(case, life).net(), strict=True):
        assert list(got) == list(want)


def test_tax_takes_its_share_of_savings_and_gives_back_that_of_the_write_off():
    case = owned(residual_usd=200.0)
    _, net = flow_of(case, 2.0, tax_rate=0.25).net()
    shielded = 500 * 0.75 + 0.25 * 400
    assert net == pytest.approx([-1000, shielded, shielded + 200])


def test_a_sale_above_book_value_is_taxed_on_its_gain():
    case = owned(residual_usd=200.0)
    _, net = flow_of(case, 2.0, tax_rate=0.25, tax_book_value_share=0.0).net()
    assert net[-1] == pytest.approx(500 * 0.75 + 0.25 * 500 + 200 * 0.75)


@given(MONEY, MONEY, RATE, HORIZON)
def test_a_tax_of_nothing_is_no_tax(price, api, rate, horizon):
    case = owned(price_usd=price, api=api, discount_rate=rate)
    with_book = flow_of(case, horizon, tax_rate=0.0, tax_book_value_share=0.3)
    for got, want in zip(with_book.net(), flow_of(case, horizon).net(), strict=True):
        assert list(got) == list(want)


@given(MONEY, MONEY, st.floats(0, 0.9), st.floats(0.3, 3))
def test_everything_written_off_is_worth_the_tax_on_it(price, one_off, tax, life):
    """Over whole lives the write-offs are the price less residual, and the one-off sums."""
    case = owned(price_usd=price, residual_usd=price / 5, life_years=life, one_off=one_off)
    taxed = flow_of(case, 2 * life, tax_rate=tax)
    plain = flow_of(case, 2 * life)
    shield = taxed.own_usd.sum() - plain.own_usd.sum() * (1 - tax)
    assert shield == pytest.approx(-tax * (2 * price * 0.8 + one_off), rel=1e-9)


def test_electricity_grows_by_its_own_rate_and_rent_stays():
    case = owned(price_usd=0.0, rent_usd_per_hour=1.0, load_w=1000.0, usd_per_kwh=0.1, opex=0.0)
    flow = flow_of(case, 2.0, power_price_growth_per_year=0.5, operations_growth_per_year=0.9)
    assert flow.own_usd == pytest.approx([8760 + 876, 8760 + 876 * 1.5])


def test_one_off_sums_of_a_rental_are_an_investment():
    case = owned(price_usd=0.0, one_off=250.0)
    assert flow_of(case, 2.0).net()[1] == pytest.approx([-250, 500, 500])
    assert figures(case, 2.0).payback_years == pytest.approx(0.5)


def test_one_off_sums_stand_in_the_capital_line():
    plain, with_network = evaluate(owned()), evaluate(owned(one_off=1000.0, horizon=2.0))
    more = with_network.lines.capital - plain.lines.capital
    assert more * 8760 == pytest.approx(plain.lines.capital * 8760)


def test_demand_that_doubles_buys_servers_at_the_start_of_that_year():
    case = owned(load=demand(0.9), life_years=3.0)
    flow = flow_of(case, 3.0, demand_by_year=(1.0, 2.0))
    times, net = flow.net()
    assert list(times) == [0, 1, 2, 3]
    assert flow.api_usd == pytest.approx([540, 1080, 1080])
    kept = 1000 / 3
    assert net == pytest.approx([-1000, 540 - 100 - 1000, 980, 980 + kept])


def test_demand_that_falls_sells_no_server():
    case = owned(load=demand(1.8), idle_w=1000.0, load_w=1000.0, usd_per_kwh=0.1)
    flow = flow_of(case, 2.0, demand_by_year=(1.0, 0.5))
    assert flow.bought_usd.sum() == pytest.approx(2000)
    assert flow.own_usd == pytest.approx([100 + 2 * 876] * 2)
    assert flow.api_usd == pytest.approx([1080, 540])


def test_a_rented_fleet_follows_each_year():
    case = owned(load=demand(1.8), price_usd=0.0, rent_usd_per_hour=1.0, opex=0.0)
    flow = flow_of(case, 2.0, demand_by_year=(1.0, 0.5))
    assert flow.own_usd == pytest.approx([2 * 8760, 8760])


@given(st.floats(0.1, 5), HORIZON, CHANGE)
def test_demand_by_year_of_ones_is_none(average, horizon, change):
    case = owned(load=demand(average))
    terms = {"api_price_change_per_year": change}
    ones = flow_of(case, horizon, demand_by_year=(1.0, 1.0, 1.0), **terms)
    for got, want in zip(ones.net(), flow_of(case, horizon, **terms).net(), strict=True):
        assert got == pytest.approx(want, rel=1e-12)


def test_demand_by_year_without_a_demand_is_an_error():
    with pytest.raises(ValueError, match="demand"):
        flow_of(owned(), 2.0, demand_by_year=(1.0, 2.0))


@pytest.mark.parametrize(
    ("changes", "horizon", "terms", "words"),
    [
        ({}, 0.0, {}, "horizon_years must be above 0"),
        ({"life_years": 0.001}, 3.0, {}, "100 lives"),
        ({}, 3.0, {"tax_rate": 1.5}, "tax_rate"),
        ({}, 3.0, {"tax_book_value_share": 2.0}, "tax_book_value_share"),
    ],
)
def test_a_term_outside_its_range_is_an_error(changes, horizon, terms, words):
    with pytest.raises(ValueError, match=words):
        flow_of(owned(**changes), horizon, **terms)


@settings(max_examples=40)
@given(MONEY, MONEY, CHANGE, st.floats(0.5, 3), HORIZON)
def test_at_the_rate_of_return_the_net_present_value_is_nothing(price, api, change, life, horizon):
    case = owned(price_usd=price, api=api, life_years=life, residual_usd=price / 10)
    flow = flow_of(case, horizon, api_price_change_per_year=change)
    found = rate_of_return(flow)
    if not np.isnan(found.rate):
        times, net = flow.net()
        terms = np.abs(net) / (1 + found.rate) ** times
        assert abs(npv_usd(flow, found.rate)) <= 1e-8 * terms.max()


@given(MONEY, MONEY, st.floats(1.01, 3), CHANGE, st.sampled_from([0.0, 0.08]))
def test_payback_does_not_come_later_with_a_higher_saving(price, api, more, change, rate):
    def payback(api_usd):
        case = owned(price_usd=price, api=api_usd, discount_rate=rate)
        flow = flow_of(case, 5.0, api_price_change_per_year=change)
        got = payback_years(flow, rate)
        return np.inf if np.isnan(got) else got

    assert payback(api * more) <= payback(api) * (1 + 1e-9)


POINTS = st.lists(
    st.tuples(MONEY, MONEY, RATE, st.floats(0.5, 4), HORIZON, CHANGE, st.floats(0, 0.9)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25)
@given(POINTS)
def test_arrays_give_what_their_points_give(points):
    """Horizons and lives may differ from point to point."""
    price, api, rate, life, horizon, change, tax = (
        np.array(column) for column in zip(*points, strict=True)
    )
    case = owned(
        price_usd=price, api=api, discount_rate=rate, life_years=life, residual_usd=price / 7
    )
    at = figures(case, horizon, api_price_change_per_year=change, tax_rate=tax)
    for i, one in enumerate(points):
        single = owned(
            price_usd=one[0],
            api=one[1],
            discount_rate=one[2],
            life_years=one[3],
            residual_usd=one[0] / 7,
        )
        want = figures(single, one[4], api_price_change_per_year=one[5], tax_rate=one[6])
        for name in CASH_FIGURES:
            got = np.broadcast_to(getattr(at, name), len(points))[i]
            assert got == pytest.approx(getattr(want, name), rel=1e-6, abs=1e-7, nan_ok=True), name


def test_arrays_of_demands_give_what_their_points_give():
    averages = np.array([0.4, 1.3, 2.6])
    terms = {"demand_by_year": (1.0, 1.5, 0.7)}
    at = figures(owned(load=demand(averages)), 5.0, **terms)
    for i, average in enumerate(averages):
        want = figures(owned(load=demand(average)), 5.0, **terms)
        assert tuple(vars(want).values()) == pytest.approx(
            tuple(np.asarray(each)[i] for each in tuple(vars(at).values())), nan_ok=True
        )
