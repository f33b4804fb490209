"""What `tco init` writes and `tco compare --json` says of it, reckoned again in plain Python.

Nothing of tco's own code is used for the expected figures. A field that is not reckoned here must
be empty: whoever adds a figure adds its arithmetic.
"""

import json
import re
from statistics import quantiles

import numpy as np
import pytest

from tco.cli import main

# The scenario's own numbers, as a reader finds them in the file.
PRICE_USD, LIFE, RATE = 96995.99, 3, 0.08
TOKENS_IN, TOKENS_OUT, OUTPUT_TOK_PER_S = 512, 512, 11840
IDLE_W, LOAD_W, PUE, USD_PER_KWH = 300, 1600, 1.54, 0.1437
INPUT_USD, CACHED_USD, OUTPUT_USD = 0.15, 0.02, 0.50
HOURS = 8760
NO_LINES = dict.fromkeys(
    ("capital", "rental", "power", "maintenance", "licence", "hosting", "staff", "other"), 0
)


@pytest.fixture
def answer(tmp_path, capsys):
    path = str(tmp_path / "my.yaml")
    for words in (["init", path], ["compare", path, "--json", "--set", "date=2026-12-02"]):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
    return json.loads(capsys.readouterr().out)


def says_nothing(got, key):
    """Empty, a flag that is not set, or the reason of a field that is empty."""
    value, of = got[key], key.removesuffix("_reason")
    return value is False or value in (None, [], {}, "") or (of != key and got[of] is None)


def equals(got, expected, path):
    """Every field: as reckoned, or empty where nothing was."""
    if isinstance(expected, dict):
        for key in got.keys() | expected.keys():
            where = f"{path}.{key}"
            if key in expected:
                assert key in got, where
                equals(got[key], expected[key], where)
            else:
                assert says_nothing(got, key), f"{where} is not reckoned in this test"
    elif isinstance(expected, list):
        assert len(got) == len(expected), path
        for index, pair in enumerate(zip(got, expected, strict=True)):
            equals(*pair, f"{path}.{index}")
    elif isinstance(expected, float) and isinstance(got, int | float):
        assert got == pytest.approx(expected, rel=1e-9), path
    else:
        assert got == expected, path


def own_usd_per_hour(utilisation):
    grown = (1 + RATE) ** LIFE
    capital = PRICE_USD * (RATE * grown / (grown - 1)) / HOURS
    watts = IDLE_W + (LOAD_W - IDLE_W) * utilisation
    return capital, watts / 1000 * PUE * USD_PER_KWH


def rates(requests_per_s):
    return {
        "requests_per_s": requests_per_s,
        "input_tok_per_s": requests_per_s * TOKENS_IN,
        "output_tok_per_s": requests_per_s * TOKENS_OUT,
        "total_tok_per_s": requests_per_s * (TOKENS_IN + TOKENS_OUT),
    }


REQUESTS_PER_S = OUTPUT_TOK_PER_S / TOKENS_OUT
REQUESTS_PER_YEAR = REQUESTS_PER_S * 3600 * HOURS
API_USD = (TOKENS_IN * INPUT_USD + TOKENS_OUT * OUTPUT_USD) / 1e6


def lines(factor):
    capital, power = own_usd_per_hour(1)
    return NO_LINES | {"capital": capital * factor, "power": power * factor}


def test_own_cost_is_as_reckoned_by_hand(answer):
    hour = sum(own_usd_per_hour(1))
    request = hour / (REQUESTS_PER_S * 3600)
    published = {"origin": "published", "rule": "published"}
    equals(answer["capacity"], rates(REQUESTS_PER_S) | published, "capacity")
    equals(answer["served"], rates(REQUESTS_PER_S), "served")
    expected = {
        "utilisation": 1.0,
        "servers": 1,
        "reachable_utilisation": 1,
        "accelerators": 1,
        "accelerators_used": 1,
        "replicas": 1,
        "usd_per_hour": hour,
        "usd_per_year": hour * HOURS,
        "cash_at_start_usd": PRICE_USD,
        "requests_per_year": REQUESTS_PER_YEAR,
        "usd_per_request": request,
        "usd_per_million_output": request / TOKENS_OUT * 1e6,
        "usd_per_million_total": request / (TOKENS_IN + TOKENS_OUT) * 1e6,
        "parts_usd_per_hour": lines(1),
        "parts_usd_per_year": lines(HOURS),
        "parts_usd_per_million_output": lines(1e6 / (OUTPUT_TOK_PER_S * 3600)),
        "parts_share": lines(1 / hour),
        "server_idle_w": IDLE_W,
        "server_load_w": LOAD_W,
        "energy_kwh_per_year": LOAD_W / 1000 * PUE * HOURS,
        "kg_co2e_per_year_reason": "no_intensity_stated",
        "g_co2e_per_million_total_reason": "no_intensity_stated",
    }
    own = {key: value for key, value in answer["self_host"].items() if key != "details"}
    equals(own, expected, "self_host")


