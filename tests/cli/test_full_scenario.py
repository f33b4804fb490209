"""A scenario in which every cost line has its share, reckoned again in plain Python.

Replicas of 4 accelerators in servers of 8, a profile that is busy by day, spares, an odd life,
growth of operations and electricity, an API that gets cheaper and has a cache of its own.
"""

import json
import math

import pytest
import yaml

from tco.cli import main

HOURS, MONTHS = 8760, 12
PROFILE = [1] * 8 + [3] * 12 + [2] * 4
PER_DAY, CAPACITY_TOK_PER_S, TARGET, AVAILABILITY, SPARES = 900_000, 4300, 0.8, 0.97, 2
TOKENS_IN, CACHED, TOKENS_OUT = 6000, 0.75, 400
PRICE, RESIDUAL_SHARE, ONE_OFF, LIFE, RATE = 250_000, 0.15, 4000, 2.5, 0.1
NETWORK, IDLE_W, LOAD_W, PUE, USD_PER_KWH, KWH_GROWTH = 60_000, 1500, 8000, 1.3, 0.12, 0.05
MAINTENANCE, FAILURES, REPAIR, LICENCE = 0.04, 0.09, 3000, 4500
HOSTING, COLOCATION, FTE, FTE_USD, OTHER, GROWTH = 120, 190, 1.5, 180_000, 9000, 0.03
API_IN, API_CACHED, API_OUT = 2.5, 0.25, 10
DISCOUNT, API_SHARE, RATIO, API_CHANGE = 0.1, 0.5, 1.1, -0.2

SCENARIO = {
    "schema": "tco.scenario/1",
    "name": "full",
    "date": "2026-12-02",
    "traffic": {
        "shape": {
            "input_tokens": TOKENS_IN,
            "cached_input_share": CACHED,
            "output_tokens": TOKENS_OUT,
        },
        "demand": {
            "requests_per_day": PER_DAY,
            "profile": PROFILE,
            "target_peak_utilisation": TARGET,
            "availability": AVAILABILITY,
            "spares": SPARES,
        },
    },
    "engine": {"accelerators": 4},
    "measurement": {
        "published": {"output_tok_per_s": CAPACITY_TOK_PER_S, "source": "s", "date": "2026-10-15"}
    },
    "hardware": {
        "purchase": {
            "price_usd": PRICE,
            "accelerators": 8,
            "life_years": LIFE,
            "residual_share": RESIDUAL_SHARE,
            "one_off_usd": ONE_OFF,
        },
        "one_off": {"network_usd": NETWORK},
    },
    "power": {
        "idle_w": IDLE_W,
        "load_w": LOAD_W,
        "pue": PUE,
        "usd_per_kwh": USD_PER_KWH,
        "price_growth_per_year": KWH_GROWTH,
    },
    "operations": {
        "maintenance_share_per_year": MAINTENANCE,
        "failures_per_accelerator_year": FAILURES,
        "repair_usd_per_failure": REPAIR,
        "licence_usd_per_accelerator_year": LICENCE,
        "hosting_usd_per_month": HOSTING,
        "colocation_usd_per_kw_month": COLOCATION,
        "fte": FTE,
        "fte_usd_per_year": FTE_USD,
        "other_usd_per_year": OTHER,
        "growth_per_year": GROWTH,
    },
    "finance": {"discount_rate": RATE, "api_price_change_per_year": API_CHANGE},
    "alternatives": [
        {
            "name": "api",
            "usd_per_million": {"input": API_IN, "cached_input": API_CACHED, "output": API_OUT},
            "discount": DISCOUNT,
            "cached_input_share": API_SHARE,
            "token_ratio": RATIO,
        }
    ],
}


@pytest.fixture
def answer(tmp_path, capsys):
    path = tmp_path / "s.yaml"
    path.write_text(yaml.safe_dump(SCENARIO, sort_keys=False), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(path), "--json"])
    assert ended.value.code == 0
    return json.loads(capsys.readouterr().out)


def crf(years):
    grown = (1 + RATE) ** years
    return RATE * grown / (grown - 1)


