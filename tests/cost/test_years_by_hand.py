"""Five years of a growing fleet with refresh, tax and one-off sums, reckoned in plain Python."""

import datetime as dt

import pytest

from tco.cost.compare import compare
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.scenario import Scenario

YEARS, LIFE, TAX, RATE = 5, 3, 0.21, 0.08
PRICE_USD, ONE_OFF_USD, OUTPUT_TOK_PER_S = 96_995.99, 17_000, 11_840
AVERAGE_TOK_PER_S, FACTORS = 9000, (1, 1.5, 2, 2, 2)
SERVERS = (2, 3, 4, 4, 4)  # peaks of 18,000, 27,000 and 36,000 tokens a second
ADDED = {0: 2, 1: 1, 2: 1}
TREE = {
    "schema": "tco.scenario/1",
    "name": "growing",
    "traffic": {
        "shape": {"input_tokens": 512, "output_tokens": 512},
        "demand": {"average_output_tok_per_s": AVERAGE_TOK_PER_S, "peak_to_average": 2},
        "by_year": [1, 1.5, 2],
    },
    "measurement": {
        "published": {"output_tok_per_s": OUTPUT_TOK_PER_S, "source": "s", "date": "2026-10-15"}
    },
    "hardware": {
        "purchase": {"price_usd": PRICE_USD, "life_years": LIFE, "residual_share": 0.1},
        "one_off": {"network_usd": 5000, "rack_usd": 2000, "migration_usd": 10_000},
    },
    "power": {
        "idle_w": 300,
        "load_w": 1600,
        "usd_per_kwh": 0.1437,
        "pue": 1.3,
        "price_growth_per_year": 0.03,
    },
    "operations": {
        "fte": 0.25,
        "fte_usd_per_year": 200_000,
        "licence_usd_per_accelerator_year": 4500,
    },
    "finance": {
        "horizon_years": YEARS,
        "discount_rate": RATE,
        "tax_rate": TAX,
        "refresh_price_change_per_year": -0.1,
        "api_price_change_per_year": -0.1,
    },
    "alternatives": [{"name": "api", "usd_per_million": {"input": 0.2, "output": 0.8}}],
}


def hardware():
    """Purchases and sales after tax by time, and what each year writes off."""
    net, written_off = [0.0] * (YEARS + 1), [ONE_OFF_USD / YEARS] * YEARS
    net[0] -= ONE_OFF_USD
    for start, servers in ADDED.items():
        for bought in range(start, YEARS, LIFE):
            price = PRICE_USD * 0.9**bought
            residual = price * 0.1
            sold = min(bought + LIFE, YEARS)
            a_year = (price - residual) / LIFE
            left = LIFE - (sold - bought)
            net[bought] -= servers * price
            # Book value and worth fall alike, so that no sale has a gain to be taxed.
            net[sold] += servers * (residual + left * a_year)
            for year in range(bought, sold):
                written_off[year] += servers * a_year
    return net, written_off


def saved(year, api_change):
    output_tok_per_s = AVERAGE_TOK_PER_S * FACTORS[year]
    utilisation = output_tok_per_s / (SERVERS[year] * OUTPUT_TOK_PER_S)
    kw = SERVERS[year] * (300 + 1300 * utilisation) * 1.3 / 1000
    power = kw * 8760 * 0.1437 * 1.03**year
    operations = 0.25 * 200_000 + 4500 * SERVERS[year]
    million_requests = output_tok_per_s * 31.536 / 512
    bill = million_requests * 512 * (0.2 + 0.8) * (1 + api_change) ** year
    return bill - power - operations


def flows(api_change):
    net, written_off = hardware()
    for year in range(YEARS):
        net[year + 1] += saved(year, api_change) * (1 - TAX) + TAX * written_off[year]
    return net


def present_value(net):
    return sum(flow / (1 + RATE) ** year for year, flow in enumerate(net))


def test_growing_demand_with_refresh_and_tax_is_as_reckoned_by_hand():
    scenario = Scenario.model_validate(TREE)
    got = compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256=None,
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )
    (against,) = got.alternatives
    assert list(against.flow_times_years) == list(range(YEARS + 1))
    assert against.net_flows_usd == pytest.approx(flows(-0.1), rel=1e-12)
    assert against.npv_usd == pytest.approx(present_value(flows(-0.1)), rel=1e-12)
    assert against.stress.npv_usd == pytest.approx(present_value(flows(-0.3)), rel=1e-12)
    one_off_usd_per_year = ONE_OFF_USD * RATE / (1 - (1 + RATE) ** -YEARS)
    paid_before_residual = 1 - 0.1 / (1 + RATE) ** LIFE
    servers_usd_per_year = 2 * PRICE_USD * paid_before_residual * RATE / (1 - (1 + RATE) ** -LIFE)
    capital = got.self_host.parts_usd_per_year.capital
    assert capital == pytest.approx(servers_usd_per_year + one_off_usd_per_year)
