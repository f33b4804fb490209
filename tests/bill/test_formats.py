"""Each export, read from a file written after its provider's documentation."""

import csv
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tco.bill import load_bill
from tco.bill.usage import bill_facts, summed
from tco.errors import InputError

BILLS = Path(__file__).parents[1] / "data" / "bills"
# All are of the same three days: 630 requests of 1,000 tokens in and 200 out; LiteLLM's and
# OpenRouter's logs hold every tenth of them.
SPEND = Decimal("3.00")
USAGE = {
    "openai_usage.json": (630, 157_500),
    "openai_usage.csv": (630, 157_500),
    "anthropic_usage.json": (None, 157_500),
    "anthropic_usage.csv": (None, 157_500),
    "openrouter_activity.json": (630, None),
    "openrouter_activity.csv": (630, None),
    "openrouter_generations.csv": (63, 15_750),
    "litellm_spend_logs.jsonl": (63, 15_750),
    "litellm_spend_logs.csv": (63, 15_750),
    "focus.csv": (None, 157_500),
}
WITH_COST = {name for name in USAGE if name.startswith(("openrouter", "litellm", "focus"))}
COSTS = ("openai_costs.json", "openai_costs.csv", "anthropic_costs.json", "anthropic_costs.csv")


def total_of(bill):
    return summed(sums for _, _, sums in bill.cells())


@pytest.mark.parametrize("name", USAGE)
def test_an_export_of_usage_gives_its_sums(name):
    requests, cached = USAGE[name]
    bill = load_bill([BILLS / name])
    total = total_of(bill)
    assert total.input_tokens == (63_000 if requests == 63 else 630_000)
    assert total.output_tokens == total.input_tokens / 5
    per_day = None if requests else 210
    facts = bill_facts(bill, requests_per_day=per_day)
    assert facts.requests == (requests or 630)
    assert facts.is_counted is (requests is not None)
    assert facts.cached_tokens == cached
    assert (facts.usd is not None) is (name in WITH_COST)


@pytest.mark.parametrize("name", sorted(WITH_COST))
def test_money_is_read_exactly(name):
    total = total_of(load_bill([BILLS / name]))
    expected = SPEND if "activity" in name or "focus" in name else None
    by_row = sum((row_usd(row) for row in rows(name)), Decimal(0))
    assert total.usd == by_row
    assert expected is None or total.usd == expected


def rows(name):
    """The money of each row by another reader: the standard library's, on texts."""
    text = (BILLS / name).read_text(encoding="utf-8")
    if name.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    if name.endswith(".jsonl"):
        return [json.loads(line, parse_float=Decimal) for line in text.splitlines()]
    return json.loads(text, parse_float=Decimal)["data"]


def row_usd(row):
    key = next(key for key in ("BilledCost", "cost_total", "spend", "usage") if key in row)
    return Decimal(str(row[key]))


@pytest.mark.parametrize("name", COSTS)
def test_an_export_of_costs_gives_dollars_by_model(name):
    bill = load_bill([BILLS / name])
    assert total_of(bill).usd == SPEND
    # The console's tables have one name for a model, without its day.
    dated = "model-a" if name == "anthropic_costs.csv" else "model-a-2026-05-01"
    assert bill.models() == [dated, "model-b"]
    picked = summed(sums for _, _, sums in bill.cells(["MODEL-A*"]))
    assert picked.usd == Decimal("2.40")


def test_anthropics_input_holds_what_its_caches_read_and_were_written():
    for name in ("anthropic_usage.json", "anthropic_usage.csv"):
        total = total_of(load_bill([BILLS / name]))
        assert (total.input_tokens, total.cache_write_tokens) == (630_000, 31_500)


def test_json_may_be_pages_in_a_list_or_one_a_line(tmp_path):
    page = json.loads((BILLS / "openai_usage.json").read_text(encoding="utf-8"))
    first, rest = {**page, "data": page["data"][:1]}, {**page, "data": page["data"][1:]}
    (tmp_path / "list.json").write_text(json.dumps([first, rest]), encoding="utf-8")
    (tmp_path / "lines.json").write_text(
        f"{json.dumps(first)}\n{json.dumps(rest)}\n", encoding="utf-8"
    )
    for name in ("list.json", "lines.json"):
        assert total_of(load_bill([tmp_path / name])).requests == 630


def test_a_bucket_without_results_is_a_time_without_requests(tmp_path):
    page = json.loads((BILLS / "openai_usage.json").read_text(encoding="utf-8"))
    page["data"][0]["results"] = []
    page["data"][2]["results"] = []
    (tmp_path / "u.json").write_text(json.dumps(page), encoding="utf-8")
    facts = bill_facts(load_bill([tmp_path / "u.json"]))
    assert (facts.days, facts.requests) == (3, 210)


