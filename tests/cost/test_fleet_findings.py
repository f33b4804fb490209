"""Findings on the size of a fleet: break-even out of reach, idle accelerators, near steps."""

import datetime as dt

import pytest

from tco.cost.compare import compare
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.report.headline import headline
from tco.scenario import Scenario

DEMAND = {
    "requests_per_day": 500_000,
    "profile": [1] * 8 + [4] * 8 + [2] * 8,
    "target_peak_utilisation": 0.8,
}
TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {"shape": {"input_tokens": 500, "output_tokens": 500}, "demand": DEMAND},
    "measurement": {"published": {"output_tok_per_s": 1e4, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 50_000, "life_years": 3}},
    "power": {"idle_w": 500, "load_w": 1000, "usd_per_kwh": 0.1},
    "alternatives": [
        {"name": "api", "usd_per_million": {"input": 0.05, "output": 0.1}, "same_weights": True}
    ],
}
ONE_ACCELERATOR = {"accelerators": 1, "attach": {"url": "http://127.0.0.1:1", "model": "m"}}
EIGHT = {"purchase": {"price_usd": 200_000, "life_years": 3, "accelerators": 8}}


def compared(demand=None, **changes):
    traffic = TREE["traffic"] | {"demand": DEMAND | (demand or {})}
    scenario = Scenario.model_validate(TREE | {"traffic": traffic} | changes)
    return compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def the(kind, comparison):
    (found,) = [each for each in comparison.findings if each.kind == kind]
    return found


def kinds(comparison):
    return {each.kind for each in comparison.findings}


def api(usd):
    return {"alternatives": [TREE["alternatives"][0] | {"usd_per_million": usd}]}


def test_a_break_even_that_the_profile_cannot_reach_is_said_with_the_limit():
    got = compared(**api({"input": 0.05, "output": 0.056}))
    rival, reach = got.alternatives[0], got.self_host.reachable_utilisation
    assert reach == pytest.approx(0.8 * (56 / 24) / 4)
    assert reach < rival.break_even_utilisation < 1
    assert rival.break_even_within_capacity is False
    said = the("break_even_above_reach", got)
    assert (said.value, said.limit) == (rival.break_even_utilisation, reach)
    assert f"{rival.break_even_utilisation:.1%}" in said.message
    assert f"{reach:.1%}" in said.message
    assert "above the 46.7 % that this demand lets the fleet reach" in headline(got)
    assert "break_even_above_capacity" not in kinds(got)


def test_several_break_evens_out_of_reach_are_one_finding_that_names_the_headlines_first():
    prices = ({"input": 0.05, "output": 0.056}, {"input": 0.05, "output": 0.053})
    rivals = [
        {"name": name, "usd_per_million": usd, "same_weights": True}
        for name, usd in zip("ab", prices, strict=True)
    ]
    got = compared(alternatives=rivals)
    said = the("break_even_above_reach", got)
    first, second = (each.break_even_utilisation for each in got.alternatives)
    assert (said.path, said.value) == ("alternatives.1", second)
    assert f"{second:.1%} utilisation to break even against b" in said.message
    assert f"{first:.1%} against a" in said.message


def test_a_break_even_within_reach_is_said_as_it_was():
    got = compared(**api({"input": 0.1, "output": 0.5}))
    assert got.alternatives[0].break_even_within_capacity is True
    assert "break_even_above_reach" not in kinds(got)
    assert "fleet reach" not in headline(got)


def test_without_a_demand_full_load_is_the_limit():
    traffic = {"shape": TREE["traffic"]["shape"], "target_utilisation": 0.3}
    got = compared(traffic=traffic, **api({"input": 0.05, "output": 0.056}))
    assert got.alternatives[0].break_even_within_capacity is True
    assert "break_even_above_reach" not in kinds(got)


def test_rent_by_the_hour_has_no_volume_and_still_says_what_it_cannot_reach():
    rent = {"rent": {"usd_per_hour": 3.0, "billing": "hourly"}}
    got = compared(
        {"target_peak_utilisation": 0.5},
        hardware=rent,
        power=None,
        **api({"input": 0, "output": 0.1}),
    )
    assert got.alternatives[0].break_even_requests_per_month is None
    assert got.alternatives[0].break_even_within_capacity is None
    said = the("break_even_above_reach", got)
    assert said.limit == pytest.approx(0.5)
    # The fleet follows the profile's peak, which so keeps nothing from full load.
    assert "its peak" not in said.message