AVERAGE = PER_DAY / 86_400
PEAK = AVERAGE * max(PROFILE) / (sum(PROFILE) / len(PROFILE))
CAPACITY = CAPACITY_TOK_PER_S / TOKENS_OUT
REPLICAS = math.ceil(PEAK / (CAPACITY * TARGET * AVAILABILITY)) + SPARES
SERVERS = math.ceil(REPLICAS * 4 / 8)
U = AVERAGE / (REPLICAS * CAPACITY)
KWH = SERVERS * (IDLE_W + (LOAD_W - IDLE_W) * U) / 1000 * PUE * HOURS
RESIDUAL = PRICE * RESIDUAL_SHARE
LINES_A_YEAR = {
    "capital": SERVERS * (PRICE + ONE_OFF - RESIDUAL / (1 + RATE) ** LIFE) * crf(LIFE)
    + NETWORK * crf(LIFE),
    "rental": 0.0,
    "power": KWH * USD_PER_KWH,
    "maintenance": SERVERS * (MAINTENANCE * PRICE + 8 * FAILURES * REPAIR),
    "licence": SERVERS * 8 * LICENCE,
    "hosting": SERVERS * MONTHS * (HOSTING + LOAD_W / 1000 * COLOCATION),
    "staff": FTE * FTE_USD,
    "other": float(OTHER),
}
REQUESTS = PER_DAY * 365
API_REQUEST = (
    RATIO
    * (1 - DISCOUNT)
    * (
        TOKENS_IN * (1 - API_SHARE) * API_IN
        + TOKENS_IN * API_SHARE * API_CACHED
        + TOKENS_OUT * API_OUT
    )
    / 1e6
)


def test_the_fleet_and_every_line_are_as_reckoned_by_hand(answer):
    own = answer["self_host"]
    assert (own["replicas"], own["servers"]) == (REPLICAS, SERVERS)
    assert SERVERS * 2 == REPLICAS, "no accelerator of a server is left over in this case"
    assert own["utilisation"] == pytest.approx(U, rel=1e-12)
    assert own["requests_per_year"] == pytest.approx(REQUESTS, rel=1e-12)
    assert own["energy_kwh_per_year"] == pytest.approx(KWH, rel=1e-12)
    assert own["parts_usd_per_year"] == pytest.approx(LINES_A_YEAR, rel=1e-12)
    assert own["usd_per_request"] == pytest.approx(sum(LINES_A_YEAR.values()) / REQUESTS)


def test_the_bill_and_the_break_even_are_as_reckoned_by_hand(answer):
    rival = answer["alternatives"][0]
    own = sum(LINES_A_YEAR.values())
    assert rival["usd_per_request"] == pytest.approx(API_REQUEST, rel=1e-12)
    assert rival["saving"] == pytest.approx(1 - own / (API_REQUEST * REQUESTS), rel=1e-9)
    slope = SERVERS * (LOAD_W - IDLE_W) / 1000 * PUE * HOURS * USD_PER_KWH
    full_load = REPLICAS * CAPACITY * 3600 * HOURS
    root = (own - slope * U) / (API_REQUEST * full_load - slope)
    assert rival["break_even_utilisation"] == pytest.approx(root, rel=1e-9)
    assert rival["break_even_requests_per_month"] == pytest.approx(root * full_load / MONTHS)


def test_the_years_are_as_reckoned_by_hand(answer):
    """Two whole years and half a third, which has half of a year's flow."""
    rival = answer["alternatives"][0]
    grows = ("maintenance", "licence", "hosting", "staff", "other")
    operations = sum(LINES_A_YEAR[line] for line in grows)
    invested = SERVERS * (PRICE + ONE_OFF) + NETWORK
    bills, costs = [], []
    for year, share in enumerate((1, 1, 0.5)):
        bills.append(API_REQUEST * REQUESTS * (1 + API_CHANGE) ** year * share)
        power = LINES_A_YEAR["power"] * (1 + KWH_GROWTH) ** year
        costs.append((operations * (1 + GROWTH) ** year + power) * share)
    flows = [-invested, *(bill - cost for bill, cost in zip(bills, costs, strict=True))]
    flows[-1] += SERVERS * RESIDUAL
    times = [0, 1, 2, 2.5]
    assert rival["flow_times_years"] == pytest.approx(times)
    assert rival["net_flows_usd"] == pytest.approx(flows, rel=1e-9)
    worth = sum(flow / (1 + RATE) ** at for flow, at in zip(flows, times, strict=True))
    assert rival["npv_usd"] == pytest.approx(worth, rel=1e-9)
    bills_worth = sum(bill / (1 + RATE) ** at for bill, at in zip(bills, times[1:], strict=True))
    assert rival["levelised_saving"] == pytest.approx(worth / bills_worth, rel=1e-9)
    at_irr = sum(f / (1 + rival["irr"]) ** at for f, at in zip(flows, times, strict=True))
    assert abs(at_irr) < 1e-6 * invested
