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
# A scenario has a mean request and a day: no share of cache writes, no minute of the day.
NO_SCENARIO = {"price-s04", "price-s08"}
REQUESTS = [
    (case_id, index)
    for case_id, case in CASES.items()
    if case_id not in NO_SCENARIO
    for index in range(len(case["requests"]))
]


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


def scenario(request):
    cached, fresh = request.get("cache_read", 0), request["fresh_input"]
    at = dt.datetime.fromisoformat(request["at"]).astimezone(dt.UTC)
    alternative = {"catalog": "p/m", "service": request.get("service", "standard")}
    return {
        "schema": "tco.scenario/1",
        "name": "case",
        "date": at.date().isoformat(),
        "traffic": {
            "shape": {
                "input_tokens": fresh + cached,
                "cached_input_share": cached / (fresh + cached),
                "output_tokens": request["output"],
            }
        },
        "slo": {"ttft_p95_ms": 2000},
        "measurement": {
            "published": {"requests_per_s": 1, "source": "the case", "date": "2026-10-15"}
        },
        "hardware": {"rent": {"usd_per_hour": 1}},
        "alternatives": [alternative],
    }


@pytest.mark.parametrize(("case_id", "index"), REQUESTS)
def test_a_requests_bill_is_the_worked_one(case_id, index, tmp_path, capsys):
    case = CASES[case_id]
    expected = float(case["expected"]["usd_each"][index])
    for name, tree in (("p", table(case)), ("s", scenario(case["requests"][index]))):
        text = yaml.safe_dump(tree, sort_keys=False)
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    words = ["compare", f"{tmp_path}/s.yaml", "--json", "--prices", f"{tmp_path}/p.yaml"]
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    rival = json.loads(capsys.readouterr().out)["alternatives"][0]
    assert rival["usd_per_request"] == pytest.approx(expected, rel=1e-9, abs=1e-15)
    if case["expected"].get("saving_defined") is False:
        assert (rival["saving"], rival["saving_reason"]) == (None, "zero_price")
        assert rival["break_even_utilisation"] is None
    else:
        assert rival["saving"] is not None