def test_idle_accelerators_of_a_paid_server_are_said_with_what_would_use_them():
    got = compared({"requests_per_day": 2e6}, engine=ONE_ACCELERATOR, hardware=EIGHT)
    own = got.self_host
    assert (own.servers, own.accelerators, own.accelerators_used) == (1, 8, own.replicas)
    said = the("idle_accelerators", got)
    assert said.value == pytest.approx(1 - own.replicas / 8)
    assert f"{own.replicas} replicas on {own.replicas} of 8 accelerators" in said.message
    assert f"{8 - own.replicas} more replicas would fit" in said.advice


def test_a_full_server_has_none_idle_and_a_replica_that_leaves_some_over_is_said():
    assert "idle_accelerators" not in kinds(compared())
    three = ONE_ACCELERATOR | {"accelerators": 3}
    said = the(
        "idle_accelerators", compared({"requests_per_day": 1.2e6}, engine=three, hardware=EIGHT)
    )
    assert said.value == pytest.approx(0.25)


def test_where_accelerators_idle_the_advice_is_to_use_them_and_says_whether_it_suffices():
    suffices = compared(engine=ONE_ACCELERATOR, hardware=EIGHT, **api({"input": 0, "output": 0.08}))
    said = the("break_even_above_capacity", suffices)
    assert "cheaper or a faster" not in said.advice
    assert "in the same servers can serve it" in said.advice
    too_dear = compared(engine=ONE_ACCELERATOR, hardware=EIGHT, **api({"input": 0, "output": 0.01}))
    assert "can't serve it either" in the("break_even_above_capacity", too_dear).advice


@pytest.mark.parametrize("spares", [0, 1])
def test_filling_the_servers_serves_the_volume_where_the_advice_says_so(spares):
    """The demand at that volume fits in the servers that are paid, and costs what the API bills."""
    case = {"engine": ONE_ACCELERATOR, "hardware": EIGHT} | api({"input": 0, "output": 0.08})
    got = compared({"spares": spares}, **case)
    per_day = got.alternatives[0].break_even_requests_per_month * 12 / 365
    there = compared({"spares": spares, "requests_per_day": per_day}, **case)
    assert there.self_host.servers == got.self_host.servers
    assert there.alternatives[0].saving == pytest.approx(0, abs=1e-9)


def peak_at(share, replicas):
    """A demand whose peak takes that share of what so many replicas may serve."""
    limit = 20 * 0.8 * replicas * share
    return {"requests_per_day": limit / (4 / (56 / 24)) * 86_400}


def test_a_server_step_just_above_is_said_with_what_it_does_to_the_saving():
    got = compared(peak_at(1 / 1.1, 2))
    said = the("server_step_above", got)
    assert said.value == pytest.approx(0.1)
    assert "10.0% more traffic takes 3 servers instead of 2" in said.message
    beyond = compared(peak_at(1.0001, 2))
    assert beyond.self_host.servers == 3
    assert f"then {beyond.alternatives[0].saving:.1%} instead of" in said.message
    assert "server_step_below" not in kinds(got)


def test_a_server_step_just_below_is_said_with_what_it_would_save():
    said = the("server_step_below", compared(peak_at(1.05, 2)))
    assert said.value == pytest.approx(1 / 1.05 - 1)
    assert "4.8% less traffic takes 2 servers instead of 3" in said.message


def test_a_peak_that_fills_the_fleet_takes_a_server_for_any_more():
    assert (
        "any more traffic takes 3 servers"
        in the("server_step_above", compared(peak_at(1, 2))).message
    )


@pytest.mark.parametrize("share", [1 / 1.2, 0.6])
def test_a_step_that_is_far_is_not_said(share):
    assert not kinds(compared(peak_at(share, 2))) & {"server_step_above", "server_step_below"}


def test_a_step_that_is_a_small_part_of_a_large_fleet_is_not_said():
    assert not kinds(compared(peak_at(0.999, 60))) & {"server_step_above", "server_step_below"}


def test_a_server_saved_by_as_much_traffic_as_it_costs_is_not_said():
    """A fleet of eight is one of nine with a ninth less traffic: a request costs the same."""
    got = compared(peak_at(1.001, 8))
    assert got.self_host.servers == 9
    assert "server_step_below" in kinds(got)
    assert "server_step_below" not in kinds(compared(peak_at(1.1, 8)))


def test_idle_accelerators_of_hourly_rent_are_those_at_the_peak():
    rent = {"rent": {"usd_per_hour": 20, "billing": "hourly", "accelerators": 8}}
    got = compared({"requests_per_day": 2e6}, engine=ONE_ACCELERATOR, hardware=rent, power=None)
    assert the("idle_accelerators", got).message.startswith("at the peak, ")


def test_rent_that_follows_the_hours_has_no_step():
    rent = {"rent": {"usd_per_hour": 3.0, "billing": "hourly"}}
    got = compared(peak_at(1 / 1.1, 2), hardware=rent, power=None)
    assert not kinds(got) & {"server_step_above", "server_step_below"}
