"""The worked examples of tests/data/economics.json through the library."""

import dataclasses
import json
import math
from pathlib import Path

import numpy as np
import pytest

from tco.cost import carbon, finance, fleet, hardware, power
from tco.cost import evaluate as ev
from tco.cost.answers import Answers
from tco.cost.api_bill import ApiTerms, Tier, usd_per_request
from tco.cost.break_even import utilisation_unbounded, within_full_load
from tco.cost.cash import CashTerms, cash_flows
from tco.cost.ownership import Running, Server
from tco.cost.ways import break_even_hours
from tco.report.exchange import Exchange
from tco.units import (
    HOURS_PER_MONTH,
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    SECONDS_PER_HOUR,
    SECONDS_PER_YEAR,
    TOKENS_PER_MILLION,
    W_PER_KW,
)

CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "economics.json").read_text(encoding="utf-8")
)["cases"]


def inputs(g, *, rate, input_tokens=0.0, output_tokens=1.0, server, running=None, apis=()):
    return ev.Inputs(
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        capacity_requests_per_s=rate,
        load=float(g.get("utilisation", 1.0)),
        server=server,
        running=running or Running(),
        alternatives=apis,
    )


def api(g, **terms):
    tier = Tier(
        input_usd=g["api_usd_per_million_input"],
        cached_input_usd=g.get("api_usd_per_million_cached_input"),
        output_usd=g["api_usd_per_million_output"],
    )
    return ApiTerms(tiers=(tier,), **terms)


def total_api(usd):
    return ApiTerms(tiers=(Tier(input_usd=usd, cached_input_usd=None, output_usd=usd),))


def rental_cost_per_million(g):
    out = {}
    for name in ("output", "total"):
        case = inputs(
            g,
            rate=g[f"{name}_tok_per_s"],
            server=Server(rent_usd_per_hour=g["usd_per_hour"]),
        )
        out[f"usd_per_million_{name}"] = ev.evaluate(case).usd_per_million_output
    return out


def annuity_with_residual(g):
    return {
        "capital_recovery_factor": hardware.capital_recovery_factor(
            g["discount_rate"], g["life_years"]
        ),
        "annual_capital_usd": hardware.annual_capital_usd(
            g["hardware_price_usd"], g["residual_usd"], g["discount_rate"], g["life_years"]
        ),
    }


def straight_line(g):
    server = Server(
        price_usd=g["hardware_price_usd"],
        residual_usd=g["residual_usd"],
        life_years=g["life_years"],
        method="straight_line",
    )
    running = Running(other_usd_per_year=g["opex_usd_per_year"])
    tokens_per_s = g["million_tokens_per_year"] * TOKENS_PER_MILLION / SECONDS_PER_YEAR
    got = ev.evaluate(inputs(g, rate=tokens_per_s, server=server, running=running))
    return {
        "depreciation_usd_per_year": got.lines.capital * HOURS_PER_YEAR,
        "usd_per_million": got.usd_per_million_output,
    }


def power_energy(g):
    watts = g["power_idle_w"], g["power_load_w"], g["utilisation"]
    units = g["units"]
    per_hour = power.power_usd_per_hour(*watts, g["pue"], g["usd_per_kwh"])
    return {
        "kwh_per_year": units * power.energy_kwh_per_year(*watts, g["pue"]),
        "power_usd_per_year": units * per_hour * HOURS_PER_YEAR,
        "mean_it_power_w": units * power.mean_power_w(*watts),
    }


def carbon_case(g):
    server = Server(idle_w=g["power_idle_w"], load_w=g["power_load_w"], pue=g["pue"])
    kwh = carbon.fleet_kwh_per_year(fleet.Fleet(1.0, 1.0, g["utilisation"]), server)
    embodied = g.get("embodied_kg_co2e", 0.0) / g.get("life_years", 1.0)
    total = carbon.kg_co2e_per_year(kwh, g["kg_co2e_per_kwh"], embodied)
    return {
        "operational_kg_co2e_per_year": carbon.kg_co2e_per_year(kwh, g["kg_co2e_per_kwh"]),
        "total_kg_co2e_per_year": total,
        "g_co2e_per_million_total": carbon.g_co2e_per_million(
            total, g["total_tok_per_s"] * g["utilisation"]
        ),
    }


