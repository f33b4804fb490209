"""Colocation, failures, availability, spares and carbon, as they enter own cost."""

import copy
import dataclasses
import datetime as dt
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tco.cost.compare import compare
from tco.cost.evaluate import Inputs, SizedDemand, evaluate, sized_fleet
from tco.cost.fleet import busy_share, fleet_by_hour, fleet_for_demand
from tco.cost.ownership import Running, Server
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.scenario import Scenario

TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {
        "shape": {"input_tokens": 500, "output_tokens": 500},
        "demand": {"requests_per_day": 864000, "peak_to_average": 2, "spares": 1},
    },
    "slo": {"ttft_p95_ms": 2000},
    "measurement": {"published": {"requests_per_s": 4, "source": "s", "date": "2026-10-15"}},
    "engine": {"launch": {"model": "m"}, "accelerators": 2},
    "hardware": {"purchase": {"price_usd": 40000, "accelerators": 4, "life_years": 4}},
    "power": {"idle_w": 1000, "load_w": 4000, "pue": 1.5, "usd_per_kwh": 0.1},
    "alternatives": [
        {"name": "api", "usd_per_million": {"input": 1, "output": 5}, "same_weights": True}
    ],
}


def changed(*changes):
    tree = copy.deepcopy(TREE)
    for key, value in changes:
        *above, last = key.split(".")
        node = tree
        for part in above:
            node = node.setdefault(part, {})
        node[last] = value
    return tree


def compared(*changes):
    scenario = Scenario.model_validate(changed(*changes))
    return compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256="0",
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def detail(comparison, key):
    return next(each for each in comparison.self_host.details if each.key == key)


def test_colocation_is_paid_for_the_contracted_kilowatts_of_all_servers():
    bare = compared().self_host
    own = compared(("operations.colocation_usd_per_kw_month", 200)).self_host
    assert own.servers == 3
    more = own.parts_usd_per_year.hosting - bare.parts_usd_per_year.hosting
    assert more == pytest.approx(3 * 4 * 200 * 12)
    assert own.usd_per_year - bare.usd_per_year == pytest.approx(more)


def test_colocation_without_a_load_is_refused():
    tree = changed(("operations.colocation_usd_per_kw_month", 200))
    del tree["power"]
    with pytest.raises(ValidationError, match="per kW of a server's load"):
        Scenario.model_validate(tree)


def test_repairs_are_failures_of_all_accelerators_in_the_maintenance_line():
    own = compared(
        ("operations.failures_per_accelerator_year", 0.09),
        ("operations.repair_usd_per_failure", 5000),
    ).self_host
    assert own.parts_usd_per_year.maintenance == pytest.approx(3 * 4 * 0.09 * 5000)


def test_a_repair_price_without_failures_is_refused():
    with pytest.raises(ValidationError, match="needs failures_per_accelerator_year"):
        Scenario.model_validate(changed(("operations.repair_usd_per_failure", 5000)))


def test_failures_without_a_spare_are_said():
    failing = ("operations.failures_per_accelerator_year", 0.09)
    kinds = {each.kind for each in compared(failing).findings}
    assert "failures_without_spares" not in kinds
    found = compared(failing, ("traffic.demand.spares", 0)).findings
    said = next(each for each in found if each.kind == "failures_without_spares")
    assert said.value == pytest.approx(0.09 * 3 * 4)


def test_a_replica_that_is_up_half_of_the_time_counts_half():
    assert compared().self_host.replicas == 5 + 1
    own = compared(("traffic.demand.availability", 0.5)).self_host
    assert own.replicas == 10 + 1


@pytest.mark.parametrize("billing", ["reserved", "hourly"])
def test_what_spares_add_is_the_difference_to_a_fleet_without(billing):
    rented = (
        ("hardware", {"rent": {"usd_per_hour": 9, "accelerators": 2, "power_included": False,
                               "billing": billing}}),
        ("traffic.demand", {"requests_per_day": 864000, "profile": [1, 3] * 12, "spares": 2}),
    )  # fmt: skip
    with_spares = compared(*rented)
    demand = rented[1][1] | {"spares": 0}
    without = compared(rented[0], ("traffic.demand", demand)).self_host.usd_per_year
    added = detail(with_spares, "traffic.demand.spares")
    assert added.usd_per_year == pytest.approx(with_spares.self_host.usd_per_year - without)
    assert added.usd_per_year >= 2 * 9 * 8760


def test_a_spare_that_fits_in_a_paid_server_is_included_and_adds_nothing():
    spare = detail(compared(), "traffic.demand.spares")
    assert (spare.included, spare.usd_per_year) == (True, pytest.approx(0, abs=1e-6))
    assert not detail(compared(("traffic.demand.spares", 0)), "traffic.demand.spares").included


