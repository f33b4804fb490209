"""The cheapest split between an own base and an API, against every split by hand."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, HourTiers, Tier
from tco.cost.evaluate import Inputs, SizedDemand, evaluate
from tco.cost.hybrid import Bases, bases, cheapest_split, usd_per_request_by_profile
from tco.cost.ownership import OneOff, Running, Server

CAPACITY = 2.0
PROFILES = st.lists(st.floats(0, 10), min_size=24, max_size=24).filter(lambda w: max(w) > 0.1)
PRICES = st.floats(1e-6, 1e-2)
AVERAGES = st.floats(0.5, 40)
SHARES = st.tuples(st.floats(0.5, 1), st.floats(1, 2))


def case(average, weights, spares=1.0, burst=1.0, price=0.001, **load):
    profile = np.array(weights)
    tier = Tier(input_usd=0.0, cached_input_usd=None, output_usd=0.0, request_fee_usd=price)
    return Inputs(
        input_tokens=500.0,
        output_tokens=500.0,
        capacity_requests_per_s=CAPACITY,
        load=SizedDemand(
            average_requests_per_s=average,
            peak_requests_per_s=average * profile.max() / profile.mean() * burst,
            target_peak_utilisation=0.8,
            spares=spares,
            profile=profile,
            **load,
        ),
        server=Server(
            accelerators=4.0, price_usd=3e4, life_years=4.0, discount_rate=0.08,
            idle_w=200.0, load_w=1500.0, pue=1.3, usd_per_kwh=0.1,
        ),
        running=Running(fte=0.1, fte_usd_per_year=1e5, licence_usd_per_accelerator_year=100.0),
        accelerators_per_replica=2.0,
        alternatives=(ApiTerms((tier,)),),
        one_off=OneOff(5000.0, 4.0),
    )  # fmt: skip


@settings(max_examples=40)
@given(AVERAGES, PROFILES, PRICES, st.integers(0, 2), st.floats(1, 3))
def test_a_split_is_never_dearer_than_all_own_or_all_to_the_api(
    average, weights, price, spares, burst
):
    inputs = case(average, weights, float(spares), burst, price)
    split = cheapest_split(bases(inputs), price)
    whole = evaluate(inputs)
    api_usd = price * average * 3600 * 8760
    assert split.usd_per_year <= whole.usd_per_hour * 8760 * (1 + 1e-9)
    assert split.usd_per_year <= api_usd * (1 + 1e-9)


@settings(max_examples=40)
@given(AVERAGES, PROFILES, PRICES, st.integers(0, 2))
def test_no_base_is_the_api_and_the_whole_base_is_the_fleet(average, weights, price, spares):
    inputs = case(average, weights, float(spares), price=price)
    found = bases(inputs)
    whole = evaluate(inputs)
    costs = found.usd_per_year(price)
    assert costs[0] == pytest.approx(price * average * 3600 * 8760)
    assert costs[-1] == pytest.approx(whole.usd_per_hour * 8760)
    assert found.replicas[-1] + spares == whole.fleet.replicas
    assert found.servers[-1] == whole.fleet.servers


@settings(max_examples=15)
@given(st.floats(0.5, 5), PROFILES, PRICES, st.integers(0, 2), SHARES)
def test_the_split_is_the_best_of_all_by_hand(average, weights, price, spares, shares):
    up, burst = shares
    inputs = case(average, weights, float(spares), burst, price, availability=up)
    rates = average * np.array(weights) / np.mean(weights)
    limit = CAPACITY * 0.8 * up
    costs = {0: price * average * 3600 * 8760}
    most = max(math.ceil(rates.max() * burst / limit - 1e-9), 1)
    for own in range(1, most + 1):
        served = np.minimum(rates, own * limit / burst).mean() if own < most else average
        paid = own + spares
        servers = math.ceil(paid * 2 / 4 - 1e-9)
        demand = SizedDemand(served, CAPACITY * paid, spares=0.0)
        fleet = evaluate(dataclasses.replace(inputs, load=demand))
        assert fleet.fleet.servers == servers
        overflow = average - served
        costs[own] = fleet.usd_per_hour * 8760 + overflow * 3600 * 8760 * price
    split = cheapest_split(bases(inputs), price)
    assert split.usd_per_year == pytest.approx(min(costs.values()), rel=1e-9)
    assert costs[split.base_replicas] == pytest.approx(split.usd_per_year, rel=1e-9)


def test_a_steady_base_is_owned_and_a_short_peak_overflows():
    weights = [1.0] * 22 + [10.0] * 2
    split = cheapest_split(bases(case(4.0, weights, spares=0.0)), 0.001)
    assert 0 < split.base_replicas < 15
    assert 0.5 < split.own_share < 1
    assert split.saving_against_api > 0
    assert split.saving_against_all_own > 0
    assert split.overflow_requests_per_year == pytest.approx(
        (1 - split.own_share) * 4.0 * 3600 * 8760
    )


def test_a_dear_api_keeps_all_own_and_a_cheap_one_takes_all():
    found = bases(case(4.0, [1.0] * 12 + [2.0] * 12))
    assert cheapest_split(found, 1.0).own_share == 1
    cheap = cheapest_split(found, 1e-7)
    assert (cheap.base_replicas, cheap.servers, cheap.own_share) == (0, 0, 0)


def test_without_hours_or_with_rent_by_the_hour_there_is_no_split():
    inputs = case(4.0, [1.0] * 24)
    assert bases(dataclasses.replace(inputs, load=0.5)) == "no_profile"
    by_ratio = dataclasses.replace(inputs.load, profile=None)
    assert bases(dataclasses.replace(inputs, load=by_ratio)) == "no_profile"
    assert bases(dataclasses.replace(inputs, rent_follows_profile=True)) == "scales_with_demand"


def test_a_fleet_of_millions_is_looked_at_in_steps_that_hold_both_ends():
    found = bases(case(4e6, [1.0] * 12 + [2.0] * 12, spares=0.0))
    assert isinstance(found, Bases)
    assert len(found.replicas) == 100_001
    assert found.replicas[0] == 0
    assert found.own_requests_per_s[-1] == 4e6


def by_the_hour(inputs, off_peak_usd, at_peak_usd, peak_hours):
    """The API's fee of a request is another in some hours of the day."""
    weights = np.tile(inputs.load.profile, 7 * 24 // len(inputs.load.profile))
    at_peak = np.tile([float(hour in peak_hours) for hour in range(24)], 7)
    share = float((weights * at_peak).sum() / weights.sum())
    hours = tuple(
        HourTiers(part, (Tier(0.0, None, 0.0, usd),), tuple(held))
        for part, usd, held in (
            (1 - share, off_peak_usd, 1 - at_peak),
            (share, at_peak_usd, at_peak),
        )
    )
    return dataclasses.replace(inputs, alternatives=(ApiTerms(hours[0].tiers, hours=hours),))


@pytest.mark.parametrize("days", [1, 7])
def test_what_overflows_at_a_dear_hour_is_billed_at_the_price_of_that_hour(days):
    weights = [1.0] * 12 + [4.0] + [1.0] * 11
    inputs = by_the_hour(case(10.0, weights * days, spares=0.0), 0.0001, 0.003, {12})
    prices = usd_per_request_by_profile(inputs, 0)
    rates = 10.0 * np.array(weights) / np.mean(weights)
    fee = np.where(np.arange(24) == 12, 0.003, 0.0001)
    found = bases(inputs)
    costs = found.usd_per_year(prices)
    for own, usd in zip(found.replicas[:-1], costs[:-1], strict=True):
        overflow = np.maximum(rates - own * CAPACITY * 0.8, 0.0)
        by_hand = (overflow * fee).mean() * 3600 * 8760
        assert usd - found.own_usd_per_year[int(own)] == pytest.approx(by_hand, rel=1e-9)
    assert costs[-1] == found.own_usd_per_year[-1]
    assert cheapest_split(found, prices).usd_per_year == costs.min()


def test_all_to_an_api_of_two_prices_costs_its_mean_price():
    inputs = by_the_hour(case(10.0, list(range(1, 25))), 0.0001, 0.003, {3, 4, 20})
    usd_per_year = bases(inputs).usd_per_year(usd_per_request_by_profile(inputs, 0))[0]
    mean_usd = evaluate(inputs).rivals[0].usd_per_request
    assert usd_per_year == pytest.approx(mean_usd * 10.0 * 3600 * 8760, rel=1e-12)