def multi_gpu_server(g):
    server = Server(
        accelerators=g["gpus_per_server"],
        price_usd=g["server_price_usd"],
        residual_usd=g["residual_usd"],
        life_years=g["life_years"],
        method="straight_line",
    )
    running = Running(
        hosting_usd_per_month=g["hosting_usd_per_year_per_server"] / MONTHS_PER_YEAR,
        licence_usd_per_accelerator_year=g["licence_usd_per_year_per_server"]
        / g["gpus_per_server"],
    )
    rate = g["output_tok_per_s_per_server"]
    one = inputs(g, rate=rate, server=server, running=running)
    got = ev.evaluate(dataclasses.replace(one, accelerators_per_replica=g["gpus_per_server"]))
    return {
        "usd_per_server_year": got.usd_per_hour * HOURS_PER_YEAR,
        "usd_per_gpu_hour": got.usd_per_hour / g["gpus_per_server"],
        "usd_per_server_hour": got.usd_per_hour,
        "usd_per_million_output": got.usd_per_million_output,
    }


def fleet_sizing(g):
    demand = ev.SizedDemand(
        average_requests_per_s=g["average_output_tok_per_s"],
        peak_requests_per_s=g["peak_output_tok_per_s"],
        target_peak_utilisation=g["target_peak_utilisation"],
        spares=g["spare_replicas"],
    )
    got = ev.evaluate(
        ev.Inputs(
            input_tokens=0.0,
            output_tokens=1.0,
            capacity_requests_per_s=g["output_tok_per_s_per_replica_at_slo"],
            load=demand,
            server=Server(
                accelerators=g["gpus_per_server"],
                rent_usd_per_hour=g["usd_per_gpu_hour"] * g["gpus_per_server"],
            ),
            running=Running(),
            accelerators_per_replica=g["gpus_per_replica"],
        )
    )
    return {
        "replicas": got.fleet.replicas,
        "servers": got.fleet.servers,
        "usd_per_hour": got.usd_per_hour,
        "usd_per_million_output": got.usd_per_million_output,
        "fleet_utilisation": got.fleet.utilisation,
    }


def blended_api_price(g):
    terms = api(
        g,
        cached_input_share=g["cached_tokens"] / g["input_tokens"],
        discount=g.get("batch_discount", 0.0),
    )
    usd = usd_per_request(terms, g["input_tokens"], g["output_tokens"])
    total = g["input_tokens"] + g["output_tokens"]
    return {
        "usd_per_request": usd,
        "usd_per_million_total": ev.usd_per_million(usd, total),
        "usd_per_million_output": ev.usd_per_million(usd, g["output_tokens"]),
    }


def saving(g):
    got = ev.evaluate(
        inputs(
            g,
            rate=g["output_tok_per_s"] / g["output_tokens"],
            input_tokens=g["input_tokens"],
            output_tokens=g["output_tokens"],
            server=Server(rent_usd_per_hour=g["usd_per_hour"]),
            apis=(api(g, cached_input_share=g["cached_tokens"] / g["input_tokens"]),),
        )
    )
    rival = got.rivals[0]
    total = g["input_tokens"] + g["output_tokens"]
    api_total = ev.usd_per_million(rival.usd_per_request, total)
    return {
        "self_usd_per_request": got.usd_per_request,
        "api_usd_per_request": rival.usd_per_request,
        "saving_fraction": rival.saving,
        "saving_usd_per_request": rival.usd_per_request - got.usd_per_request,
        "self_usd_per_million_total": got.usd_per_million_total,
        "api_usd_per_million_total": api_total,
        "saving_usd_per_million_total": api_total - got.usd_per_million_total,
    }


