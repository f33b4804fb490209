import json
from pathlib import Path

import jsonschema
import pytest

from tco.cli import main
from tco.schemas import schema

BILLS = Path(__file__).parents[1] / "data" / "bills"


def run(*arguments):
    with pytest.raises(SystemExit) as ended:
        main(["bill", "show", *map(str, arguments)])
    return ended.value.code


def shown(capsys, *names):
    assert run(*(BILLS / name for name in names), "--json") == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_period_sums_models_and_what_is_not_told(capsys):
    found = shown(capsys, "openai_usage.json", "openai_costs.json")
    jsonschema.validate(found, schema("bill"))
    assert (found["first_day"], found["last_day"], found["days"]) == ("2026-11-02", "2026-11-04", 3)
    assert found["total"] == {
        "requests": 630, "input_tokens": 630_000, "cached_tokens": 157_500,
        "cache_write_tokens": None, "output_tokens": 126_000, "usd": 3.0,
        "usd_reason": None,
    }  # fmt: skip
    assert found["cached_input_share"] == 0.25
    assert [(each["model"], each["usd"]) for each in found["by_model"]] == [
        ("model-a-2026-05-01", 2.4),
        ("model-b", 0.6),
    ]
    assert found["lacks"] == ["hours"]


@pytest.mark.parametrize(
    ("name", "lacks"),
    [
        ("openai_costs.csv", ["tokens", "requests", "cached tokens", "hours"]),
        ("anthropic_usage.json", ["requests", "cost", "hours"]),
        ("openrouter_activity.json", ["cached tokens", "hours"]),
        ("litellm_spend_logs.csv", []),
        ("focus.csv", ["requests", "hours"]),
    ],
)
def test_what_an_export_lacks_is_named(capsys, name, lacks):
    assert shown(capsys, name)["lacks"] == lacks


def test_more_cached_than_input_has_no_share_and_is_said(capsys, tmp_path):
    text = (BILLS / "openai_usage.json").read_text(encoding="utf-8")
    record = json.loads(text)
    for bucket in record["data"]:
        for row in bucket["results"]:
            row["input_cached_tokens"] = row["input_tokens"] * 8
    path = tmp_path / "usage.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    found = shown(capsys, path)
    assert found["cached_input_share"] is None
    (said,) = [each for each in found["findings"] if each["kind"] == "bill_caches_more_than_input"]
    assert (said["severity"], said["value"]) == ("invalid", said["limit"] * 8)


def test_text_shows_the_sums_and_the_hours(capsys):
    assert run(BILLS / "litellm_spend_logs.jsonl") == 0
    out = capsys.readouterr().out
    assert "litellm_spend_logs.jsonl: LiteLLM spend logs, 2026-11-02 to 2026-11-04" in out
    assert "3 days, 21.0 requests a day" in out
    assert "63,000" in out
    assert "by hour of the day, UTC; the busiest hour has 2.333" in out
    assert "Cached share of the input: 25 %. All that a scenario takes is told." in out
    assert "note: 2 records of the log are left out" in out


def test_costs_alone_are_shown_as_not_telling_tokens(capsys):
    assert run(BILLS / "anthropic_costs.csv") == 0
    out = capsys.readouterr().out
    assert "not told" in out
    assert "$3" in out
    assert "days without" not in out


def test_files_of_other_days_are_shown_and_said(capsys, tmp_path):
    text = (BILLS / "openai_costs.csv").read_text(encoding="utf-8")
    (tmp_path / "short.csv").write_text("\n".join(text.splitlines()[:-2]) + "\n", encoding="utf-8")
    assert run(BILLS / "openai_usage.csv", tmp_path / "short.csv") == 0
    assert "No common period: its files do not cover the same days" in capsys.readouterr().out


def test_a_file_that_is_none_is_a_sentence(capsys, tmp_path):
    assert run(tmp_path / "none.json") == 2
    assert "there is no such file" in capsys.readouterr().err
    assert run(BILLS.parent / "measurement.json") == 2
    assert "is a measurement, not an export of a bill" in capsys.readouterr().err


def costs(tmp_path, *, extra=(), grouped=True):
    record = json.loads((BILLS / "openai_costs.json").read_text(encoding="utf-8"))
    for bucket in record["data"]:
        for name, usd in extra:
            amount = {"value": usd, "currency": "usd"}
            bucket["results"].append({"amount": amount, "line_item": name, "project_id": None})
        for row in bucket["results"]:
            row["line_item"] = row["line_item"] if grouped else None
    path = tmp_path / "costs.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    return path


def test_costs_that_name_no_model_are_not_told_of_one_and_said(capsys, tmp_path):
    path = costs(tmp_path, grouped=False)
    found = shown(capsys, "openai_usage.json", path)
    by_model = {each["model"]: each for each in found["by_model"]}
    assert by_model["model-b"]["usd"] is None
    assert by_model["model-b"]["usd_reason"] == "the costs are not grouped by model"
    assert by_model[None]["usd"] == found["total"]["usd"] == 3.0
    (said,) = [each for each in found["findings"] if each["kind"] == "bill_costs_not_grouped"]
    assert (said["severity"], said["value"]) == ("warn", 3.0)
    assert run(BILLS / "openai_usage.json", path) == 0
    out = capsys.readouterr().out
    assert "$0" not in out
    assert "USD not told of model-a-2026-05-01, model-b: the costs are not grouped" in out


def test_what_was_paid_for_no_text_tokens_is_left_out_of_the_spend_and_said(capsys, tmp_path):
    path = costs(tmp_path, extra=[("Image models", 1.5), ("web search tool calls", 0.25)])
    found = shown(capsys, "openai_usage.json", path)
    assert found["total"]["usd"] == 3.0
    assert [each["model"] for each in found["by_model"]] == ["model-a-2026-05-01", "model-b"]
    (said,) = [each for each in found["findings"] if each["kind"] == "bill_other_products"]
    assert said["value"] == 5.25
    assert "Image models $4.50" in said["message"]


@pytest.mark.parametrize(
    ("name", "is_said"),
    [
        ("Quantum oracle", True),
        ("Text tokens", True),
        ("model-c", True),
        ("model-b", False),
        ("model-c, Output", False),
        ("model-c, cached input", False),
        ("Image models", False),
        (None, False),
    ],
)
def test_an_item_that_tells_no_model_counts_and_is_named(capsys, tmp_path, name, is_said):
    path = costs(tmp_path, extra=[(name, 0.5)])
    found = shown(capsys, "openai_usage.json", path)
    said = [each for each in found["findings"] if each["kind"] == "bill_unknown_items"]
    assert found["total"]["usd"] == (3.0 if name == "Image models" else 4.5)
    assert len(said) == is_said
    if said:
        assert (said[0]["severity"], said[0]["value"]) == ("warn", 1.5)
        assert f"{name} $1.50" in said[0]["message"]


def test_one_day_is_no_days(capsys, tmp_path):
    text = (BILLS / "openai_usage.csv").read_text(encoding="utf-8").splitlines()
    path = tmp_path / "usage.csv"
    path.write_text("\n".join(text[:3]) + "\n", encoding="utf-8")
    assert run(path) == 0
    assert "1 day," in capsys.readouterr().out


def test_a_file_without_keys_is_said_to_have_none(tmp_path, capsys):
    path = tmp_path / "none.json"
    path.write_text("{}", encoding="utf-8")
    assert run(path) == 2
    assert "that is known: a record has no keys; docs/bill.md" in capsys.readouterr().err