def test_of_the_keys_that_may_add_cost_only_pue_does(answer):
    details = {each["key"]: each for each in answer["self_host"]["details"]}
    beyond_the_servers = LOAD_W / 1000 * (PUE - 1) * HOURS * USD_PER_KWH
    pue = details.pop("power.pue")
    assert (pue["value"], pue["included"]) == (PUE, True)
    assert pue["usd_per_year"] == pytest.approx(beyond_the_servers)
    assert {"operations.fte", "traffic.demand.spares"} < details.keys()
    for each in details.values():
        assert not each["included"], each
        assert not each["usd_per_year"], each


def present_value(flows, rate):
    return sum(flow / (1 + rate) ** year for year, flow in enumerate(flows))


def rate_of_return(flows):
    low, high = -0.99, 1000.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if present_value(flows, middle) > 0 else (low, middle)
    return low


def paid_by(price, running, bill):
    """Both running sums; what is bought stands before and after its purchase."""
    sums = [
        (0, 0.0, 0.0),
        *((year, price + running * year, bill * year) for year in range(LIFE + 1)),
    ]
    return [
        {"years": year, "own_usd": own, "api_usd": api, "ahead_usd": api - own}
        for year, own, api in sums
    ]


def payback(flows, rate):
    left = -flows[0]
    for year, flow in enumerate(flows[1:]):
        worth = flow / (1 + rate) ** (year + 1)
        if worth >= left:
            return year + left / worth
        left -= worth
    return None


def stress(bill_usd_per_year, power_usd_per_year):
    """The same years with an API that gets cheaper by 30 % in each of them."""
    bills = [bill_usd_per_year * 0.7**year for year in range(LIFE)]
    flows = [-PRICE_USD, *(bill - power_usd_per_year for bill in bills)]
    bills_present = present_value([0.0, *bills], RATE)
    return {
        "api_price_change_per_year": -0.3,
        "levelised_saving": present_value(flows, RATE) / bills_present,
        "npv_usd": present_value(flows, RATE),
        "payback_years": payback(flows, 0),
        "discounted_payback_years": payback(flows, RATE),
    }


def test_the_api_and_the_saving_are_as_reckoned_by_hand(answer):
    capital, power = own_usd_per_hour(1)
    own_request = (capital + power) / (REQUESTS_PER_S * 3600)
    bill_usd_per_year = API_USD * REQUESTS_PER_YEAR
    idle_power = own_usd_per_hour(0)[1]
    fixed = capital + idle_power
    root = fixed / (API_USD * REQUESTS_PER_S * 3600 - (power - idle_power))
    year_usd = bill_usd_per_year - power * HOURS
    flows = [-PRICE_USD] + [year_usd] * LIFE
    # Spending and bill over the three years, each at its present value.
    annuity = sum(1 / (1 + RATE) ** year for year in range(1, LIFE + 1))
    own_present = PRICE_USD + power * HOURS * annuity
    expected = {
        "name": "open model on an API",
        "price_source": {"table": "scenario", "service": "standard"},
        "usd_per_million_input": INPUT_USD,
        "usd_per_million_cached_input": CACHED_USD,
        "usd_per_million_output_price": OUTPUT_USD,
        "usd_per_request": API_USD,
        "usd_per_year": bill_usd_per_year,
        "usd_per_million_output": API_USD / TOKENS_OUT * 1e6,
        "usd_per_million_total": API_USD / (TOKENS_IN + TOKENS_OUT) * 1e6,
        "saving": 1 - own_request / API_USD,
        "saving_usd_per_year": bill_usd_per_year - (capital + power) * HOURS,
        "levelised_saving": 1 - own_present / (bill_usd_per_year * annuity),
        "break_even_utilisation": root,
        "break_even_requests_per_month": root * REQUESTS_PER_S * 3600 * 730,
        "break_even_within_capacity": True,
        "npv_usd": present_value(flows, RATE),
        "irr": rate_of_return(flows),
        "payback_years": payback(flows, 0),
        "discounted_payback_years": payback(flows, RATE),
        "net_flows_usd": flows,
        "flow_times_years": list(range(LIFE + 1)),
        "price_tiers": [
            {
                "hours_share": 1.0,
                "requests_share": 1.0,
                "usd_per_million_input": 0.15,
                "usd_per_million_cached_input": 0.02,
                "usd_per_million_output": 0.5,
                "hours": 0,
                "usd_per_request": 0.0,
                "uncached_tokens": TOKENS_IN,
                "cached_tokens": 0.0,
                "output_tokens": TOKENS_OUT,
            }
        ],
        "paid_by": paid_by(-flows[0], power * HOURS, bill_usd_per_year),
        "pays_back_then_loses": False,
        "stress": stress(bill_usd_per_year, power * HOURS),
    }
    (rival,) = answer["alternatives"]
    equals(rival, expected, "alternatives.0")