def breakeven_utilisation(g):
    server = Server(
        price_usd=g["hardware_price_usd"],
        residual_usd=g["residual_usd"],
        life_years=g["life_years"],
        method="straight_line",
        idle_w=g["power_idle_w"],
        load_w=g["power_load_w"],
        pue=g["pue"],
        usd_per_kwh=g["usd_per_kwh"],
    )
    got = ev.evaluate(
        inputs(
            g,
            rate=g["total_tok_per_s"],
            server=server,
            running=Running(other_usd_per_year=g["opex_usd_per_year"]),
            apis=(total_api(g["api_usd_per_million_total"]),),
        )
    ).rivals[0]
    return {
        "breakeven_utilisation": got.break_even_utilisation,
        "breakeven_utilisation_unbounded": got.break_even_unbounded,
        "saving_fraction_at_full_load": got.saving,
    }


def breakeven_volume(g):
    """The volume is the unbounded utilisation times what full load serves: no u goes in."""
    million_per_year = g["total_tok_per_s"] * SECONDS_PER_YEAR / TOKENS_PER_MILLION
    root = utilisation_unbounded(
        usd_per_hour_at_idle=g["fixed_usd_per_year"],
        usd_per_hour_at_load=g["fixed_usd_per_year"]
        + g["variable_usd_per_million"] * million_per_year,
        api_usd_per_hour_at_load=g["api_usd_per_million_total"] * million_per_year,
    )
    volume = root * million_per_year
    return {
        "breakeven_million_tokens_per_year": volume,
        "breakeven_by_utilisation": [volume for _ in g["utilisations"]],
        "breakeven_utilisation": within_full_load(root),
        "within_capacity": not math.isnan(within_full_load(root)),
    }


def owned(g, *, api_usd_per_million=1.0, opex_usd=None, **terms):
    """One server against an API over its life: inputs, flow against it and discount rate."""
    million = g.get("million_tokens_per_year", 1.0)
    opex = g["opex_usd_first_year"] if opex_usd is None else opex_usd
    case = inputs(
        g,
        rate=million * TOKENS_PER_MILLION / SECONDS_PER_YEAR,
        server=Server(
            price_usd=g["hardware_price_usd"],
            residual_usd=g["residual_usd"],
            life_years=g["life_years"],
            discount_rate=g["discount_rate"],
        ),
        running=Running(other_usd_per_year=opex),
        apis=(total_api(api_usd_per_million),),
    )
    horizon = CashTerms(horizon_years=g["life_years"], **terms)
    return case, cash_flows(case, ev.evaluate(case), horizon)[0]


def cash_flow(g):
    case, flow = owned(
        g,
        api_usd_per_million=g["api_usd_per_million_total"],
        operations_growth_per_year=g["opex_growth_per_year"],
        api_price_change_per_year=-g["api_price_decline_per_year"],
    )
    got = Answers.of(flow, case.server.discount_rate)
    return {
        "npv_usd": got.npv_usd,
        "irr": got.irr,
        "payback_years": got.payback_years,
        "discounted_payback_years": got.discounted_payback_years,
        "net_flows_usd": got.net_flows_usd,
    }


def breakeven_hours(g):
    """Rent is the bill that owning replaces: by the formula, and as the payback of its flow."""
    hours = break_even_hours(
        g["hardware_price_usd"], g["rent_usd_per_hour"], g["own_running_usd_per_hour"]
    )
    case, flow = owned(
        {"residual_usd": 0.0, "life_years": 5.0, "discount_rate": 0.0} | g,
        api_usd_per_million=g["rent_usd_per_hour"] * HOURS_PER_YEAR,
        opex_usd=g["own_running_usd_per_hour"] * HOURS_PER_YEAR,
    )
    return {
        "breakeven_hours": hours,
        "breakeven_months": hours / HOURS_PER_MONTH,
        "breakeven_years": finance.payback_years(flow, case.server.discount_rate),
    }


