"""Laws of the economics that hold for any numbers, of one server or a fleet, bought or rented."""

import dataclasses
import datetime as dt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, Tier
from tco.cost.compare import compare
from tco.cost.evaluate import Inputs, SizedDemand, evaluate
from tco.cost.ownership import Running, Server
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.scenario import Scenario
from tco.units import HOURS_PER_YEAR, TOKENS_PER_MILLION

SHARE = st.floats(0.01, 1)
# Each case is some twenty numbers; twenty-five of them a law keep the suite fast.
FEW = settings(max_examples=25)
MONEY_OF_SERVER = ("price_usd", "one_off_usd", "residual_usd", "rent_usd_per_hour", "usd_per_kwh")
MONEY_OF_RUNNING = (
    "licence_usd_per_accelerator_year",
    "hosting_usd_per_month",
    "fte_usd_per_year",
    "other_usd_per_year",
)


@st.composite
def servers(draw):
    price = draw(st.floats(1e3, 1e6))
    bought = {
        "price_usd": price,
        "one_off_usd": draw(st.floats(0, 1e4)),
        "residual_usd": price * draw(st.floats(0, 0.9)),
        "life_years": draw(st.floats(0.5, 10)),
        "discount_rate": draw(st.floats(0, 0.3)),
        "method": draw(st.sampled_from(["annuity", "straight_line"])),
    }
    idle_w = draw(st.floats(0, 2000))
    return Server(
        accelerators=float(draw(st.sampled_from([1, 4, 8]))),
        idle_w=idle_w,
        load_w=idle_w + draw(st.floats(1, 10_000)),
        pue=draw(st.floats(1, 2)),
        usd_per_kwh=draw(st.floats(0.01, 0.5)),
        **(bought if draw(st.booleans()) else {"rent_usd_per_hour": draw(st.floats(0.1, 100))}),
    )


@st.composite
def loads(draw, capacity):
    if draw(st.booleans()):
        return draw(SHARE)
    average = capacity * draw(st.floats(0.1, 20))
    return SizedDemand(
        average_requests_per_s=average,
        peak_requests_per_s=average * draw(st.floats(1, 4)),
        target_peak_utilisation=draw(st.floats(0.3, 1)),
        spares=float(draw(st.integers(0, 3))),
    )


@st.composite
def cases(draw):
    capacity = draw(st.floats(0.1, 100))
    own_tier = Tier(
        input_usd=draw(st.floats(0.01, 20)),
        cached_input_usd=draw(st.none() | st.floats(0.001, 0.01)),
        output_usd=draw(st.floats(0.01, 80)),
        request_fee_usd=draw(st.floats(0, 0.01)),
    )
    return Inputs(
        input_tokens=draw(st.floats(1, 1e5)),
        output_tokens=draw(st.floats(1, 1e4)),
        capacity_requests_per_s=capacity,
        load=draw(loads(capacity)),
        server=draw(servers()),
        running=Running(
            maintenance_share_per_year=draw(st.floats(0, 0.2)),
            licence_usd_per_accelerator_year=draw(st.floats(0, 5e3)),
            hosting_usd_per_month=draw(st.floats(0, 1e3)),
            fte=draw(st.floats(0, 3)),
            fte_usd_per_year=2e5,
            other_usd_per_year=draw(st.floats(0, 1e4)),
        ),
        alternatives=(ApiTerms((own_tier,), cached_input_share=draw(st.floats(0, 1))),),
    )


def scaled(record, names, factor):
    return dataclasses.replace(record, **{name: getattr(record, name) * factor for name in names})


@FEW
@given(cases(), st.floats(0.01, 100))
def test_scaling_all_money_scales_the_cost_and_leaves_the_saving(case, factor):
    terms = case.alternatives[0]
    tier = scaled(terms.tiers[0], ("input_usd", "output_usd", "request_fee_usd"), factor)
    if tier.cached_input_usd is not None:
        tier = scaled(tier, ("cached_input_usd",), factor)
    many = dataclasses.replace(
        case,
        server=scaled(case.server, MONEY_OF_SERVER, factor),
        running=scaled(case.running, MONEY_OF_RUNNING, factor),
        alternatives=(dataclasses.replace(terms, tiers=(tier,)),),
    )
    before, after = evaluate(case), evaluate(many)
    assert after.usd_per_hour == pytest.approx(before.usd_per_hour * factor, rel=1e-9)
    assert after.usd_per_request == pytest.approx(before.usd_per_request * factor, rel=1e-9)
    own, then = before.rivals[0], after.rivals[0]
    assert then.saving == pytest.approx(own.saving, rel=1e-9, abs=1e-9)
    assert then.break_even_unbounded == pytest.approx(
        own.break_even_unbounded, rel=1e-6, nan_ok=True
    )


