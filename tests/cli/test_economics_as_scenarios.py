"""The worked examples as scenarios: what a user types into a file comes out of `tco compare`."""

import json
from pathlib import Path

import pytest
import yaml

from tco.cli import main

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "economics.json").read_text("utf-8"))["cases"]
BY_ID = {case["id"]: case for case in CASES}
HOURS_PER_YEAR = 8760
SECONDS_PER_YEAR = 3600 * HOURS_PER_YEAR


@pytest.fixture
def compared(tmp_path, capsys):
    """Return a maker of what `tco compare --json` says of a scenario; None where it ends with 2."""

    def run(tree, *options):
        path = tmp_path / "case.yaml"
        path.write_text(yaml.safe_dump(tree, sort_keys=False), encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            main(["compare", str(path), "--json", *map(str, options)])
        out = capsys.readouterr().out
        assert ended.value.code in {0, 2}
        return json.loads(out) if ended.value.code == 0 else None

    return run


def scenario(rate, *, shape=(512.0, 512.0), cached=0.0, utilisation=1.0, **parts):
    """A scenario of one published rate, `{output_tok_per_s: …}`, with the given sections."""
    return {
        "schema": "tco.scenario/1",
        "name": "case",
        "date": "2026-12-02",
        "traffic": {
            "shape": {
                "input_tokens": shape[0],
                "cached_input_share": cached,
                "output_tokens": shape[1],
            },
            "target_utilisation": utilisation,
        },
        "measurement": {"published": {**rate, "source": "the case", "date": "2026-10-15"}},
    } | parts


def purchase(g, **more):
    terms = {
        "price_usd": g["hardware_price_usd"],
        "residual_usd": g["residual_usd"],
        "life_years": g["life_years"],
    }
    return {"purchase": terms | more}


def api(input_usd, output_usd=None, cached_usd=None, **more):
    price = {"input": input_usd, "output": input_usd if output_usd is None else output_usd}
    if cached_usd is not None:
        price["cached_input"] = cached_usd
    return [{"name": "api", "usd_per_million": price, **more}]


def watts(g, **more):
    stated = {"idle_w": g["power_idle_w"], "load_w": g["power_load_w"], "pue": g["pue"]}
    return stated | {"usd_per_kwh": g["usd_per_kwh"]} | more


def tokens_per_s(g):
    return {"total_tok_per_s": g["million_tokens_per_year"] * 1e6 / SECONDS_PER_YEAR}


def rental_cost_per_million(g, run):
    fresh = 500 * (g["total_tok_per_s"] / g["output_tok_per_s"] - 1)
    own = run(
        scenario(
            {"output_tok_per_s": g["output_tok_per_s"]},
            shape=(fresh, 500),
            utilisation=g["utilisation"],
            hardware={"rent": {"usd_per_hour": g["usd_per_hour"]}},
        )
    )["self_host"]
    return {key: own[key] for key in ("usd_per_million_output", "usd_per_million_total")}


def annuity_with_residual(g, run):
    tree = scenario({"requests_per_s": 1}, hardware=purchase(g))
    tree["finance"] = {"discount_rate": g["discount_rate"]}
    return {"annual_capital_usd": run(tree)["self_host"]["parts_usd_per_year"]["capital"]}


def straight_line(g, run):
    tree = scenario(
        tokens_per_s(g),
        hardware=purchase(g),
        operations={"other_usd_per_year": g["opex_usd_per_year"]},
        finance={"method": "straight_line"},
    )
    own = run(tree)["self_host"]
    return {
        "depreciation_usd_per_year": own["parts_usd_per_year"]["capital"],
        "usd_per_million": own["usd_per_million_total"],
    }


def levelised_cost(g, run):
    """At an API price of $1 a million, 1 - the levelised saving is the levelised cost."""
    tree = scenario(
        tokens_per_s(g),
        hardware=purchase(g),
        operations={
            "other_usd_per_year": g["opex_usd_first_year"],
            "growth_per_year": g["opex_growth_per_year"],
        },
        finance={"discount_rate": g["discount_rate"]},
        alternatives=api(1.0),
    )
    rival = run(tree)["alternatives"][0]
    return {"levelised_usd_per_million": 1 - rival["levelised_saving"]}


def power_energy(g, run):
    assert g["units"] == 1
    tree = scenario(
        {"requests_per_s": 1},
        utilisation=g["utilisation"],
        hardware={"rent": {"usd_per_hour": 1, "power_included": False}},
        power=watts(g),
    )
    usd_per_year = run(tree)["self_host"]["parts_usd_per_year"]["power"]
    kwh_per_year = usd_per_year / g["usd_per_kwh"]
    return {
        "power_usd_per_year": usd_per_year,
        "kwh_per_year": kwh_per_year,
        "mean_it_power_w": kwh_per_year / HOURS_PER_YEAR * 1000 / g["pue"],
    }


def fleet_sizing(g, run):
    tree = scenario(
        {"output_tok_per_s": g["output_tok_per_s_per_replica_at_slo"]},
        engine={"accelerators": g["gpus_per_replica"]},
        hardware={
            "rent": {
                "usd_per_hour": g["usd_per_gpu_hour"] * g["gpus_per_server"],
                "accelerators": g["gpus_per_server"],
            }
        },
    )
    del tree["traffic"]["target_utilisation"]
    tree["traffic"]["demand"] = {
        "average_output_tok_per_s": g["average_output_tok_per_s"],
        "peak_output_tok_per_s": g["peak_output_tok_per_s"],
        "target_peak_utilisation": g["target_peak_utilisation"],
        "spares": g["spare_replicas"],
    }
    own = run(tree)["self_host"]
    keys = ("replicas", "servers", "usd_per_hour", "usd_per_million_output")
    return {key: own[key] for key in keys} | {"fleet_utilisation": own["utilisation"]}


def multi_gpu_server(g, run):
    gpus = g["gpus_per_server"]
    tree = scenario(
        {"output_tok_per_s": g["output_tok_per_s_per_server"]},
        hardware={
            "purchase": {
                "price_usd": g["server_price_usd"],
                "accelerators": gpus,
                "life_years": g["life_years"],
                "residual_usd": g["residual_usd"],
            }
        },
        operations={
            "hosting_usd_per_month": g["hosting_usd_per_year_per_server"] / 12,
            "licence_usd_per_accelerator_year": g["licence_usd_per_year_per_server"] / gpus,
        },
        finance={"method": "straight_line"},
    )
    own = run(tree)["self_host"]
    return {
        "usd_per_server_year": own["usd_per_year"],
        "usd_per_server_hour": own["usd_per_hour"],
        "usd_per_gpu_hour": own["usd_per_hour"] / gpus,
        "usd_per_million_output": own["usd_per_million_output"],
    }


def blended_api_price(g, run):
    tree = scenario(
        {"requests_per_s": 1},
        shape=(g["input_tokens"], g["output_tokens"]),
        cached=g["cached_tokens"] / g["input_tokens"],
        hardware={"rent": {"usd_per_hour": 1}},
        alternatives=api(
            g["api_usd_per_million_input"],
            g["api_usd_per_million_output"],
            g["api_usd_per_million_cached_input"],
            discount=g.get("batch_discount", 0.0),
        ),
    )
    rival = run(tree)["alternatives"][0]
    keys = ("usd_per_request", "usd_per_million_total", "usd_per_million_output")
    return {key: rival[key] for key in keys}


def saving(g, run):
    tree = scenario(
        {"output_tok_per_s": g["output_tok_per_s"]},
        shape=(g["input_tokens"], g["output_tokens"]),
        cached=g["cached_tokens"] / g["input_tokens"],
        utilisation=g["utilisation"],
        hardware={"rent": {"usd_per_hour": g["usd_per_hour"]}},
        alternatives=api(
            g["api_usd_per_million_input"],
            g["api_usd_per_million_output"],
            g["api_usd_per_million_cached_input"],
        ),
    )
    got = run(tree)
    own, rival = got["self_host"], got["alternatives"][0]
    assert rival["irr_reason"] == rival["payback_years_reason"] == "no_investment"
    million = rival["usd_per_million_total"] - own["usd_per_million_total"]
    return {
        "self_usd_per_request": own["usd_per_request"],
        "api_usd_per_request": rival["usd_per_request"],
        "saving_fraction": rival["saving"],
        "saving_usd_per_request": rival["saving_usd_per_year"] / own["requests_per_year"],
        "self_usd_per_million_total": own["usd_per_million_total"],
        "api_usd_per_million_total": rival["usd_per_million_total"],
        "saving_usd_per_million_total": million,
    }


def breakeven_utilisation(g, run):
    tree = scenario(
        {"total_tok_per_s": g["total_tok_per_s"]},
        hardware=purchase(g),
        power=watts(g),
        operations={"other_usd_per_year": g["opex_usd_per_year"]},
        finance={"method": "straight_line"},
        alternatives=api(g["api_usd_per_million_total"]),
    )
    got = run(tree)
    rival = got["alternatives"][0]
    full_load_per_month = got["capacity"]["requests_per_s"] * SECONDS_PER_YEAR / 12
    return {
        "breakeven_utilisation": rival["break_even_utilisation"],
        "breakeven_utilisation_unbounded": rival["break_even_requests_per_month"]
        / full_load_per_month,
        "saving_fraction_at_full_load": rival["saving"],
    }


def breakeven_volume(g, run):
    """The variable cost is electricity, drawn only when busy; the fixed one is rent."""
    variable_usd_per_hour = g["variable_usd_per_million"] * g["total_tok_per_s"] * 3600 / 1e6
    rent = {"usd_per_hour": g["fixed_usd_per_year"] / HOURS_PER_YEAR, "power_included": False}
    got = [
        run(
            scenario(
                {"total_tok_per_s": g["total_tok_per_s"]},
                utilisation=utilisation,
                hardware={"rent": rent},
                power={"idle_w": 0, "load_w": variable_usd_per_hour * 1000, "usd_per_kwh": 1},
                alternatives=api(g["api_usd_per_million_total"]),
            )
        )["alternatives"][0]
        for utilisation in g["utilisations"]
    ]
    volumes = [each["break_even_requests_per_month"] * 12 * 1024 / 1e6 for each in got]
    return {
        "breakeven_million_tokens_per_year": volumes[0],
        "breakeven_by_utilisation": volumes,
        "breakeven_utilisation": got[0]["break_even_utilisation"],
        "within_capacity": got[0]["break_even_within_capacity"],
    }


def cash_flow(g, run):
    tree = scenario(
        tokens_per_s(g),
        hardware=purchase(g),
        operations={
            "other_usd_per_year": g["opex_usd_first_year"],
            "growth_per_year": g["opex_growth_per_year"],
        },
        finance={
            "discount_rate": g["discount_rate"],
            "api_price_change_per_year": -g["api_price_decline_per_year"],
        },
        alternatives=api(g["api_usd_per_million_total"]),
    )
    got = run(tree)
    rival = got["alternatives"][0]
    kinds = {finding["kind"] for finding in got["findings"]}
    assert ("does_not_pay_back" in kinds) == (rival["payback_years"] is None)
    keys = ("npv_usd", "irr", "payback_years", "discounted_payback_years", "net_flows_usd")
    return {key: rival[key] for key in keys}


def breakeven_hours(g, run):
    """Rent as the alternative: what it costs an hour is its fee of the requests of that hour."""
    fee = g["rent_usd_per_hour"] / 3600
    running_usd_per_year = g["own_running_usd_per_hour"] * HOURS_PER_YEAR
    tree = scenario(
        {"requests_per_s": 1},
        hardware={"purchase": {"price_usd": g["hardware_price_usd"], "life_years": 3}},
        operations={"other_usd_per_year": running_usd_per_year},
        alternatives=api(0, usd_per_request=fee),
    )
    years = run(tree)["alternatives"][0]["payback_years"]
    return {
        "breakeven_hours": years * HOURS_PER_YEAR,
        "breakeven_months": years * 12,
        "breakeven_years": years,
    }


def tax_shield(g, run):
    """A bill of exactly the saving before tax, and no cost but the purchase."""
    book = g["tax_book_value_at_end_usd"] / g["hardware_price_usd"]
    tree = scenario(
        tokens_per_s({"million_tokens_per_year": 1000}),
        hardware=purchase(g),
        finance={
            "discount_rate": g["discount_rate"],
            "tax_rate": g["tax_rate"],
            "tax_book_value_share": book,
        },
        alternatives=api(g["net_saving_before_tax_usd_per_year"] / 1000),
    )
    rival = run(tree)["alternatives"][0]
    flows = rival["net_flows_usd"]
    taxed = g["net_saving_before_tax_usd_per_year"] * (1 - g["tax_rate"])
    return {
        "after_tax_flow_usd_per_year": flows[1],
        "tax_shield_usd_per_year": flows[1] - taxed,
        "after_tax_residual_usd": flows[-1] - flows[1],
        "npv_usd": rival["npv_usd"],
    }


def reconstruction(g, run):
    assert g["input_tokens_per_output_token"] == 1
    name = "output_tok_per_s" if "output_tok_per_s" in g else "total_tok_per_s"
    tree = scenario(
        {name: g[name]},
        utilisation=g["utilisation"],
        hardware=purchase(g),
        power=watts(g),
        operations={
            "licence_usd_per_accelerator_year": g["licence_usd_per_year"],
            "maintenance_share_per_year": g["maintenance_fraction_of_price_per_year"],
            "fte": g["fte"],
            "fte_usd_per_year": g["fte_usd_per_year"],
        },
        finance={"method": "straight_line"},
        alternatives=api(g["api_usd_per_million_input"], g["api_usd_per_million_output"]),
    )
    got = run(tree)
    rival = got["alternatives"][0]
    return {
        "self_usd_per_year": got["self_host"]["usd_per_year"],
        "api_usd_per_year": rival["usd_per_year"],
        "saving_fraction": rival["saving"],
    }


def seed_identity(g, run):
    usd_per_million = 0.5
    first, second = g["total_tok_per_s_1"], g["total_tok_per_s_2"]
    rent = (1 - g["saving_fraction_at_rate_1"]) * first * 3600 / 1e6 * usd_per_million
    at_1, at_2 = (
        run(
            scenario(
                {"total_tok_per_s": rate},
                hardware={"rent": {"usd_per_hour": rent}},
                alternatives=api(usd_per_million),
            )
        )["alternatives"][0]
        for rate in (first, second)
    )
    return {
        "saving_fraction_at_rate_2": at_2["saving"],
        "breakeven_utilisation_at_rate_1": at_1["break_even_utilisation"],
        "breakeven_tok_per_s": at_1["break_even_utilisation"] * first,
        "breakeven_utilisation_at_rate_2": at_2["break_even_utilisation"],
    }


def seed_ladder(g, run):
    own = [
        run(scenario({"total_tok_per_s": rate}, hardware={"rent": {"usd_per_hour": rent}}))
        for rent in [g["usd_per_hour"]]
        for rate in g["tok_per_s_steps"]
    ]
    usd = [each["self_host"]["usd_per_million_total"] for each in own]
    served = [each["served"]["total_tok_per_s"] for each in own]
    return {
        "step_gains": [served[1] / served[0] - 1],
        "total_gain": served[-1] / served[0] - 1,
        "usd_per_million_steps": usd,
        "cost_change_fraction": usd[-1] / usd[0] - 1,
    }


def unit_error(g, run):
    tree = scenario(
        {"output_tok_per_s": g["output_tok_per_s"]},
        hardware={"rent": {"usd_per_hour": g["usd_per_hour"]}},
        operations={"hosting_usd_per_month": g["fixed_usd_per_month"]},
    )
    own = run(tree)["self_host"]
    return {
        "usd_per_hour_all_in": own["usd_per_hour"],
        "usd_per_million_output": own["usd_per_million_output"],
    }


def currency(g, run):
    """Money in a scenario is USD: the euros of an invoice are written times the rate."""
    usd_per_eur = g["usd_per_eur"]
    kwh_per_hour = g["kwh_per_year"] / HOURS_PER_YEAR
    tree = scenario(
        tokens_per_s(g),
        currency={"code": "EUR", "usd_per_unit": usd_per_eur, "source": "the case"},
        hardware={
            "purchase": {
                "price_usd": g["hardware_price_eur"] * usd_per_eur,
                "residual_usd": g["residual_eur"] * usd_per_eur,
                "life_years": g["life_years"],
            }
        },
        power={
            "idle_w": kwh_per_hour * 1000,
            "load_w": kwh_per_hour * 1000,
            "usd_per_kwh": g["eur_per_kwh"] * usd_per_eur,
        },
        finance={"method": "straight_line"},
        alternatives=api(g["api_usd_per_million_total"]),
    )
    got = run(tree)
    assert got["currency"] == "EUR"
    return {
        "self_eur_per_year": got["self_host"]["usd_per_year"] / usd_per_eur,
        "self_usd_per_million_total": got["self_host"]["usd_per_million_total"],
        "saving_fraction": got["alternatives"][0]["saving"],
    }


def carbon(g, run):
    tree = scenario(
        {"total_tok_per_s": g["total_tok_per_s"]},
        utilisation=g["utilisation"],
        hardware={"rent": {"usd_per_hour": 1, "power_included": False}},
        power=watts({"usd_per_kwh": 0.1} | g, kg_co2e_per_kwh=g["kg_co2e_per_kwh"]),
    )
    own = run(tree)["self_host"]
    return {
        # Nothing is said of making the servers, so what they emit when they run is all.
        "operational_kg_co2e_per_year": own["kg_co2e_per_year"],
        "total_kg_co2e_per_year": own["kg_co2e_per_year"],
        "g_co2e_per_million_total": own["g_co2e_per_million_total"],
    }


TORNADO_KEYS = {
    "hardware_price_usd": "hardware.purchase.price_usd",
    "life_years": "hardware.purchase.life_years",
    "usd_per_kwh": "power.usd_per_kwh",
    "utilisation": "traffic.target_utilisation",
    "total_tok_per_s": "measurement.published.total_tok_per_s",
}


def tornado(g, run):
    """Each input at its low and its high with `--set`, the others as they stand."""
    base = g["base"]
    tree = scenario(
        {"total_tok_per_s": base["total_tok_per_s"]},
        utilisation=base["utilisation"],
        hardware=purchase(base),
        power=watts(base),
        operations={"other_usd_per_year": base["opex_usd_per_year"]},
        finance={"method": "straight_line"},
    )

    def usd_per_million(*options):
        return run(tree, *options)["self_host"]["usd_per_million_total"]

    ends = {
        name: [usd_per_million("--set", f"{TORNADO_KEYS[name]}={end}") for end in low_high]
        for name, low_high in g["ranges_low_high"].items()
    }
    swing = {name: abs(high - low) for name, (low, high) in ends.items()}
    return {
        "base_usd_per_million_total": usd_per_million(),
        "at_low_and_high_input": ends,
        "order": sorted(swing, key=swing.__getitem__, reverse=True),
    }


KINDS = {
    each.__name__: each
    for each in (
        rental_cost_per_million,
        annuity_with_residual,
        straight_line,
        levelised_cost,
        power_energy,
        fleet_sizing,
        multi_gpu_server,
        blended_api_price,
        saving,
        breakeven_utilisation,
        breakeven_volume,
        breakeven_hours,
        cash_flow,
        tax_shield,
        reconstruction,
        seed_identity,
        seed_ladder,
        unit_error,
        currency,
        carbon,
        tornado,
    )
}
# A published rate has no curve, and the spread of a cost line alone is no figure of a comparison.
NO_SCENARIO = {"throughput_interpolation", "monte_carlo"}
AS_SCENARIOS = [case for case in CASES if case["kind"] in KINDS]
# What a comparison does not state by itself.
NOT_PRINTED = {"capital_recovery_factor", "present_value_of_costs_usd"}


def close(got, expected, tolerance):
    if expected is None or got is None or isinstance(expected, bool):
        return got is expected
    if isinstance(expected, str):
        return got == expected
    if isinstance(expected, dict):
        keys = expected.keys()
        return got.keys() == keys and all(close(got[k], expected[k], tolerance) for k in keys)
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(close, got, expected, [tolerance] * len(got)))
    return abs(got - expected) <= max(tolerance["rel"] * abs(expected), tolerance["abs"])