def levelised_cost(g):
    """At 1 USD per million, the API's bill is the tokens, discounted alike."""
    case, flow = owned(g, operations_growth_per_year=g["opex_growth_per_year"])
    rate = case.server.discount_rate
    return {
        "present_value_of_costs_usd": finance.own_present_value_usd(flow, rate),
        "levelised_usd_per_million": 1 - finance.levelised_saving(flow, rate),
    }


def tax_shield(g):
    case, flow = owned(
        g,
        api_usd_per_million=g["net_saving_before_tax_usd_per_year"],
        opex_usd=0.0,
        tax_rate=g["tax_rate"],
        tax_book_value_share=g["tax_book_value_at_end_usd"] / g["hardware_price_usd"],
    )
    return {
        "after_tax_flow_usd_per_year": (flow.api_usd - flow.own_usd)[0],
        "tax_shield_usd_per_year": -flow.own_usd[0],
        "after_tax_residual_usd": flow.residual_usd.sum(),
        "npv_usd": finance.npv_usd(flow, case.server.discount_rate),
    }


def reconstruction(g):
    per_output = g["input_tokens_per_output_token"]
    rate = g.get("output_tok_per_s") or g["total_tok_per_s"] / (1 + per_output)
    server = Server(
        price_usd=g["hardware_price_usd"],
        residual_usd=g["residual_usd"],
        life_years=g["life_years"],
        method="straight_line",
        idle_w=g["power_idle_w"],
        load_w=g["power_load_w"],
        pue=g["pue"],
        usd_per_kwh=g["usd_per_kwh"],
    )
    running = Running(
        licence_usd_per_accelerator_year=g["licence_usd_per_year"],
        maintenance_share_per_year=g["maintenance_fraction_of_price_per_year"],
        fte=g["fte"],
        fte_usd_per_year=g["fte_usd_per_year"],
    )
    got = ev.evaluate(
        inputs(
            g,
            rate=rate,
            input_tokens=float(per_output),
            server=server,
            running=running,
            apis=(api(g),),
        )
    )
    return {
        "self_usd_per_year": got.usd_per_hour * HOURS_PER_YEAR,
        "api_usd_per_year": got.rivals[0].usd_per_request
        * got.served_requests_per_s
        * SECONDS_PER_YEAR,
        "saving_fraction": got.rivals[0].saving,
    }


def seed_identity(g):
    """A rent and a price that give the first saving, then another rate of the same machine."""
    api_usd_per_million = 1.0
    saved, first = g["saving_fraction_at_rate_1"], g["total_tok_per_s_1"]
    bill_usd_per_hour = first * SECONDS_PER_HOUR / TOKENS_PER_MILLION * api_usd_per_million

    def rival(rate):
        server = Server(rent_usd_per_hour=(1 - saved) * bill_usd_per_hour)
        apis = (total_api(api_usd_per_million),)
        return ev.evaluate(inputs({}, rate=rate, server=server, apis=apis)).rivals[0]

    at_1, at_2 = rival(first), rival(g["total_tok_per_s_2"])
    return {
        "saving_fraction_at_rate_2": at_2.saving,
        "breakeven_utilisation_at_rate_1": at_1.break_even_utilisation,
        "breakeven_tok_per_s": at_1.break_even_utilisation * first,
        "breakeven_utilisation_at_rate_2": at_2.break_even_utilisation,
    }