@pytest.mark.parametrize(
    ("unit", "quantity"),
    [("Tokens", 75_000), ("1K Tokens", 75), ("1M Tokens", 0.075), ("thousand tokens", 75),
     ("1000 tokens", 75)],
)  # fmt: skip
def test_focus_counts_tokens_by_its_unit(tmp_path, unit, quantity):
    head, first, *_ = (BILLS / "focus.csv").read_text(encoding="utf-8").splitlines()
    line = first.replace("75.0,1K Tokens", f"{quantity},{unit}")
    (tmp_path / "f.csv").write_text(f"{head}\n{line}\n", encoding="utf-8")
    assert total_of(load_bill([tmp_path / "f.csv"])).input_tokens == 75_000


@pytest.mark.parametrize(
    ("text", "says", "line"),
    [
        ("", "is empty", None),
        ("a,b\n1,2\n", "is no usage or cost export that is known", 2),
        ('{"data": []}', "holds no usage and no costs", None),
        ('{"data": [', "is not JSON", 1),
        ("date,model,usage,requests,prompt_tokens,completion_tokens\n2026-11-02,m,$1,1,1,1\n",
         "must be a plain number, got '$1'", 2),
        ("date,model,usage,requests,prompt_tokens,completion_tokens\n2026-11-02,m,1,-1,1,1\n",
         "must be 0 or more", 2),
        ("date,model,usage,requests,prompt_tokens,completion_tokens\n11/02/2026,m,1,1,1,1\n",
         "must be a day", 2),
        ("date,model,usage,requests,prompt_tokens,completion_tokens\n2026-11-02,m,1\n",
         "has 3 columns, and the header 6", 2),
        ("start_time,amount_value,amount_currency\n1762041600,1,eur\n", "is in EUR", 2),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_line(tmp_path, text, says, line):
    path = tmp_path / "x"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_bill([path])
    assert says in caught.value.message
    assert caught.value.file == str(path)
    assert line is None or caught.value.line == line


def test_a_file_named_twice_is_refused(tmp_path):
    copy = tmp_path / "copy.json"
    copy.write_bytes((BILLS / "openai_usage.json").read_bytes())
    with pytest.raises(InputError, match="would be counted twice"):
        load_bill([BILLS / "openai_usage.json", copy])


# The shapes of exports that people published, with figures of our own.
OPENAI_USAGE_TSV = """\
start_time\tend_time\tstart_time_iso\tend_time_iso\tproject_id\tnum_model_requests\tmodel\tbatch\tinput_tokens\toutput_tokens\tinput_cached_tokens\tinput_uncached_tokens\tinput_audio_tokens
1793577600\t1793664000\t2026-11-02T00:00:00+00:00\t2026-11-03T00:00:00+00:00\tproj_a\t10.0\tgpt-5-mini-2025-08-07\tFALSE\t10000.0\t2000.0\t2500.0\t7500.0\t0.0
1793664000\t1793750400\t2026-11-03T00:00:00+00:00\t2026-11-04T00:00:00+00:00\t\t\t\t\t\t\t\t\t
1793750400\t1793836800\t2026-11-04T00:00:00+00:00\t2026-11-05T00:00:00+00:00\tproj_a\t20.0\tgpt-5-mini-2025-08-07\tFALSE\t20000.0\t4000.0\t5000.0\t15000.0\t0.0
"""
OPENAI_COSTS_TSV = """\
start_time\tend_time\tstart_time_iso\tend_time_iso\tamount_value\tamount_currency\tline_item\tproject_id\torganization_id\torganization_name
1793577600\t1793664000\t2026-11-02T00:00:00+00:00\t2026-11-03T00:00:00+00:00\t0.8958740000000000\tusd\t\t\torg-a\tPersonal
1793664000\t1793750400\t2026-11-03T00:00:00+00:00\t2026-11-04T00:00:00+00:00\t\t\t\t\t\t
1793750400\t1793836800\t2026-11-04T00:00:00+00:00\t2026-11-05T00:00:00+00:00\t0.104126\tusd\t\t\torg-a\tPersonal
"""
CONSOLE_USAGE = """\
usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count,inference_geo,speed
2026-11-02,claude-haiku-4-5-20251001,key,Default,standard,≤ 200k,600,100,50,250,200,0,global,
2026-11-03,claude-haiku-4-5-20251001,key,Default,standard,≤ 200k,600,100,50,250,200,2,global,
"""
CONSOLE_COSTS = """\
usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed,api_key_id,api_key_status
2026-11-02,Claude Haiku 4.5,W,key,message,≤ 200k,input_no_cache,0.05,0.05,token,global,,k1,active
2026-11-03,Claude Haiku 4.5,W,key,message,≤ 200k,output,0.02,0.02,token,global,,k1,active
2026-11-03,,W,key,message,,,0.02,0.02,web_search,global,,k1,active
"""
OPENROUTER_ACTIVITY = """\
Date,Slug,Usage,BYOK Usage,Requests,Prompt Tokens,Completion Tokens,Reasoning Tokens
"2026-11-02 00:00:00","a/model","1.25","0.25","10","10000","2000","0"
"2026-11-03 00:00:00","a/model","2.5","0","20","20000","4000","100"
"""


def written(tmp_path, **texts):
    paths = []
    for name, text in texts.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return load_bill(paths)


def test_days_without_rows_and_counts_with_a_point_are_read(tmp_path):
    facts = bill_facts(written(tmp_path, usage=OPENAI_USAGE_TSV, costs=OPENAI_COSTS_TSV))
    assert (facts.requests, facts.input_tokens, facts.cached_tokens) == (30, 30_000, 7_500)
    assert facts.usd == Decimal("1.000000")
    assert facts.days == 3
    assert "bill_days_without_requests" in {each.kind for each in facts.findings}


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-haiku-*"])
def test_the_consoles_names_and_identifiers_are_of_one_model(tmp_path, model):
    bill = written(tmp_path, usage=CONSOLE_USAGE, costs=CONSOLE_COSTS)
    facts = bill_facts(bill, models=[model], requests_per_day=1)
    assert (facts.input_tokens, facts.output_tokens, facts.usd) == (2_000, 400, Decimal("0.07"))
    assert facts.cached_tokens == 500


def test_a_model_named_with_a_day_is_the_one_of_that_name(tmp_path):
    costs = CONSOLE_COSTS.replace("Claude Haiku 4.5", "Claude Haiku 4.5 2025-10-01")
    bill = written(tmp_path, usage=CONSOLE_USAGE, costs=costs)
    assert bill.models() == ["claude-haiku-4-5"]


def test_openrouters_table_of_activity_is_read(tmp_path):
    facts = bill_facts(written(tmp_path, activity=OPENROUTER_ACTIVITY))
    assert (facts.requests, facts.input_tokens, facts.output_tokens) == (30, 30_000, 6_000)
    assert facts.usd == Decimal("4.00")
    assert facts.cached_tokens is None


@pytest.mark.parametrize("kind", ["web_search", "code_execution", "session_usage", "something_new"])
def test_of_anthropics_costs_only_tokens_are_spend(tmp_path, kind):
    record = json.loads((BILLS / "anthropic_costs.json").read_text(encoding="utf-8"))
    record["data"][0]["results"].append(
        {"amount": "123.78912", "currency": "USD", "cost_type": kind, "model": None,
         "description": kind, "token_type": None}
    )  # fmt: skip
    path = tmp_path / "costs.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    facts = bill_facts(load_bill([BILLS / "anthropic_usage.json", path]), requests_per_day=210)
    assert facts.usd == SPEND
    (said,) = [each for each in facts.findings if each.kind == "bill_other_products"]
    assert said.value == pytest.approx(1.2378912)


def test_a_call_of_the_proxy_without_output_tokens_is_another_product(tmp_path):
    lines = (BILLS / "litellm_spend_logs.jsonl").read_text(encoding="utf-8")
    call = json.loads(lines.splitlines()[0])
    speech = {**call, "request_id": "speech", "call_type": "aspeech", "model": "tts-1",
              "spend": 0.001125, "prompt_tokens": 0, "completion_tokens": 0}  # fmt: skip
    texts = {**call, "request_id": "texts", "call_type": "aembedding", "model": "embed",
             "spend": 0.5, "prompt_tokens": 9000, "completion_tokens": 0}  # fmt: skip
    path = tmp_path / "log.jsonl"
    path.write_text(lines + json.dumps(speech) + "\n" + json.dumps(texts) + "\n")
    facts = bill_facts(load_bill([path]))
    plain = bill_facts(load_bill([BILLS / "litellm_spend_logs.jsonl"]))
    assert (facts.requests, facts.input_tokens, facts.usd) == (63, 63_000, plain.usd)
    (said,) = [each for each in facts.findings if each.kind == "bill_other_products"]
    assert said.value == pytest.approx(0.501125)
    assert "embed $0.50, tts-1 $0.0011" in said.message
