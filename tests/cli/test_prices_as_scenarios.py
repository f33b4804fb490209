"""The price examples as scenarios: each request's bill, from a table given with `--prices`."""

import datetime as dt
import json
from pathlib import Path

import pytest
import yaml

from tco.cli import main

DATA = Path(__file__).parents[1] / "data"
CASES = {
    case["id"]: case for case in json.loads((DATA / "prices.json").read_text("utf-8"))["cases"]
}
OUR_NAMES = {"cache_read": "cached_input"}
REQUESTS = [
    (case_id, index) for case_id, case in CASES.items() for index in range(len(case["requests"]))
]
WRITES = ("cache_write_5m", "cache_write_1h")
HOURS_OF_A_WEEK = 168
# Of a trace: shares of writes are one alternative's, hours come from a profile, and 0 has no mean.
NO_TRACE = {"price-s04", "price-s05", "price-s08"}


def price_row(row):
    """A row of the examples in the words of our own tables."""
    rates = row["usd_per_mtok"]
    own = {name: value for name, value in row.items() if name != "usd_per_mtok"}
    if "usd_per_request" in own:
        own["usd_per_request"] = float(own["usd_per_request"])
    named = {OUR_NAMES.get(name, name): float(usd) for name, usd in rates.items()}
    return own | {"usd_per_million": named}


def table(case):
    offer = {
        "model": "m",
        "source": case["source"]["table"],
        "date": "2026-12-01",
        "prices": [price_row(row) for row in case["prices"]],
    }
    return {"schema": "tco.prices/1", "provider": "p", "offers": [offer]}


def hour_of_the_week(at):
    return (at.isoweekday() - 1) * 24 + at.hour


def scenario(request, weights=None):
    """The request as a scenario: all of the traffic comes at its hour of the week, or `weights`."""
    cached, written = request.get("cache_read", 0), [request.get(name, 0) for name in WRITES]
    input_tokens = request["fresh_input"] + cached + sum(written)
    at = dt.datetime.fromisoformat(request["at"]).astimezone(dt.UTC)
    profile = [0] * HOURS_OF_A_WEEK
    profile[hour_of_the_week(at)] = 1
    alternative = {"catalog": "p/m", "service": request.get("service", "standard")}
    for name, tokens in zip(WRITES, written, strict=True):
        alternative[f"{name}_share"] = tokens / input_tokens
    return {
        "schema": "tco.scenario/1",
        "name": "case",
        "date": at.date().isoformat(),
        "traffic": {
            "shape": {
                "input_tokens": input_tokens,
                "cached_input_share": cached / input_tokens,
                "output_tokens": request["output"],
            },
            "demand": {"requests_per_day": 1000, "profile": weights or profile},
        },
        "slo": {"ttft_p95_ms": 2000},
        "measurement": {
            "published": {"requests_per_s": 1, "source": "the case", "date": "2026-10-15"}
        },
        "hardware": {"rent": {"usd_per_hour": 1}},
        "alternatives": [alternative],
    }


@pytest.fixture
def compared(tmp_path, capsys):
    def run(table_tree, scenario_tree):
        for name, tree in (("p", table_tree), ("s", scenario_tree)):
            text = yaml.safe_dump(tree, sort_keys=False)
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        words = ["compare", f"{tmp_path}/s.yaml", "--json", "--prices", f"{tmp_path}/p.yaml"]
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        return json.loads(capsys.readouterr().out)["alternatives"][0]

    return run


@pytest.mark.parametrize(("case_id", "index"), REQUESTS)
def test_a_requests_bill_is_the_worked_one(case_id, index, compared):
    case = CASES[case_id]
    expected = float(case["expected"]["usd_each"][index])
    rival = compared(table(case), scenario(case["requests"][index]))
    assert rival["usd_per_request"] == pytest.approx(expected, rel=1e-12, abs=1e-15)
    if case["expected"].get("saving_defined") is False:
        assert (rival["saving"], rival["saving_reason"]) == (None, "zero_price")
        assert rival["break_even_utilisation"] is None
    else:
        assert rival["saving"] is not None


def of_one_scenario(case):
    """Its requests by the service and the day of a scenario, each with its worked bill."""
    groups = {}
    for request, usd in zip(case["requests"], case["expected"]["usd_each"], strict=True):
        one = scenario(request)
        key = one["date"], one["alternatives"][0]["service"]
        groups.setdefault(key, (one, []))[1].append((request, float(usd)))
    return groups.values()


@pytest.mark.parametrize("case_id", sorted(CASES.keys() - NO_TRACE))
def test_a_trace_is_billed_request_by_request(case_id, tmp_path, compared):
    for tree, requests in of_one_scenario(CASES[case_id]):
        # Ten thousand equal requests are one.
        alone = len(requests) == 1
        rows = ["input_tokens,cached_tokens,output_tokens"]
        total_usd = 0.0
        for request, usd in requests:
            cached, count = request.get("cache_read", 0), 1 if alone else request["count"]
            rows += [f"{request['fresh_input'] + cached},{cached},{request['output']}"] * count
            total_usd += usd * count
        (tmp_path / "t.csv").write_text("\n".join(rows), encoding="utf-8")
        tree["traffic"] = {"shape": {"trace": "t.csv"}}
        rival = compared(table(CASES[case_id]), tree)
        mean_usd = total_usd / (len(rows) - 1)
        assert rival["usd_per_request"] == pytest.approx(mean_usd, rel=1e-12)


def test_requests_at_several_hours_cost_the_mean_of_their_bills(compared):
    case = CASES["price-s08"]
    weights = [0] * HOURS_OF_A_WEEK
    for request in case["requests"]:
        at = dt.datetime.fromisoformat(request["at"]).astimezone(dt.UTC)
        weights[hour_of_the_week(at)] += request["count"]
    rival = compared(table(case), scenario(case["requests"][0], weights))
    expected = float(case["expected"]["usd_total"]) / sum(weights)
    assert rival["usd_per_request"] == pytest.approx(expected, rel=1e-12)