@FEW
@given(cases(), st.floats(0.001, 1))
def test_the_saving_falls_as_electricity_gets_dearer(case, more):
    dear = dataclasses.replace(
        case, server=dataclasses.replace(case.server, usd_per_kwh=case.server.usd_per_kwh + more)
    )
    assert evaluate(dear).rivals[0].saving < evaluate(case).rivals[0].saving


@FEW
@given(cases(), SHARE, st.floats(0.1, 0.95))
def test_the_saving_falls_as_the_machine_is_less_busy(case, utilisation, share):
    busy = evaluate(dataclasses.replace(case, load=utilisation))
    idle = evaluate(dataclasses.replace(case, load=utilisation * share))
    assert idle.rivals[0].saving < busy.rivals[0].saving
    assert idle.usd_per_million_output > busy.usd_per_million_output


@FEW
@given(cases(), st.floats(0.1, 20))
def test_the_saving_falls_with_demand_on_a_fleet_that_stays(case, times):
    peak = case.capacity_requests_per_s * times
    load = SizedDemand(average_requests_per_s=peak / 2, peak_requests_per_s=peak)
    less = dataclasses.replace(load, average_requests_per_s=peak / 4)
    before, after = (evaluate(dataclasses.replace(case, load=each)) for each in (load, less))
    assert after.fleet.servers == before.fleet.servers
    assert after.rivals[0].saving < before.rivals[0].saving


@FEW
@given(cases())
def test_at_the_break_even_utilisation_the_saving_is_nothing(case):
    alone = dataclasses.replace(case, load=1.0)
    root = evaluate(alone).rivals[0].break_even_utilisation
    if np.isnan(root):
        assert evaluate(alone).rivals[0].saving < 0
    else:
        at_root = evaluate(dataclasses.replace(alone, load=root))
        assert abs(at_root.rivals[0].saving) < 1e-9


@FEW
@given(cases(), st.lists(st.tuples(SHARE, st.floats(0.5, 2)), min_size=1, max_size=5))
def test_an_array_gives_what_its_numbers_give(case, points):
    u, factor = (np.array(column) for column in zip(*points, strict=True))

    def at(utilisation, times):
        server = scaled(case.server, MONEY_OF_SERVER, times)
        return evaluate(dataclasses.replace(case, load=utilisation, server=server))

    arrays = at(u, factor)
    for i, point in enumerate(points):
        one = at(*point)
        assert arrays.usd_per_request[i] == pytest.approx(one.usd_per_request, rel=1e-12)
        saving = one.rivals[0].saving
        assert arrays.rivals[0].saving[i] == pytest.approx(saving, rel=1e-9, abs=1e-12)
        root, roots = one.rivals[0].break_even_unbounded, arrays.rivals[0].break_even_unbounded
        assert np.broadcast_to(roots, u.shape)[i] == pytest.approx(root, rel=1e-6, nan_ok=True)


@FEW
@given(cases())
def test_the_lines_sum_to_the_hour_and_the_requests_to_the_year(case):
    got = evaluate(case)
    assert sum(dataclasses.asdict(got.lines).values()) == pytest.approx(got.usd_per_hour, rel=1e-12)
    by_requests = got.usd_per_request * got.served_requests_per_s * 3600
    assert by_requests == pytest.approx(got.usd_per_hour, rel=1e-12)
    by_tokens = got.usd_per_million_total * (case.input_tokens + case.output_tokens)
    assert by_tokens == pytest.approx(got.usd_per_million_output * case.output_tokens, rel=1e-12)