def test_every_detail_is_listed_and_says_whether_it_is_included():
    found = {each.key: each for each in compared().self_host.details}
    assert not found["operations.fte"].included
    assert found["operations.fte"].usd_per_year == 0
    assert not found["finance.api_price_change_per_year"].included
    pue = found["power.pue"]
    assert pue.included
    lines = compared().self_host.parts_usd_per_year
    assert pue.usd_per_year == pytest.approx(lines.power * (1 - 1 / 1.5))


def test_the_details_of_operations_sum_to_their_lines():
    own = compared(
        ("operations", {
            "fte": 0.5, "fte_usd_per_year": 1e5, "licence_usd_per_accelerator_year": 4500,
            "maintenance_share_per_year": 0.05, "failures_per_accelerator_year": 0.1,
            "repair_usd_per_failure": 300, "hosting_usd_per_month": 250,
            "colocation_usd_per_kw_month": 195, "other_usd_per_year": 7,
        }),
    ).self_host  # fmt: skip
    listed = [e.usd_per_year for e in own.details if e.key.startswith("operations.")]
    lines = own.parts_usd_per_year
    total = lines.maintenance + lines.licence + lines.hosting + lines.staff + lines.other
    assert sum(filter(None, listed)) == pytest.approx(total)


def test_carbon_is_none_without_an_intensity_and_energy_none_without_watts():
    own = compared().self_host
    assert own.energy_kwh_per_year == pytest.approx(own.parts_usd_per_year.power / 0.1)
    assert (own.kg_co2e_per_year, own.kg_co2e_per_year_reason) == (None, "no_intensity_stated")
    rented = compared(("hardware", {"rent": {"usd_per_hour": 9}}), ("power", None))
    assert rented.self_host.energy_kwh_per_year is None
    assert rented.self_host.energy_kwh_per_year_reason == "no_power_stated"


def test_carbon_is_energy_and_the_making_of_the_servers():
    own = compared(("power.kg_co2e_per_kwh", 0.4), ("hardware.embodied_kg_co2e", 1200)).self_host
    kg = own.energy_kwh_per_year * 0.4 + 3 * 1200 / 4
    assert own.kg_co2e_per_year == pytest.approx(kg)
    million = own.requests_per_year * 1000 / 1e6
    assert own.g_co2e_per_million_total == pytest.approx(kg * 1000 / million)


def test_making_a_rented_server_has_no_life_to_spread_over():
    tree = changed(("hardware", {"rent": {"usd_per_hour": 1}, "embodied_kg_co2e": 5}))
    with pytest.raises(ValidationError, match="a rental has none"):
        Scenario.model_validate(tree)


RATE = st.floats(0.1, 1e3)
SHARE = st.floats(0.2, 1)
SIZES = {"accelerators_per_replica": 2.0, "accelerators_per_server": 8.0}


def demand(average, **more):
    return Inputs(
        input_tokens=5.0,
        output_tokens=5.0,
        capacity_requests_per_s=3.0,
        load=SizedDemand(average, average * 2, **more),
        server=Server(accelerators=8.0, rent_usd_per_hour=1.0),
        running=Running(),
        accelerators_per_replica=2.0,
    )


@given(RATE, st.floats(0, 100), SHARE, SHARE)
def test_more_demand_never_takes_fewer_replicas(average, more, target, availability):
    shares = {"target_peak_utilisation": target, "availability": availability}
    few = sized_fleet(demand(average, **shares))
    many = sized_fleet(demand(average + more, **shares))
    assert many.replicas >= few.replicas
    assert many.servers >= few.servers


@given(RATE, st.integers(0, 5), SHARE)
def test_spares_add_exactly_that_many_replicas(average, spares, availability):
    bare = sized_fleet(demand(average, availability=availability))
    spared = sized_fleet(demand(average, availability=availability, spares=float(spares)))
    assert spared.replicas == bare.replicas + spares


@given(RATE)
def test_full_availability_is_as_if_none_were_stated(average):
    assert evaluate(demand(average, availability=1.0)) == evaluate(demand(average))


@given(RATE, SHARE, SHARE)
def test_less_availability_never_takes_fewer_replicas(average, low, high):
    low, high = sorted((low, high))
    rarely = sized_fleet(demand(average, availability=low))
    assert rarely.replicas >= sized_fleet(demand(average, availability=high)).replicas


@pytest.mark.parametrize("availability", [0.0, 1.1])
def test_an_availability_outside_its_range_is_an_error(availability):
    with pytest.raises(ValueError, match="availability"):
        sized_fleet(demand(1.0, availability=availability))


