"""A scenario whose traffic is a bill: what is filled in, refused, found, and priced back."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.cost.compare import compare
from tco.errors import InputError
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.report.headline import headline
from tco.scenario_file import load_scenario

BILLS = Path(__file__).parent / "data" / "bills"
HOUR, DAY = 3600, 86_400
MONDAY = int(dt.datetime(2026, 11, 2, tzinfo=dt.UTC).timestamp())
REST = """\
measurement: {published: {output_tok_per_s: 5000, source: s, date: 2026-10-15}}
hardware:
  rent: {usd_per_hour: 2}
"""


@pytest.fixture
def load(tmp_path):
    def loader(traffic, *sets, more=""):
        for path in BILLS.iterdir():
            (tmp_path / path.name).write_bytes(path.read_bytes())
        path = tmp_path / "s.yaml"
        path.write_text(
            f"schema: tco.scenario/1\nname: t\ntraffic:\n{traffic}\n{REST}{more}", encoding="utf-8"
        )
        return load_scenario(path, sets)

    return loader


def compared(loaded):
    scenario = loaded.scenario
    return compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256=loaded.sha256,
        measurement_sha256=None,
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def kinds(comparison):
    return {each.kind for each in comparison.findings}


def fault(load, traffic, *sets):
    with pytest.raises(InputError) as caught:
        load(traffic, *sets)
    return caught.value


BOTH = "  bill: [openai_usage.json, openai_costs.json]"


def test_a_bill_fills_shape_demand_and_todays_spend(load):
    scenario = load(BOTH).scenario
    shape, demand = scenario.traffic.shape, scenario.traffic.demand
    assert (shape.input_tokens.value, shape.output_tokens.value) == (1000, 200)
    assert shape.cached_input_share.value == 0.25
    assert demand.requests_per_day.value == 210
    assert demand.peak_to_average.value == pytest.approx(310 / 210)
    paid = scenario.alternatives[-1]
    assert paid.name == "today's bill"
    assert paid.usd_per_request.value == Decimal("3.00") / 630
    assert paid.same_weights is None


def test_the_headline_is_against_the_bill(load):
    more = (
        "alternatives: [{name: dear, usd_per_million: {input: 9, output: 9}, same_weights: true}]"
    )
    comparison = compared(load(BOTH, more=more))
    assert [each.is_bill for each in comparison.alternatives] == [False, True]
    rival = comparison.headline_alternative()
    assert rival.is_bill
    assert rival.price_source.table == "openai_usage.json, openai_costs.json"
    assert rival.usd_per_year == pytest.approx(3.0 / 3 * 365)
    assert comparison.bill.usd_per_month == pytest.approx(3.0 / 3 * 730 / 24)
    assert (
        "your bill of $30.42 a month (openai_usage.json, openai_costs.json, "
        "from 2026-11-02 to 2026-11-04)"
    ) in headline(comparison)


def test_unknown_weights_of_a_bill_are_to_be_stated_there(load):
    found = next(f for f in compared(load(BOTH)).findings if f.kind == "unknown_weights")
    assert found.path == "traffic.bill.same_weights"
    assert found.advice == "state same_weights: true or false (of the bill, in traffic.bill)"


def test_the_model_and_the_days_choose_what_counts(load):
    scenario = load("  bill: {files: [openai_usage.json, openai_costs.json], model: 'model-a*'}")
    assert scenario.scenario.traffic.demand.requests_per_day.value == 200
    assert scenario.scenario.alternatives[-1].usd_per_request.value == Decimal("0.004")
    days = "from: 2026-11-03, to: 2026-11-03, same_weights: true"
    scenario = load(f"  bill: {{files: [openai_usage.json, openai_costs.json], {days}}}").scenario
    assert scenario.traffic.demand.requests_per_day.value == 210
    assert scenario.alternatives[-1].same_weights is True


def test_hours_give_a_profile_of_the_week(load, tmp_path):
    write_hours(tmp_path / "u.json", [(10 if hour % 24 < 12 else 30) for hour in range(14 * 24)])
    demand = load("  bill: u.json").scenario.traffic.demand
    assert demand.requests_per_day.value == 480
    assert demand.peak_to_average is None
    weights = [weight.value for weight in demand.profile]
    assert weights == ([10.0] * 12 + [30.0] * 12) * 7
    stated = load("  bill: u.json\n  demand: {peak_to_average: 4, spares: 1}").scenario
    assert stated.traffic.demand.profile is None
    assert stated.traffic.demand.peak_to_average.value == 4


def test_a_week_begins_on_monday(load, tmp_path):
    write_hours(tmp_path / "u.json", [(50 if hour == 25 else 1) for hour in range(9 * 24)])
    weights = [w.value for w in load("  bill: u.json").scenario.traffic.demand.profile]
    assert weights.index(max(weights)) == 25
    write_hours(tmp_path / "u.json", [(50 if hour == 25 else 1) for hour in range(2 * 24)])
    weights = [w.value for w in load("  bill: u.json").scenario.traffic.demand.profile]
    assert (len(weights), weights.index(max(weights))) == (24, 1)


def write_hours(path, requests, start_s=MONDAY, tokens=(100, 20, 10)):
    whole, cached, output = tokens
    buckets = [
        {
            "start_time": start_s + hour * HOUR,
            "end_time": start_s + (hour + 1) * HOUR,
            "results": [
                {
                    "input_tokens": count * whole,
                    "input_cached_tokens": count * cached,
                    "output_tokens": count * output,
                    "num_model_requests": count,
                    "model": "m",
                }
            ],
        }
        for hour, count in enumerate(requests)
    ]
    path.write_text(json.dumps({"data": buckets, "has_more": False}), encoding="utf-8")


TABLE = st.tuples(*(st.decimals("0.01", "90", places=4) for _ in range(3)))


@settings(max_examples=25)
@given(
    prices=TABLE,
    counts=st.lists(st.integers(0, 900), min_size=24, max_size=24).filter(any),
    tokens=st.tuples(st.integers(2, 9000), st.integers(0, 9000), st.integers(1, 9000)),
)
def test_a_bill_made_from_a_price_list_gives_that_lists_saving(
    tmp_path_factory, prices, counts, tokens
):
    whole, cached, output = tokens
    cached = min(cached, whole)
    fresh_usd, cached_usd, output_usd = prices
    folder = tmp_path_factory.mktemp("bill")
    write_hours(folder / "u.json", counts, tokens=(whole, cached, output))
    requests = sum(counts)
    usd = (
        requests
        * ((whole - cached) * fresh_usd + cached * cached_usd + output * output_usd)
        / Decimal(10**6)
    )
    cost = {"start_time": MONDAY, "end_time": MONDAY + DAY}
    cost["results"] = [{"amount": {"value": "AMOUNT", "currency": "usd"}, "line_item": None}]
    text = json.dumps({"data": [cost]}).replace('"AMOUNT"', f"{usd:f}")
    (folder / "c.json").write_text(text, encoding="utf-8")
    listed = f"{{input: {fresh_usd}, cached_input: {cached_usd}, output: {output_usd}}}"
    (folder / "s.yaml").write_text(
        f"schema: tco.scenario/1\nname: t\ntraffic: {{bill: [u.json, c.json]}}\n{REST}"
        f"alternatives: [{{name: list, usd_per_million: {listed}}}]",
        encoding="utf-8",
    )
    listed, paid = compared(load_scenario(folder / "s.yaml")).alternatives
    assert paid.saving == pytest.approx(listed.saving, rel=1e-9, abs=1e-9)
    assert paid.usd_per_year == pytest.approx(float(usd) * 365, rel=1e-9)


@pytest.mark.parametrize(
    ("beside", "key"),
    [
        ("  shape: {input_tokens: 5}", "traffic.shape.input_tokens"),
        ("  shape: {trace: t.csv}", "traffic.shape.trace"),
        ("  shape: {cached_input_share: 0.5}", "traffic.shape.cached_input_share"),
        ("  demand: {requests_per_day: 5}", "traffic.demand.requests_per_day"),
        ("  demand: {average_output_tok_per_s: 5}", "traffic.demand.average_output_tok_per_s"),
        ("  target_utilisation: 0.5", "traffic.target_utilisation"),
    ],
)
def test_what_a_bill_tells_cannot_be_stated_beside_it(load, beside, key):
    found = fault(load, f"{BOTH}\n{beside}")
    assert found.key == key
    assert found.line == 5
    assert "exclude each other" in found.message
    assert fault(load, BOTH, "traffic.demand.requests_per_day=7").key is not None


def test_a_bill_set_on_the_command_line_takes_the_place_of_stated_traffic(load):
    stated = "  shape: {input_tokens: 5, output_tokens: 5}\n  target_utilisation: 0.5"
    scenario = load(stated, "traffic.bill=openrouter_activity.csv").scenario
    assert scenario.traffic.shape.input_tokens.value == 1000
    assert scenario.traffic.target_utilisation is None


def test_what_the_export_does_not_tell_may_be_stated(load):
    traffic = "  bill: openrouter_activity.csv\n  shape: {cached_input_share: 0.4}"
    assert load(traffic).scenario.traffic.shape.cached_input_share.value == 0.4


@pytest.mark.parametrize(
    ("bill", "says", "key"),
    [
        ("none.json", "cannot be found", "traffic.bill.files"),
        ("openai_costs.json", "costs without the usage", "traffic.bill"),
        ("[openai_usage.json, anthropic_costs.csv]", "costs without the usage", "traffic.bill"),
        ("anthropic_usage.csv", "does not count requests", "traffic.bill.requests_per_day"),
        ("{files: openai_usage.json, requests_per_day: 5}", "counts its own requests",
         "traffic.bill.requests_per_day"),
        ("{files: openai_usage.json, model: other}", "holds no requests", "traffic.bill"),
        ("{files: openai_usage.json, from: 2027-01-01, to: 2027-02-01}", "holds no requests",
         "traffic.bill"),
        ("{files: openai_usage.json, from: 2026-11-04, to: 2026-11-03}", "must not be before",
         "traffic.bill.to"),
        ("{files: openai_usage.json, sha256: abc}", "not the ones stated", "traffic.bill.sha256"),
        ("{files: openai_usage.json, found: {}}", "is found in the files", "traffic.bill.found"),
        ("{files: openai_usage.json, modell: x}", "unknown key", "traffic.bill.modell"),
    ],
)  # fmt: skip
def test_a_bill_that_does_not_do_is_said_with_key_and_line(load, bill, says, key):
    found = fault(load, f"  bill: {bill}")
    assert says in found.message
    assert (found.key, found.line) == (key, 4)


def test_an_alternative_cannot_call_itself_a_bill(load):
    more = "alternatives: [{name: a, is_bill: true}]"
    with pytest.raises(InputError, match=r"set by traffic\.bill"):
        load(BOTH, more=more)


def with_extra(load, name, *, file, **row):
    """Return the comparison of a bill whose costs have one row more on the first day."""
    path = load(BOTH).path.parent / "extra.json"
    record = json.loads((BILLS / file).read_text(encoding="utf-8"))
    record["data"][0]["results"].append(row)
    path.write_text(json.dumps(record), encoding="utf-8")
    counted = "" if name.startswith("openai") else ", requests_per_day: 210"
    return compared(load(f"  bill: {{files: [{name}, extra.json]{counted}}}"))


def test_an_item_that_tells_no_model_is_in_todays_spend_and_named(load):
    comparison = with_extra(
        load, "openai_usage.json", file="openai_costs.json",
        amount={"value": 1.5, "currency": "usd"}, line_item="Quantum oracle",
    )  # fmt: skip
    (said,) = [each for each in comparison.findings if each.kind == "bill_unknown_items"]
    assert "Quantum oracle $1.50" in said.message
    assert comparison.bill.usd == 4.5


@pytest.mark.parametrize(
    ("cost_type", "usd"),
    [("tokens", 4.5), ("web_search", 3.0), ("code_execution", 3.0), ("session_usage", 3.0)],
)
def test_of_anthropics_costs_only_tokens_are_todays_spend(load, cost_type, usd):
    comparison = with_extra(
        load, "anthropic_usage.json", file="anthropic_costs.json",
        amount="150.0", currency="USD", cost_type=cost_type, description=cost_type, model="model-b",
    )  # fmt: skip
    assert comparison.bill.usd == usd
    assert ("bill_other_products" in kinds(comparison)) is (cost_type != "tokens")
    assert "bill_unknown_items" not in kinds(comparison)


def test_usage_and_costs_of_other_days_are_refused_until_days_are_stated(load, tmp_path):
    page = json.loads((BILLS / "openai_costs.json").read_text(encoding="utf-8"))
    page["data"].pop()
    (tmp_path / "short.json").write_text(json.dumps(page), encoding="utf-8")
    assert (
        "do not cover the same days"
        in fault(load, "  bill: [openai_usage.json, short.json]").message
    )
    days = "from: 2026-11-02, to: 2026-11-03"
    scenario = load(f"  bill: {{files: [openai_usage.json, short.json], {days}}}").scenario
    assert scenario.alternatives[-1].usd_per_request.value == Decimal("1.6") / 320


def test_the_hash_is_of_the_files_content_and_not_of_their_names_or_order(load, tmp_path):
    first = load(BOTH).sha256
    (tmp_path / "other.json").write_bytes((BILLS / "openai_usage.json").read_bytes())
    assert load("  bill: [openai_costs.json, other.json]").sha256 == first
    assert load("  bill: [openai_costs.csv, other.json]").sha256 != first


def test_a_bill_by_the_day_says_that_its_hours_are_not_known(load):
    comparison = compared(load(BOTH))
    found = next(each for each in comparison.findings if each.kind == "bill_without_hours")
    assert found.value == pytest.approx(310 / 210)
    stated = load(f"{BOTH}\n  demand: {{peak_to_average: 3}}")
    assert "bill_without_hours" not in kinds(compared(stated))


def test_usage_without_costs_has_no_spend_to_compare_with(load):
    comparison = compared(load("  bill: openai_usage.json"))
    assert "bill_without_cost" in kinds(comparison)
    assert comparison.alternatives == ()
    assert comparison.bill.usd is None


def test_the_busiest_hour_is_said_where_the_profile_evens_it_out(load, tmp_path):
    write_hours(tmp_path / "u.json", [(500 if hour == 30 else 10) for hour in range(21 * 24)])
    found = [each for each in compared(load("  bill: u.json")).findings if "busiest" in each.kind]
    assert found[0].value > found[0].limit > 1


def test_days_held_in_part_and_days_without_requests_are_said(load, tmp_path):
    counts = [0 if 48 <= hour < 72 else 10 for hour in range(5 * 24)]
    write_hours(tmp_path / "u.json", counts, start_s=MONDAY + 6 * HOUR)
    loaded = load("  bill: u.json")
    assert {"bill_partial_days", "bill_busiest_hour"} <= kinds(compared(loaded))
    found = loaded.scenario.traffic.bill.found
    assert (found.first_day, found.last_day) == (dt.date(2026, 11, 3), dt.date(2026, 11, 6))
    write_hours(tmp_path / "u.json", [0 if 24 <= hour < 48 else 10 for hour in range(72)])
    assert "bill_days_without_requests" in kinds(compared(load("  bill: u.json")))


def test_a_bill_of_some_hours_says_so(load, tmp_path):
    write_hours(tmp_path / "u.json", [10, 20])
    assert "bill_is_short" in kinds(compared(load("  bill: u.json")))


def test_credits_count_and_are_said(load, tmp_path):
    text = (BILLS / "openrouter_activity.csv").read_text(encoding="utf-8")
    credit = "2026-11-03,model-b,model-b,e1,P,-1,0,0,0,0,0\n"
    (tmp_path / "c.csv").write_text(text + credit, encoding="utf-8")
    comparison = compared(load("  bill: c.csv"))
    assert comparison.bill.usd == 2.0
    assert "bill_has_credits" in kinds(comparison)
    (tmp_path / "c.csv").write_text(text + credit.replace(",-1,", ",-4,"), encoding="utf-8")
    comparison = compared(load("  bill: c.csv"))
    assert "bill_is_not_positive" in kinds(comparison)
    assert comparison.alternatives == ()


def test_failed_and_repeated_requests_of_logs_are_said(load, tmp_path):
    text = (BILLS / "litellm_spend_logs.jsonl").read_text(encoding="utf-8")
    first = text.splitlines(keepends=True)[:5]
    again = tmp_path / "again.jsonl"
    again.write_text("".join([*first, first[0].replace("req-001", "req-new")]), encoding="utf-8")
    comparison = compared(load("  bill: [litellm_spend_logs.jsonl, again.jsonl]"))
    assert {"bill_left_out", "bill_rows_twice"} <= kinds(comparison)
    assert comparison.bill.requests == 64
    again.write_text("".join(first), encoding="utf-8")
    found = fault(load, "  bill: [litellm_spend_logs.jsonl, again.jsonl]")
    assert "only requests that are in the files before it" in found.message


def test_rows_without_a_cost_are_said(load, tmp_path):
    text = (BILLS / "litellm_spend_logs.jsonl").read_text(encoding="utf-8")
    text = text.replace('"spend": 0.2', '"spend": null')
    (tmp_path / "l.jsonl").write_text(text, encoding="utf-8")
    assert "bill_rows_without_cost" in kinds(compared(load("  bill: l.jsonl")))


def test_a_page_that_is_not_the_last_is_said(load, tmp_path):
    page = json.loads((BILLS / "openai_usage.json").read_text(encoding="utf-8"))
    (tmp_path / "u.json").write_text(json.dumps({**page, "has_more": True}), encoding="utf-8")
    assert "bill_has_more_pages" in kinds(compared(load("  bill: u.json")))


def test_a_clouds_bill_says_its_services_and_its_commitments(load, tmp_path):
    text = (BILLS / "focus.csv").read_text(encoding="utf-8")
    server = "1,9.5,4.5,USD,2026-11-02T00:00Z,2026-11-03T00:00Z,Usage,,24,Hours,Servers,large,S\n"
    (tmp_path / "f.csv").write_text(text + server, encoding="utf-8")
    stated = "files: f.csv, requests_per_day: 210"
    comparison = compared(load(f"  bill: {{{stated}}}"))
    assert {"bill_of_several_services", "bill_has_commitments"} <= kinds(comparison)
    assert comparison.bill.usd == 12.5
    picked = compared(load(f"  bill: {{{stated}, model: 'AI Models/*'}}"))
    assert picked.bill.usd == 3.0
    assert not {"bill_of_several_services", "bill_has_commitments"} & kinds(picked)


def test_tokens_of_an_unclear_kind_are_refused(load, tmp_path):
    text = (BILLS / "focus.csv").read_text(encoding="utf-8")
    (tmp_path / "f.csv").write_text(text.replace("Output", "Standard"), encoding="utf-8")
    found = fault(load, "  bill: {files: f.csv, requests_per_day: 9}")
    assert "whether they are input or output" in found.message