@FEW
@given(cases(), st.integers(1, 50), SHARE)
def test_a_fleet_of_n_equal_servers_costs_n_times_one(case, count, utilisation):
    full = case.capacity_requests_per_s * count
    fleet = SizedDemand(average_requests_per_s=full * utilisation, peak_requests_per_s=full)
    whole = dataclasses.replace(case, accelerators_per_replica=case.server.accelerators)
    one = evaluate(dataclasses.replace(whole, load=utilisation))
    # Staff and other costs are of the fleet, not of a server.
    running = scaled(case.running, ("fte", "other_usd_per_year"), count)
    many = evaluate(dataclasses.replace(whole, load=fleet, running=running))
    assert many.fleet.servers == count
    assert many.usd_per_hour == pytest.approx(one.usd_per_hour * count, rel=1e-9)
    assert many.usd_per_request == pytest.approx(one.usd_per_request, rel=1e-9)


@st.composite
def scenarios(draw):
    price = draw(st.floats(1e3, 1e6))
    api_usd = draw(st.floats(0.01, 20))
    tree = {
        "schema": "tco.scenario/1",
        "name": "case",
        "traffic": {
            "shape": {
                "input_tokens": draw(st.floats(1, 1e5)),
                "output_tokens": draw(st.floats(1, 1e4)),
            },
            "target_utilisation": draw(SHARE),
        },
        "measurement": {
            "published": {
                "output_tok_per_s": draw(st.floats(10, 1e5)),
                "source": "s",
                "date": "2026-10-15",
            }
        },
        "hardware": {
            "purchase": {
                "price_usd": price,
                "life_years": draw(st.integers(1, 8)),
                "residual_usd": price * draw(st.integers(0, 9)) / 10,
                "one_off_usd": draw(st.integers(0, 10_000)),
            }
        },
        "power": {"idle_w": 200, "load_w": 1200, "pue": 1.3, "usd_per_kwh": draw(SHARE)},
        "operations": {
            "fte": draw(SHARE),
            "fte_usd_per_year": 2e5,
            "hosting_usd_per_month": draw(st.integers(0, 1000)),
        },
        "finance": {"discount_rate": draw(st.floats(0.01, 0.3))},
        "alternatives": [
            {"name": "api", "usd_per_million": {"input": api_usd, "output": 4 * api_usd}}
        ],
    }
    return Scenario.model_validate(tree)


def compared(scenario):
    return compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


@FEW
@given(scenarios())
def test_a_comparisons_lines_agree_by_the_hour_the_year_and_the_million(scenario):
    own = compared(scenario).self_host
    hour, year = own.parts_usd_per_hour.model_dump(), own.parts_usd_per_year.model_dump()
    million, share = own.parts_usd_per_million_output.model_dump(), own.parts_share.model_dump()
    assert sum(million.values()) == pytest.approx(own.usd_per_million_output, rel=1e-9)
    assert sum(share.values()) == pytest.approx(1, rel=1e-9)
    output_tokens = scenario.traffic.shape.output_tokens.value
    millions_a_year = own.requests_per_year * output_tokens / TOKENS_PER_MILLION
    for name, usd in hour.items():
        assert year[name] == pytest.approx(usd * HOURS_PER_YEAR, rel=1e-9)
        assert million[name] * millions_a_year == pytest.approx(year[name], rel=1e-9)
        assert share[name] * own.usd_per_hour == pytest.approx(usd, rel=1e-9)


@FEW
@given(scenarios())
def test_over_the_years_of_an_annuity_nothing_is_saved_but_what_the_first_year_saves(scenario):
    """Equal years, interest in the cost: the saving over the horizon is the first year's."""
    rival = compared(scenario).alternatives[0]
    assert rival.levelised_saving == pytest.approx(rival.saving, rel=1e-8, abs=1e-8)
    assert (rival.npv_usd > 0) == (rival.saving > 0) or abs(rival.saving) < 1e-8


@FEW
@given(scenarios())
def test_at_the_break_even_volume_a_year_of_requests_costs_what_the_api_bills(scenario):
    got = compared(scenario)
    rival, own = got.alternatives[0], got.self_host
    if (per_month := rival.break_even_requests_per_month) is None:
        assert rival.break_even_utilisation_reason == "dearer_at_full_load"
        return
    capacity_per_month = got.capacity.requests_per_s * 3600 * 730 * own.replicas
    utilisation = per_month / capacity_per_month
    assert rival.break_even_within_capacity == (utilisation <= 1 + 1e-12)
    if rival.break_even_within_capacity:
        assert utilisation == pytest.approx(rival.break_even_utilisation, rel=1e-9)