def test_the_table_of_utilisations_is_as_reckoned_by_hand(answer):
    assert len(answer["utilisation"]) == 100
    for percent, row in enumerate(answer["utilisation"], start=1):
        u = percent / 100
        request = sum(own_usd_per_hour(u)) / (REQUESTS_PER_S * u * 3600)
        expected = {
            "utilisation": u,
            "usd_per_million_output": request / TOKENS_OUT * 1e6,
            "saving": [1 - request / API_USD],
        }
        equals(row, expected, f"utilisation.{percent}")


def test_the_map_holds_the_levelised_saving_of_each_use_and_price_change(answer):
    found = answer["saving_map"]
    assert (found["along_stated"], found["api_price_change_stated"]) == (1.0, 0.0)
    for change, row in zip(
        found["api_price_changes_per_year"], found["levelised_saving"], strict=True
    ):
        for u, saving in zip(found["along_values"], row, strict=True):
            running = own_usd_per_hour(u)[1] * HOURS
            bills = [API_USD * REQUESTS_PER_YEAR * u * (1 + change) ** t for t in range(LIFE)]
            bill = present_value([0.0, *bills], RATE)
            own = PRICE_USD + present_value([0.0, *[running] * LIFE], RATE)
            assert saving == pytest.approx(1 - own / bill, rel=1e-9)


def test_the_rest_says_what_was_compared(answer):
    known = {"capacity", "served", "self_host", "alternatives", "utilisation", "findings"}
    known |= {"saving_map"}  # reckoned above
    rest = {key: value for key, value in answer.items() if key not in known}
    assert re.fullmatch(r"[0-9a-f]{64}", rest.pop("scenario_sha256"))
    assert rest.pop("tool_version")
    assert rest.pop("uncertainty")["draws"] == 100_000  # reckoned below
    expected = {
        "schema": "tco.comparison/1",
        "date": "2026-12-02",
        "name": "512 in, 512 out, 256 streams",
        "currency": "USD",
    }
    equals(rest, expected, "comparison")
    assert {finding["kind"] for finding in answer["findings"]} >= {
        "method_demonstration",
        "published_rate",
        "not_included",
        "purchase_without_running_costs",
        "high_utilisation",
        "unknown_weights",
        "no_service_level",
    }


def test_the_interval_is_that_of_draws_made_here(answer):
    found = answer["uncertainty"]
    assert [each["key"] for each in found["varied"]] == [
        "power.pue",
        "alternatives.0.usd_per_million.input",
    ]
    random, savings = np.random.default_rng(7), []
    capital, power = own_usd_per_hour(1.0)
    for _ in range(40_000):
        own = capital + power / PUE * random.uniform(1.1, 1.6)
        api = (TOKENS_IN * random.uniform(0.10, 0.20) + TOKENS_OUT * OUTPUT_USD) / 1e6
        savings.append(1 - own / (REQUESTS_PER_S * 3600) / api)
    ranks = quantiles(savings, n=20)
    (rival,) = found["alternatives"]
    got = [rival["saving"][name] for name in ("low", "median", "high")]
    assert got == pytest.approx([ranks[0], ranks[9], ranks[-1]], abs=0.001)
    assert rival["probability_cheaper"] is None
    assert rival["probability_needs"] == ["utilisation", "capital"]