def seed_ladder(g):
    """All steps in one call: the rates are an array, and so is what a million tokens cost."""
    rates = np.array(g["tok_per_s_steps"], dtype=float)
    server = Server(rent_usd_per_hour=g["usd_per_hour"])
    got = ev.evaluate(inputs(g, rate=rates, server=server))
    served, usd = got.served_requests_per_s, got.usd_per_million_output
    return {
        "step_gains": list(served[1:] / served[:-1] - 1),
        "total_gain": served[-1] / served[0] - 1,
        "usd_per_million_steps": list(usd),
        "cost_change_fraction": -ev.saving_share(usd[-1], usd[0]),
    }


def throughput_interpolation(g):
    rate = np.interp(g["at_concurrency"], g["concurrency"], g["output_tok_per_s"])
    server = Server(rent_usd_per_hour=g["usd_per_hour"])
    got = ev.evaluate(inputs(g, rate=rate, server=server))
    return {"output_tok_per_s": rate, "usd_per_million_output": got.usd_per_million_output}


def unit_error(g):
    server = Server(rent_usd_per_hour=g["usd_per_hour"])
    running = Running(hosting_usd_per_month=g["fixed_usd_per_month"])
    got = ev.evaluate(inputs(g, rate=g["output_tok_per_s"], server=server, running=running))
    return {
        "usd_per_hour_all_in": got.usd_per_hour,
        "usd_per_million_output": got.usd_per_million_output,
    }


def currency(g):
    """Euros become dollars before anything is reckoned; the report shows euros again."""
    usd_per_eur = g["usd_per_eur"]
    kw = g["kwh_per_year"] / HOURS_PER_YEAR
    server = Server(
        price_usd=g["hardware_price_eur"] * usd_per_eur,
        residual_usd=g["residual_eur"] * usd_per_eur,
        life_years=g["life_years"],
        method="straight_line",
        idle_w=kw * W_PER_KW,
        load_w=kw * W_PER_KW,
        usd_per_kwh=g["eur_per_kwh"] * usd_per_eur,
    )
    rate = g["million_tokens_per_year"] * TOKENS_PER_MILLION / SECONDS_PER_YEAR
    apis = (total_api(g["api_usd_per_million_total"]),)
    got = ev.evaluate(inputs(g, rate=rate, server=server, apis=apis))
    euros = Exchange("EUR", usd_per_eur, "the case's own rate")
    return {
        "self_eur_per_year": euros.amount(got.usd_per_hour * HOURS_PER_YEAR),
        "self_usd_per_million_total": got.usd_per_million_total,
        "saving_fraction": got.rivals[0].saving,
    }


def monte_carlo(g):
    """The same evaluation over an array of draws: its mean and spread are the known ones."""
    draw = np.random.default_rng(7)
    kw = draw.uniform(*g["power_kw_uniform"], size=g["samples"])
    usd_per_kwh = draw.uniform(*g["usd_per_kwh_uniform"], size=g["samples"])
    server = Server(idle_w=kw * W_PER_KW, load_w=kw * W_PER_KW, usd_per_kwh=usd_per_kwh)
    usd_per_year = ev.evaluate(inputs(g, rate=1.0, server=server)).usd_per_hour * HOURS_PER_YEAR
    return {"mean_usd_per_year": usd_per_year.mean(), "std_usd_per_year": usd_per_year.std()}


def tornado(g):
    """One input at a time at its low and its high, as an array of the two."""

    def usd_per_million(**changed):
        at = g["base"] | changed
        server = Server(
            price_usd=at["hardware_price_usd"],
            residual_usd=at["residual_usd"],
            life_years=at["life_years"],
            method="straight_line",
            idle_w=at["power_idle_w"],
            load_w=at["power_load_w"],
            pue=at["pue"],
            usd_per_kwh=at["usd_per_kwh"],
        )
        case = dataclasses.replace(
            inputs({}, rate=at["total_tok_per_s"], server=server),
            running=Running(other_usd_per_year=at["opex_usd_per_year"]),
            load=at["utilisation"],
        )
        return ev.evaluate(case).usd_per_million_total

    ends = {
        name: list(usd_per_million(**{name: np.array(ends, dtype=float)}))
        for name, ends in g["ranges_low_high"].items()
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
        power_energy,
        fleet_sizing,
        blended_api_price,
        saving,
        breakeven_utilisation,
        breakeven_volume,
        cash_flow,
        breakeven_hours,
        levelised_cost,
        tax_shield,
        reconstruction,
        seed_identity,
        seed_ladder,
        throughput_interpolation,
        unit_error,
        currency,
        multi_gpu_server,
        monte_carlo,
        tornado,
    )
} | {"carbon": carbon_case}
# What `edge` asks for stands in tests of their own below.
BY_HAND = {"edge"}
COVERED = [case for case in CASES if case["kind"] in KINDS]