@pytest.mark.parametrize("case", AS_SCENARIOS, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_a_worked_example_is_a_scenario(case, compared):
    got = KINDS[case["kind"]](case["given"], compared)
    expected, tolerance = case["expected"], case["tolerance"]
    assert got.keys() == expected.keys() - NOT_PRINTED - {"must_not_equal"}
    for key, value in got.items():
        allowed = tolerance | tolerance.get("per_key", {}).get(key, {})
        assert close(value, expected[key], allowed), (key, value, expected[key])
    for mistake, wrong in expected.get("must_not_equal", {}).items():
        for key, value in wrong.items():
            assert key in NOT_PRINTED or abs(got[key] - value) > 1e-4 * abs(value), mistake


def test_no_kind_is_left_out_in_silence():
    kinds = {case["kind"] for case in CASES} - {"edge"}
    assert kinds == KINDS.keys() | NO_SCENARIO


def edge(case_id, **hardware):
    g = BY_ID[case_id]["given"]
    return scenario({"requests_per_s": 1}, hardware=hardware or purchase(g))


def test_a_utilisation_of_zero_is_bad_input(compared):
    tree = edge("econ-s28", rent={"usd_per_hour": 2.69})
    tree["traffic"]["target_utilisation"] = BY_ID["econ-s28"]["given"]["utilisation"]
    assert compared(tree) is None


def test_against_a_free_api_there_is_a_loss_in_dollars_and_no_saving_in_percent(compared):
    g = BY_ID["econ-s29"]["given"]
    rent = g["self_usd_per_million_total"] * 1000 * 3600 / 1e6
    tree = scenario(
        {"total_tok_per_s": 1000},
        hardware={"rent": {"usd_per_hour": rent}},
        alternatives=api(g["api_usd_per_million_total"]),
    )
    got = compared(tree)
    rival, own = got["alternatives"][0], got["self_host"]
    assert (rival["saving"], rival["saving_reason"]) == (None, "zero_price")
    millions_per_year = own["requests_per_year"] * 1024 / 1e6
    loss = BY_ID["econ-s29"]["expected"]["saving_usd_per_million_total"]
    assert rival["saving_usd_per_year"] / millions_per_year == pytest.approx(loss)


@pytest.mark.parametrize("case_id", ["econ-s30", "econ-s31"])
@pytest.mark.parametrize("method", ["annuity", "straight_line"])
def test_no_life_and_a_negative_price_are_bad_input(case_id, method, compared):
    assert compared(edge(case_id) | {"finance": {"method": method}}) is None