@given(st.lists(st.floats(0, 10), min_size=24, max_size=24).filter(any), RATE)
def test_rent_by_the_hour_pays_the_power_of_the_paid_hours_alone(weights, average):
    """Of three accelerators a replica in servers of eight, against each hour by itself."""

    profile = np.array(weights)
    peak = average * profile.max() / profile.mean()
    hourly = fleet_by_hour(
        average=average, peak=peak, profile=profile, capacity=3.0, target_peak_utilisation=0.8,
        spares=1.0, accelerators_per_replica=3.0, accelerators_per_server=8.0,
    )  # fmt: skip
    watts = 0.0
    for weight in weights:
        rate = average * weight / profile.mean()
        paid = max(np.ceil(rate / 2.4 - 1e-9), 1) + 1
        servers = np.ceil(paid * 3 / 8 - 1e-9)
        busy = rate / (paid * 3.0) * paid * 3 / (servers * 8)
        watts += servers * (300 + 700 * busy) / 24
    assert hourly.servers * (300 + 700 * hourly.server_load) == pytest.approx(watts, rel=1e-6)


@given(RATE, st.floats(1, 5))
def test_a_profile_by_the_hour_never_pays_more_than_the_fleet_of_its_peak(average, peak):

    profile = np.linspace(1, peak, 24)
    shared = {"average": average, "peak": average * profile.max() / profile.mean(),
              "capacity": 3.0, "target_peak_utilisation": 1.0, "spares": 1.0} | SIZES  # fmt: skip
    hourly = fleet_by_hour(profile=profile, **shared)
    assert hourly.servers <= fleet_for_demand(**shared).servers


def test_arrays_size_fleets_as_numbers_do():

    averages = np.array([1.0, 7.0, 33.0])
    many = sized_fleet(demand(averages, availability=np.array([1.0, 0.9, 0.5])))
    for index, (average, up) in enumerate(zip(averages, (1.0, 0.9, 0.5), strict=True)):
        one = sized_fleet(demand(float(average), availability=up))
        assert dataclasses.astuple(one) == (
            many.replicas[index],
            many.servers[index],
            many.utilisation[index],
            many.filled_share[index],
        )


def test_a_comparison_holds_the_cheapest_split_with_each_alternative_or_why_not():
    demand = {"requests_per_day": 864000, "profile": [1] * 20 + [6] * 4}
    split = compared(("traffic.demand", demand)).alternatives[0].hybrid
    assert split.base_replicas >= 0
    result = compared().alternatives[0]
    assert (result.hybrid, result.hybrid_reason) == (None, "no_profile")
    free = [{"name": "free", "usd_per_million": {"input": 0, "output": 0}}]
    unpriced = compared(("traffic.demand", demand), ("alternatives", free)).alternatives[0]
    assert (unpriced.hybrid, unpriced.hybrid_reason) == (None, "zero_price")


@given(RATE, st.integers(0, 3))
def test_a_spare_that_fits_in_a_paid_server_draws_no_less_power(average, spares):
    inputs = demand(average, spares=float(spares))
    inputs = dataclasses.replace(
        inputs, server=Server(accelerators=8.0, idle_w=100.0, load_w=900.0, usd_per_kwh=1.0)
    )
    bare = dataclasses.replace(inputs, load=dataclasses.replace(inputs.load, spares=0.0))
    assert evaluate(inputs).lines.power >= evaluate(bare).lines.power * (1 - 1e-12)


@pytest.mark.parametrize("beyond", [0.0, 1e-10, 9e-10])
def test_a_demand_a_hair_above_a_full_fleet_is_a_full_fleet(beyond):
    fleet = fleet_for_demand(
        average=4.0 * (1 + beyond / 4),
        peak=4.0 * (1 + beyond / 4),
        capacity=1.0,
        target_peak_utilisation=1.0,
        spares=0.0,
        accelerators_per_replica=1.0,
        accelerators_per_server=1.0,
    )
    assert (fleet.replicas, fleet.utilisation) == (4.0, 1.0)


def test_a_share_truly_above_all_is_left_to_be_refused():
    assert busy_share(1.1, 1.0, 1.0) == pytest.approx(1.1)


def test_a_week_of_hours_takes_no_week_of_arrays():
    draws = np.linspace(1.0, 9.0, 50_000)
    shared = {"capacity": 3.0, "target_peak_utilisation": 0.8, "spares": 1.0} | SIZES
    peaks = {}
    for hours in (24, 168):
        profile = np.linspace(1.0, 3.0, hours)
        tracemalloc.start()
        fleet = fleet_by_hour(average=draws, peak=draws * 1.5, profile=profile, **shared)
        peaks[hours] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        one = fleet_by_hour(average=draws[7], peak=draws[7] * 1.5, profile=profile, **shared)
        assert fleet.replicas[7] == pytest.approx(one.replicas, rel=1e-12)
        assert fleet.servers[7] == pytest.approx(one.servers, rel=1e-12)
    assert peaks[168] < 1.2 * peaks[24]
    assert peaks[168] < 30 * draws.nbytes
