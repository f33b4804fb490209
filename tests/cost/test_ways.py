"""Other hardware beside the scenario's own: the same requests, on one horizon."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tco.cost.compare import compare
from tco.cost.ways import break_even_hours
from tco.errors import InputError
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.report.ways import way_rows
from tco.scenario import Scenario

DAY = dt.date(2026, 12, 2)
BOUGHT = {"purchase": {"price_usd": 50000, "life_years": 3}}
RENTED = {"rent": {"usd_per_hour": 4}}
HOURLY = {"rent": {"usd_per_hour": 4, "billing": "hourly"}}
API = {"name": "api", "usd_per_million": {"input": 0.1, "output": 0.5}}
POWER = {"idle_w": 500, "load_w": 1000, "usd_per_kwh": 0.1}
TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {
        "shape": {"input_tokens": 500, "output_tokens": 500},
        "demand": {"average_output_tok_per_s": 15000, "profile": [1, 3] * 12},
    },
    "measurement": {"published": {"output_tok_per_s": 1e4, "source": "s", "date": "2026-10-15"}},
    "hardware": BOUGHT,
    "power": POWER,
    "alternatives": [API],
}


def compared(*others, **changes):
    named = [{"name": f"way {place}"} | other for place, other in enumerate(others)]
    scenario = Scenario.model_validate(TREE | {"other_hardware": named} | changes)
    measured = published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0")
    return compare(
        scenario,
        measured,
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=DAY,
        tool_version="0",
    )


def test_without_other_hardware_there_are_no_ways():
    assert compared().ways == ()


def test_ways_are_the_scenarios_own_then_the_others_then_the_apis():
    own, rented, hourly, api = compared(RENTED, HOURLY).ways
    assert (own.terms, rented.terms) == ("purchase", "reserved_rental")
    assert (hourly.terms, api.terms) == ("hourly_rental", "api")


def test_the_own_way_is_what_the_comparison_says_of_it():
    comparison = compared(RENTED)
    own, api = comparison.ways[0], comparison.ways[-1]
    assert own.usd_per_hour == comparison.self_host.usd_per_hour
    assert own.usd_per_year == pytest.approx(comparison.self_host.usd_per_year)
    (against,) = comparison.alternatives
    assert own.cash_at_start_usd == pytest.approx(-against.net_flows_usd[0])
    assert api.npv_usd_against_own == pytest.approx(-against.npv_usd)
    assert own.npv_usd_against_own == 0


METERED = {"rent": {"usd_per_hour": 4, "power_included": False}}


@pytest.mark.parametrize(
    ("hardware", "server_usd", "fleet_usd"),
    [
        (BOUGHT, 50_000, 0),
        (BOUGHT | {"one_off": {"network_usd": 700}}, 50_000, 700),
        (METERED | {"one_off": {"network_usd": 700}}, 0, 700),
        (METERED, 0, 0),
    ],
)
def test_what_is_paid_at_the_start_needs_no_alternative(hardware, server_usd, fleet_usd):
    for alternatives in ([API], []):
        own = compared(hardware=hardware, alternatives=alternatives).self_host
        assert own.servers > 1
        assert own.cash_at_start_usd == pytest.approx(server_usd * own.servers + fleet_usd)


def test_the_same_hardware_is_the_same_way():
    own, other, _ = compared(BOUGHT).ways
    assert other.model_copy(update={"name": own.name}) == own


def test_rent_by_the_hour_scales_with_the_profile():
    own, reserved, hourly, _ = compared(RENTED, HOURLY).ways
    assert own.servers == reserved.servers == 3
    assert hourly.servers == 3  # at the peak; on average two are paid
    assert reserved.usd_per_hour == pytest.approx(12)
    assert hourly.usd_per_hour == pytest.approx(8)


def test_buying_beats_renting_once_what_rent_costs_more_has_paid_the_price():
    own, rented, _ = compared(RENTED, operations={"other_usd_per_year": 8760}).ways
    watts_each = 500 + 500 * 0.5
    running = 3 * watts_each / 1000 * 0.1
    hours = 150_000 / (12 - running)
    assert rented.break_even_months == pytest.approx(hours / 730)
    assert own.break_even_months_reason == "not_buying_against_renting"


def test_the_break_even_is_the_same_seen_from_the_rented_side():
    power_of_own = RENTED | {"rent": {"usd_per_hour": 4, "power_included": False}}
    (_, rented, _) = compared(power_of_own).ways
    (_, bought, _) = compared(BOUGHT, hardware=power_of_own).ways
    assert bought.break_even_months == pytest.approx(rented.break_even_months)


def test_a_rent_below_what_running_costs_is_never_beaten():
    cheap = {"rent": {"usd_per_hour": 0.01}}
    _, rented, _ = compared(cheap).ways
    assert rented.break_even_months is None
    assert rented.break_even_months_reason == "rent_not_above_running"
    assert break_even_hours(1000.0, 1.0, 1.0) is None


@pytest.mark.parametrize("own_is_bought", [True, False])
def test_buying_that_takes_longer_than_what_is_bought_lasts_does_not_pay(own_is_bought):
    rented = {"rent": {"usd_per_hour": 1, "power_included": False}}
    got = compared(rented) if own_is_bought else compared(BOUGHT, hardware=rented)
    way = got.ways[1]
    assert way.life_months == 36
    assert way.break_even_months_unbounded == pytest.approx(50_000 / 730)
    assert (way.break_even_months, way.break_even_months_reason) == (None, "not_within_life")
    assert "not within its life (68.49 months)" in [row[-1] for row in way_rows(got)]
    (said,) = [each for each in got.findings if each.kind == "buying_not_within_life"]
    assert "does not pay within its life of 36 months: it would take 68.49" in said.message
    assert (said.value, said.limit) == (way.break_even_months_unbounded, 36)


def test_other_hardware_serves_what_one_own_server_serves():
    """A server of two accelerators holds both replicas that own servers of one would hold."""
    traffic = {"shape": TREE["traffic"]["shape"], "target_utilisation": 0.5}
    double = {"rent": {"usd_per_hour": 4, "accelerators": 2}}
    own, rented, api = compared(
        double,
        traffic=traffic,
        hardware={"purchase": {"price_usd": 50000, "life_years": 3, "accelerators": 4}},
        engine={"accelerators": 1, "attach": {"url": "http://127.0.0.1:1", "model": "m"}},
    ).ways
    assert (own.servers, rented.servers) == (1, 2)
    assert own.usd_per_hour / own.usd_per_request == pytest.approx(
        rented.usd_per_hour / rented.usd_per_request
    )
    assert api.usd_per_hour / api.usd_per_request == pytest.approx(
        own.usd_per_hour / own.usd_per_request
    )


def test_other_hardware_has_its_own_electricity_or_the_scenarios():
    dear = BOUGHT | {"power": POWER | {"usd_per_kwh": 0.2}}
    own, same, dearer, _ = compared(BOUGHT, dear).ways
    assert same.usd_per_hour == own.usd_per_hour
    assert dearer.usd_per_hour - own.usd_per_hour == pytest.approx(3 * 0.75 * 0.1)


def test_an_api_with_a_price_of_nothing_is_no_way():
    free = {"name": "free", "usd_per_million": {"input": 0, "output": 0}}
    assert len(compared(RENTED, alternatives=[free]).ways) == 2


@settings(max_examples=8)
@given(st.floats(0.5, 4), st.floats(0.5, 6), st.floats(100, 1e5))
def test_ways_of_different_lives_share_the_horizon(life, horizon, price):
    """The difference of present values is that of the bills, whatever either is compared with."""
    other = {"purchase": {"price_usd": price, "life_years": life}}
    own, way, api = compared(other, finance={"horizon_years": horizon}).ways
    assert way.npv_usd_against_own == pytest.approx(own.present_value_usd - way.present_value_usd)
    swapped = compared(BOUGHT, hardware=other, finance={"horizon_years": horizon}).ways
    assert swapped[0].present_value_usd == pytest.approx(way.present_value_usd)
    assert swapped[2].present_value_usd == pytest.approx(api.present_value_usd)


def test_figures_that_do_not_fit_name_the_way():
    with pytest.raises(InputError, match="100 lives") as caught:
        compared({"purchase": {"price_usd": 1, "life_years": 0.001}})
    assert caught.value.key == "other_hardware.0"


RUNNING = {"hosting_usd_per_month": 730, "fte": 1, "fte_usd_per_year": 87600}


def test_other_hardware_states_its_own_operations_and_inherits_the_rest():
    """Three servers at $1 an hour of hosting and one person at $10 an hour."""
    hosted = RENTED | {"operations": {"hosting_usd_per_month": 0}}
    lean = RENTED | {"operations": {"fte": 0.5, "licence_usd_per_accelerator_year": 8760}}
    _, first, second, third, _ = compared(RENTED, hosted, lean, operations=RUNNING).ways
    assert first.usd_per_hour == pytest.approx(12 + 3 + 10)
    assert second.usd_per_hour == pytest.approx(12 + 10)
    assert third.usd_per_hour == pytest.approx(12 + 3 + 5 + 3)
    parts = third.parts_usd_per_hour
    assert (parts.rental, parts.hosting, parts.staff, parts.licence) == pytest.approx((12, 3, 5, 3))
    assert second.parts_usd_per_hour.hosting == 0


def test_bought_other_hardware_has_maintenance_repairs_and_colocation_of_its_own():
    stated = {
        "maintenance_share_per_year": 0.0876,
        "failures_per_accelerator_year": 2,
        "repair_usd_per_failure": 4380,
        "colocation_usd_per_kw_month": 730,
    }
    own, way, _ = compared(BOUGHT | {"operations": stated}).ways
    assert own.parts_usd_per_hour.maintenance == own.parts_usd_per_hour.hosting == 0
    assert way.parts_usd_per_hour.maintenance == pytest.approx(3 * (0.5 + 1))
    assert way.parts_usd_per_hour.hosting == pytest.approx(3 * 1)


def test_the_operations_of_other_hardware_count_in_its_present_value():
    cheap, dear = ({"operations": {"hosting_usd_per_month": usd}} for usd in (0, 730))
    _, first, second, _ = compared(RENTED | cheap, RENTED | dear).ways
    yearly = 3 * 8760
    assert second.present_value_usd - first.present_value_usd == pytest.approx(
        yearly * (1 - 1.08**-3) / 0.08
    )


@pytest.mark.parametrize(
    ("operations", "key", "words"),
    [
        ({"hosting_usd_per_month": 500}, "hosting_usd_per_month", "$500 a server and month"),
        (
            {"repair_usd_per_failure": 2000, "failures_per_accelerator_year": 0.1},
            "repair_usd_per_failure",
            "$2,000 a failure",
        ),
    ],
)
def test_a_rented_way_that_inherits_what_its_rent_mostly_includes_is_said(operations, key, words):
    stated = RENTED | {"operations": {key: 0}}
    got = compared(RENTED, stated, BOUGHT, operations=operations)
    (said,) = [each for each in got.findings if each.kind == "rent_with_inherited_costs"]
    assert said.path == f"other_hardware.0.operations.{key}"
    assert f"way 0 is rented, and pays operations.{key} of the scenario" in said.message
    assert words in said.message
    assert f"state other_hardware.0.operations.{key} as 0" in said.advice
    assert said.value == operations[key]


@pytest.mark.parametrize("includes", [True, False])
def test_colocation_is_inherited_only_by_rent_that_has_watts_of_its_own(includes):
    rent = {"rent": {"usd_per_hour": 4, "power_included": includes}}
    got = compared(rent, operations={"colocation_usd_per_kw_month": 730})
    kinds = [each.kind for each in got.findings]
    assert got.ways[1].parts_usd_per_hour.hosting == pytest.approx(0 if includes else 3)
    assert ("rent_with_inherited_costs" in kinds) is not includes


def test_the_table_of_ways_says_where_hosting_is_paid_beside_the_rent():
    free = RENTED | {"operations": {"hosting_usd_per_month": 0}}
    rows = way_rows(compared(RENTED, free, operations={"hosting_usd_per_month": 500}))
    paid = {row[0]: row[1] for row in rows}
    assert paid["way 0"] == "reserved rent, and hosting"
    assert paid["way 1"] == "reserved rent"


@pytest.mark.parametrize(
    ("operations", "key"),
    [
        ({"fte": 1}, "fte"),
        ({"repair_usd_per_failure": 1}, "repair_usd_per_failure"),
        ({"colocation_usd_per_kw_month": 100}, "colocation_usd_per_kw_month"),
        ({"hosting_usd_per_mont": 1}, "hosting_usd_per_mont"),
        ({"growth_per_year": 0.1}, "growth_per_year"),
    ],
)
def test_operations_of_other_hardware_that_do_not_fit_name_their_key(operations, key):
    with pytest.raises(ValidationError) as caught:
        compared(RENTED | {"operations": operations})
    (first, *_) = caught.value.errors()
    named = (*first["loc"], *first.get("ctx", {}).get("key", ()))
    assert named == ("other_hardware", 0, "operations", key)


def test_a_person_of_other_hardware_may_cost_what_the_scenarios_does():
    way = RENTED | {"operations": {"fte": 2}}
    operations = {"fte": 0, "fte_usd_per_year": 87600}
    assert compared(way, operations=operations).ways[1].parts_usd_per_hour.staff == 20
