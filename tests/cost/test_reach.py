"""How busy a demand lets its fleet be: by hand, and held against sizing itself."""

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, Tier
from tco.cost.evaluate import Inputs, SizedDemand, evaluate, sized_fleet
from tco.cost.ownership import Running, Server
from tco.cost.reach import is_within, reachable_utilisation

FEW = settings(max_examples=60, deadline=None)
SHARES = st.floats(0.05, 1)


def inputs_of(load, *, hourly=False, price_usd=0.2):
    server = Server(accelerators=8, price_usd=1e5, life_years=3, idle_w=500, load_w=3000)
    return Inputs(
        input_tokens=500,
        output_tokens=500,
        capacity_requests_per_s=10.0,
        load=load,
        server=dataclasses.replace(server, usd_per_kwh=0.1),
        running=Running(other_usd_per_year=5000),
        rent_follows_profile=hourly,
        alternatives=(ApiTerms((Tier(price_usd, None, price_usd),)),),
    )


@st.composite
def demands(draw):
    average = draw(st.floats(1, 500))
    profile = None
    ratio = draw(st.floats(1, 8))
    if draw(st.booleans()):
        weights = draw(st.lists(st.floats(0.05, 10), min_size=24, max_size=24))
        profile = np.array(weights)
        # A trace's busiest minute may lie above its busiest hour.
        ratio = profile.max() / profile.mean() * draw(st.floats(1, 1.5))
    return SizedDemand(
        average_requests_per_s=average,
        peak_requests_per_s=average * ratio,
        target_peak_utilisation=draw(SHARES),
        availability=draw(SHARES),
        spares=draw(st.integers(0, 3)),
        profile=profile,
    )


def at(load, factor):
    return dataclasses.replace(
        load,
        average_requests_per_s=load.average_requests_per_s * factor,
        peak_requests_per_s=load.peak_requests_per_s * factor,
    )


def test_by_hand_it_is_target_by_availability_by_serving_share_over_the_peak():
    load = SizedDemand(42, 42 * 1.8, target_peak_utilisation=0.8, availability=0.99, spares=1)
    inputs = inputs_of(load)
    fleet = sized_fleet(inputs)
    assert fleet.replicas == 11
    assert reachable_utilisation(inputs, fleet) == pytest.approx(0.8 * 0.99 * 10 / 11 / 1.8)


def test_a_stated_utilisation_can_be_full():
    inputs = inputs_of(0.3)
    assert reachable_utilisation(inputs, sized_fleet(inputs)) == 1


def test_rent_by_the_hour_follows_the_hours_and_only_peaks_within_them_count():
    profile = np.array([1.0, 3.0] * 12)
    load = SizedDemand(40, 40 * 1.5 * 1.25, profile=profile)
    inputs = inputs_of(load, hourly=True)
    assert reachable_utilisation(inputs, sized_fleet(inputs)) == pytest.approx(1 / 1.25)


def test_rent_by_the_hour_without_a_profile_is_a_fleet_for_the_peak():
    inputs = inputs_of(SizedDemand(40, 80), hourly=True)
    assert reachable_utilisation(inputs, sized_fleet(inputs)) == pytest.approx(0.5)


@FEW
@given(demands(), st.booleans())
def test_no_fleet_is_busier_than_its_demand_lets_it_be(load, hourly):
    inputs = inputs_of(load, hourly=hourly)
    fleet = sized_fleet(inputs)
    assert is_within(fleet.utilisation, reachable_utilisation(inputs, fleet))


@FEW
@given(demands(), st.floats(0.2, 5))
def test_what_is_reachable_is_the_most_that_the_same_fleet_is_sized_for(load, factor):
    """More of the same traffic takes no replica more if, and only if, it is within reach."""
    inputs = inputs_of(load)
    fleet = sized_fleet(inputs)
    reach = reachable_utilisation(inputs, fleet)
    wanted = fleet.utilisation * factor
    assume(abs(wanted / reach - 1) > 1e-6)
    needed = sized_fleet(inputs_of(at(load, factor))).replicas
    assert (wanted < reach) == (needed <= fleet.replicas)


@FEW
@given(demands(), st.floats(0.01, 2))
def test_at_a_break_even_within_reach_the_same_traffic_costs_the_same(load, price_usd):
    """The volume of a comparison and a solve over the demand are one crossing."""
    inputs = inputs_of(load, price_usd=price_usd)
    here = evaluate(inputs)
    even = here.rivals[0].break_even_unbounded
    assume(np.isfinite(even))
    factor = even / here.fleet.utilisation
    there = evaluate(dataclasses.replace(inputs, load=at(load, factor)))
    reach = reachable_utilisation(inputs, here.fleet)
    if there.fleet.replicas == here.fleet.replicas:
        assert is_within(even, reach)
        assert there.rivals[0].saving == pytest.approx(0, abs=1e-9)
    elif not is_within(even, reach):
        assert there.fleet.replicas > here.fleet.replicas


def test_an_array_gives_what_its_numbers_give():
    averages = np.array([5.0, 40.0, 90.0])
    load = SizedDemand(averages, averages * 2, target_peak_utilisation=0.9, spares=1)
    inputs = inputs_of(load)
    together = reachable_utilisation(inputs, sized_fleet(inputs))
    for place, average in enumerate(averages):
        one = inputs_of(SizedDemand(average, average * 2, target_peak_utilisation=0.9, spares=1))
        alone = reachable_utilisation(one, sized_fleet(one))
        assert together[place] == pytest.approx(alone)
