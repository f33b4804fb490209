"""Faults of economics that users of other tools reported, each shown not to be ours."""

import datetime as dt
import re
from pathlib import Path

import pytest

from tco.cost.compare import compare
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.report.inputs import inputs_table
from tco.scenario import Scenario

TCO = Path(__file__).parents[2] / "tco"


def scenario(**parts):
    tree = {
        "schema": "tco.scenario/1",
        "name": "case",
        "traffic": {"shape": {"input_tokens": 8000, "output_tokens": 500}},
        "measurement": {
            "published": {"output_tok_per_s": 1000, "source": "s", "date": "2026-10-15"}
        },
        "hardware": {"rent": {"usd_per_hour": 3.6, "accelerators": 2}},
        "alternatives": [
            {
                "name": "api",
                "usd_per_million": {"input": 0.2, "cached_input": 0.05, "output": 0.8},
            }
        ],
    }
    return Scenario.model_validate(tree | parts)


def traffic(*, cached=0.0, **more):
    shape = {"input_tokens": 8000, "cached_input_share": cached, "output_tokens": 500}
    return {"shape": shape, **more}


def compared(stated):
    return compare(
        stated,
        published_measurement(stated, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def test_an_output_rate_is_never_held_against_a_price_of_all_tokens():
    """$3.60 an hour over 2 requests a second is $0.0005 a request; the API asks $0.002."""
    got = compared(scenario())
    own, rival = got.self_host, got.alternatives[0]
    assert own.usd_per_request == pytest.approx(0.0005)
    assert rival.usd_per_request == pytest.approx((8000 * 0.2 + 500 * 0.8) / 1e6)
    assert rival.saving == pytest.approx(0.75)
    for of in ("usd_per_million_output", "usd_per_million_total"):
        assert 1 - getattr(own, of) / getattr(rival, of) == pytest.approx(rival.saving)
    assert own.usd_per_million_output == pytest.approx(17 * own.usd_per_million_total)


def test_a_rate_of_all_tokens_is_not_taken_for_one_of_output():
    published = {"total_tok_per_s": 17000, "source": "s", "date": "2026-10-15"}
    rates = compared(scenario(measurement={"published": published})).capacity
    assert (rates.output_tok_per_s, rates.requests_per_s) == pytest.approx((1000, 2))


def test_rent_is_paid_whether_busy_or_idle():
    busy = compared(scenario())
    idle = compared(scenario(traffic=traffic(target_utilisation=0.1)))
    assert idle.self_host.usd_per_hour == busy.self_host.usd_per_hour == pytest.approx(3.6)
    assert idle.self_host.usd_per_request == pytest.approx(10 * busy.self_host.usd_per_request)


def test_a_fleet_for_the_peak_is_divided_by_the_average_demand():
    demand = {"average_requests_per_s": 3, "peak_to_average": 4, "spares": 1}
    got = compared(scenario(traffic=traffic(demand=demand)))
    own = got.self_host
    # 12 requests a second at the peak take 6 replicas of 2, and one is spare.
    assert (own.replicas, own.servers) == (7, 7)
    assert own.usd_per_request == pytest.approx(7 * 3.6 / (3 * 3600))
    assert got.served.requests_per_s == pytest.approx(3)


def test_a_month_is_730_hours_on_every_page():
    own = compared(scenario(operations={"hosting_usd_per_month": 730})).self_host
    assert own.parts_usd_per_hour.hosting == pytest.approx(1)
    assert own.parts_usd_per_year.hosting == pytest.approx(12 * 730)
    paths = [path for path in TCO.rglob("*.py") if path.name != "letters.py"]  # widths of letters
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    for number in (720, 730, 8760, 8784):
        holders = {path.name for path, text in sources.items() if re.search(rf"\b{number}\b", text)}
        assert holders <= {"units.py"}, number


def test_a_price_is_per_million_tokens_and_never_per_thousand():
    own = compared(scenario()).self_host
    assert own.usd_per_million_output == pytest.approx(own.usd_per_request / 500 * 1e6)
    assert own.usd_per_million_output == pytest.approx(1.0)


def test_a_servers_price_is_not_one_accelerators():
    """A server of two holds two replicas of one: the rent is of both, the licence twice."""
    engine = {"accelerators": 1}
    licence = {"licence_usd_per_accelerator_year": 4380}
    own = compared(scenario(engine=engine, operations=licence)).self_host
    assert (own.servers, own.replicas) == (1, 2)
    assert own.parts_usd_per_hour.rental == pytest.approx(3.6)
    assert own.parts_usd_per_hour.licence == pytest.approx(2 * 4380 / 8760)
    assert own.usd_per_request == pytest.approx((3.6 + 1) / (2 * 2 * 3600))


def test_the_cache_discount_is_taken_off_cached_input_alone():
    rival = compared(scenario(traffic=traffic(cached=0.75))).alternatives[0]
    bill = (2000 * 0.2 + 6000 * 0.05 + 500 * 0.8) / 1e6
    assert rival.usd_per_request == pytest.approx(bill)


def test_cached_tokens_are_left_out_on_neither_side():
    got = compared(scenario(traffic=traffic(cached=0.75)))
    own, rival = got.self_host, got.alternatives[0]
    for side in (own, rival):
        assert side.usd_per_million_total * 8500 == pytest.approx(side.usd_per_request * 1e6)
    assert got.capacity.input_tok_per_s == pytest.approx(2 * 8000)


@pytest.mark.parametrize("utilisation", [0.1, 0.5, 1.0])
def test_the_break_even_volume_does_not_move_with_utilisation(utilisation):
    rival = compared(scenario(traffic=traffic(target_utilisation=utilisation))).alternatives[0]
    assert rival.break_even_requests_per_month == pytest.approx(3.6 * 730 / 0.002)


def test_no_break_even_is_given_where_even_full_load_is_dearer():
    dear = {"rent": {"usd_per_hour": 36, "accelerators": 2}}
    got = compared(scenario(hardware=dear))
    rival = got.alternatives[0]
    assert rival.saving == pytest.approx(-1.5)
    assert rival.break_even_utilisation is None
    assert rival.break_even_utilisation_reason == "dearer_at_full_load"
    assert rival.break_even_within_capacity is False
    assert "break_even_above_capacity" in {finding.kind for finding in got.findings}


def test_what_is_left_out_of_the_cost_is_said():
    owned = {"purchase": {"price_usd": 1e5, "life_years": 3}}
    said = {
        finding.kind: finding.message for finding in compared(scenario(hardware=owned)).findings
    }
    for line in ("power", "staff", "licence", "maintenance", "hosting", "other"):
        assert line in said["not_included"]
    for line in ("power", "staff", "licence"):
        assert line in said["purchase_without_running_costs"]


def test_spares_pue_and_the_apis_own_price_change_are_listed_at_their_defaults_too():
    stated = scenario(
        traffic=traffic(demand={"average_requests_per_s": 3}),
        hardware={"purchase": {"price_usd": 1e5, "life_years": 3}},
        power={"load_w": 1000, "usd_per_kwh": 0.1},
    )
    rows = [[cell.text for cell in row.cells] for row in inputs_table(stated).rows]
    shown = {key: value.strip() for key, value, *_ in rows}
    assert shown["traffic.demand.spares"] == "0"
    assert shown["power.pue"] == "1"
    assert shown["finance.api_price_change_per_year"].startswith("0")
    assert shown["operations.fte"].startswith("0")


def test_cost_rests_on_what_is_paid_spares_and_idle_servers_included():
    demand = {"average_requests_per_s": 2, "spares": 3}
    own = compared(scenario(traffic=traffic(demand=demand))).self_host
    assert own.replicas == 4
    assert own.utilisation == pytest.approx(2 / (4 * 2))
    assert own.usd_per_year == pytest.approx(4 * 3.6 * 8760)
    assert own.requests_per_year == pytest.approx(2 * 8760 * 3600)