def close(got, expected, tolerance):
    if expected is None or got is None:
        return expected is None and (got is None or math.isnan(got))
    if isinstance(expected, str):
        return got == expected
    if isinstance(expected, dict):
        keys = expected.keys()
        return got.keys() == keys and all(close(got[k], expected[k], tolerance) for k in keys)
    if isinstance(expected, list):
        return len(got) == len(expected) and all(map(close, got, expected, [tolerance] * len(got)))
    return abs(got - expected) <= max(tolerance["rel"] * abs(expected), tolerance["abs"])


def tolerance_of(case, key):
    own = case["tolerance"].get("per_key", {}).get(key, {})
    return {"rel": case["tolerance"]["rel"], "abs": case["tolerance"]["abs"], **own}


def test_every_kind_has_a_case():
    assert {case["kind"] for case in COVERED} == set(KINDS)


def test_no_case_is_left_out():
    assert {case["kind"] for case in CASES} == set(KINDS) | BY_HAND
    edges = [case["id"] for case in CASES if case["kind"] in BY_HAND]
    assert edges == ["econ-s28", "econ-s29", "econ-s30", "econ-s31"]


@pytest.mark.parametrize("case", COVERED, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_the_library_gives_the_worked_example(case):
    got = KINDS[case["kind"]](case["given"])
    expected = {k: v for k, v in case["expected"].items() if k != "must_not_equal"}
    assert got.keys() == expected.keys()
    for key, value in expected.items():
        assert close(got[key], value, tolerance_of(case, key)), (key, got[key], value)


@pytest.mark.parametrize("case", COVERED, ids=lambda case: f"{case['id']}-{case['kind']}")
def test_the_library_does_not_give_what_a_known_mistake_prints(case):
    got = KINDS[case["kind"]](case["given"])
    for mistake, wrong in case["expected"].get("must_not_equal", {}).items():
        for key, value in wrong.items():
            assert abs(got[key] - value) > 1e-4 * abs(value), mistake


def edge(case_id):
    return next(case["given"] for case in CASES if case["id"] == case_id)


def test_utilisation_zero_has_no_cost_of_a_token():
    with pytest.raises(ValueError, match="utilisation"):
        rental_cost_per_million(edge("econ-s28"))


def test_there_is_no_saving_against_a_price_of_zero():
    given = edge("econ-s29")
    own, free = given["self_usd_per_million_total"], given["api_usd_per_million_total"]
    assert math.isnan(ev.saving_share(own, free))


@pytest.mark.parametrize("case_id", ["econ-s30", "econ-s31"])
@pytest.mark.parametrize("method", ["annuity", "straight_line"])
def test_a_life_of_zero_and_a_negative_price_are_errors(case_id, method):
    given = edge(case_id)
    with pytest.raises(ValueError, match=r"life_years|price_usd"):
        hardware.annual_capital_usd(
            given["hardware_price_usd"],
            given["residual_usd"],
            given["discount_rate"],
            given["life_years"],
            method,
        )


def test_a_fleet_is_rounded_up_only_beyond_a_rounding_error():
    assert fleet.whole(3 * (1 + 1e-12)) == 3
    assert fleet.whole(3.0001) == 4
