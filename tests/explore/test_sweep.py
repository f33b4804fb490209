"""A sweep is a loop of comparisons, only faster."""

import csv
import datetime as dt
import io
import json
import time

import jsonschema
import pandas as pd
import pyarrow.parquet as pq
import pytest
import yaml

from tco import compare, load_case, load_what_if, sweep
from tco.cli import main
from tco.errors import InputError
from tco.explore.axis import parse_axis
from tco.explore.fields import OWN_FIELDS, all_fields
from tco.finding import Finding
from tco.measurement_file import published_measurement, write_measurement
from tco.scenario_file import load_scenario
from tco.schemas import schema

TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "date": "2026-12-02",
    "traffic": {
        "shape": {"input_tokens": 500, "cached_input_share": 0.5, "output_tokens": 250},
        "target_utilisation": 0.5,
    },
    "measurement": {"published": {"total_tok_per_s": 1e4, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 90000, "life_years": 3, "residual_share": 0.1}},
    "power": {"idle_w": 100, "load_w": 1000, "usd_per_kwh": 0.1},
    "alternatives": [
        {"name": "=api", "usd_per_million": {"input": 0.1, "cached_input": 0.02, "output": 0.5}},
        {"catalog": "groq/gpt-oss-120b"},
    ],
}


@pytest.fixture
def scenario(tmp_path):
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(TREE))
    return path


@pytest.fixture
def run(capsys):
    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            main([str(each) for each in arguments])
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return call


VARIED = [
    ["traffic.target_utilisation=0.2:1:0.4", "power.usd_per_kwh=0.05,0.3"],
    ["finance.method=annuity,straight_line", "hardware.purchase.price_usd=50000:90000:20000"],
    ["traffic.shape.output_tokens=100,250", "traffic.shape.cached_input_share=0:1:0.5"],
    ["alternatives.0.usd_per_million.input=0.05,0.1", "alternatives.0.discount=0,0.2"],
    ["measurement.published.total_tok_per_s=5000,10000", "hardware.purchase.accelerators=1,8"],
    ["alternatives.1.catalog=groq/gpt-oss-20b,openrouter/gpt-oss-120b", "power.pue=1,1.5"],
    ["finance.method=annuity,straight_line", "alternatives.1.catalog=groq/gpt-oss-20b"],
    ["hardware.purchase.life_years=2,3.5", "hardware.purchase.residual_share=0,0.2"],
]


@pytest.mark.parametrize("varied", VARIED, ids=lambda varied: varied[0].split("=")[0])
def test_a_sweep_equals_a_loop_of_comparisons(varied, scenario, run):
    options = [part for each in varied for part in ("--vary", each)]
    code, out, _ = run("sweep", scenario, "--json", *options)
    assert code == 0
    table = json.loads(out)
    jsonschema.validate(table, schema("sweep"))
    keys = table["columns"][:2]
    rows = iter(table["rows"])
    for row in rows:
        sets = [part for key, value in zip(keys, row[:2], strict=True)
                for part in ("--set", f"{key}={value}")]  # fmt: skip
        got = json.loads(run("compare", scenario, "--json", *sets)[1])
        own = got["self_host"]
        for index, each in enumerate(got["alternatives"]):
            line = row if index == 0 else next(rows)
            assert line[2] == each["name"]
            expected = [
                own["usd_per_hour"],
                own["usd_per_request"],
                own["usd_per_million_output"],
                own["usd_per_million_total"],
                each["saving"],
                each["break_even_utilisation"],
            ]
            assert line[3:] == [
                None if value is None else pytest.approx(value, rel=1e-11, abs=1e-11)
                for value in expected
            ]


def test_the_csv_keeps_text_that_looks_like_a_formula_as_text(scenario, run, tmp_path):
    out_file = tmp_path / "grid.csv"
    code, out, err = run("sweep", scenario, "--vary", "power.pue=1,1.2", "-o", out_file)
    assert (code, out) == (0, "")
    assert "grid.csv" in err
    rows = list(csv.DictReader(io.StringIO(out_file.read_text())))
    assert {row["alternative"] for row in rows} >= {"'=api", "groq/gpt-oss-120b"}
    assert [row["power.pue"] for row in rows[::3]] == ["1", "1.2"]
    assert not list(tmp_path.glob(".grid*"))


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ("traffic.target_utilisation=0.2,66", "--vary traffic.target_utilisation=66"),
        ("traffic.target_utilisation=0:1:0.5", "must be in (0, 1], got 0"),
        ("power.idle_w=100:2000:100", "must not be above load_w"),
        ("hardware.purchase.accelerators=1:2:0.5", "whole number"),
        ("power.usd_per_kwh=0.1,nan", "usd_per_kwh"),
        ("power.usd_per_kwhh=0.1,0.2", "usd_per_kwh"),
        ("alternatives.1.catalog=groq/gpt-oss-120b,groq/nothing", "groq/nothing"),
        ("power.pue", "needs KEY=START:STOP:STEP"),
        ("power.pue=1:2", "has a START and a STOP, and no STEP"),
        ("power.pue=1:2:0", "never ends"),
        ("power.pue=2:1:0.1", "leads away"),
        ("power.pue=1,,2", "empty value"),
        ("power.pue=1:2:0.0000001", "more than 1,000,000 values"),
    ],
)
def test_a_bad_axis_is_one_sentence_and_writes_nothing(vary, words, scenario, run, tmp_path):
    out_file = tmp_path / "grid.csv"
    code, out, err = run("sweep", scenario, "--vary", vary, "-o", out_file)
    assert (code, out) == (2, "")
    assert words in err
    assert not out_file.exists()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grid.txt", "name a .csv, .parquet, .svg or .png file"),
        ("no/grid.csv", "its folder does not exist"),
    ],
)
def test_an_output_that_cannot_be_written_is_said_before_any_work(name, words, run, tmp_path):
    code, _, err = run("sweep", tmp_path / "missing.yaml", "--vary", "a=1", "-o", tmp_path / name)
    assert code == 2
    assert words in err


def test_a_key_twice_and_a_grid_without_end_are_errors(scenario, run):
    twice = run("sweep", scenario, "--vary", "power.pue=1", "--vary", "power.pue=2")
    assert "stands twice" in twice[2]
    options = ["--vary", "power.pue=1:2:0.0001", "--vary", "power.usd_per_kwh=0:1:0.0001"]
    assert "points, more than" in run("sweep", scenario, *options)[2]


def test_stop_is_included_despite_rounding():
    def numbers(text):
        return parse_axis(text).numbers.tolist()

    assert numbers("a=0.1:0.7:0.1") == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
    assert numbers("a=3:1:-1") == [3, 2, 1]
    assert numbers("a=1:2.9:1") == [1, 2]
    assert numbers("a=x,1") == []
    assert numbers("a=1e30:3e30:1e30") == pytest.approx([1e30, 2e30, 3e30])
    with pytest.raises(InputError):
        parse_axis("=1")


@pytest.mark.parametrize(
    "vary", ["bench.seed=1:3:1", "engine.concurrency=16,64", "operations.growth_per_year=0:0.2:0.1"]
)
def test_a_key_that_no_figure_rests_on_is_refused_rather_than_swept_flat(vary, scenario, run):
    code, out, err = run("sweep", scenario, "--vary", vary)
    assert (code, out) == (2, "")
    assert f"--vary {vary.split('=')[0]} changes no figure of a sweep" in err


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ("other_hardware.0.rent.usd_per_hour=1,2", "make it the scenario's own"),
        ("finance.stress_api_price_change_per_year=-0.5,-0.1", "such as stress_npv_usd"),
        ("power.kg_co2e_per_kwh=0.1,0.4", "such as kg_co2e_per_year"),
        ("hardware.embodied_kg_co2e=100,400", "such as kg_co2e_per_year"),
        ("finance.api_price_change_per_year=-0.1,0", "such as npv_usd"),
    ],
)
def test_a_key_of_figures_not_asked_for_names_what_to_ask_for(vary, words, scenario, run):
    tree = {**TREE, "other_hardware": [{"name": "rent", "rent": {"usd_per_hour": 3}}]}
    scenario.write_text(yaml.safe_dump(tree))
    code, out, err = run("sweep", scenario, "--vary", vary)
    assert (code, out) == (2, "")
    assert words in err
    code, out, err = run("solve", scenario, vary.split("=")[0])
    assert (code, out) == (2, "")
    assert words in err


def test_of_rent_by_the_hour_the_fleet_is_the_peak_s_as_in_a_comparison(scenario, run):
    rent = {"hardware": {"rent": {"usd_per_hour": 3, "billing": "hourly"}}, "power": None}
    demand = {"requests_per_day": 9e6, "profile": [1.0] * 12 + [4.0] * 12}
    tree = {**TREE, **rent, "traffic": {"shape": TREE["traffic"]["shape"], "demand": demand}}
    scenario.write_text(json.dumps(tree))
    varied = ["hardware.rent.usd_per_hour=3"]
    row = sweep(load_what_if(scenario), varied, fields=["servers", "replicas"]).to_pylist()[0]
    code, out, _ = run("compare", scenario, "--json")
    own = json.loads(out)["self_host"]
    assert (code, row["servers"], row["replicas"]) == (0, own["servers"], own["replicas"])
    assert own["servers"] * 3 > own["usd_per_hour"]


def expected_figure(comparison, index, field):
    own, against = comparison.self_host, comparison.alternatives[index]
    if field.startswith("stress_"):
        return getattr(against.stress, field.removeprefix("stress_"))
    if field.startswith("api_"):
        return getattr(against, field.removeprefix("api_"))
    if field in OWN_FIELDS:
        rates = {**comparison.served.model_dump(), **comparison.capacity.model_dump()}
        parts = own.parts_usd_per_hour.model_dump()
        if field.startswith(("served_", "capacity_")):
            part, _, rate = field.partition("_")
            return getattr(getattr(comparison, part), rate)
        line = field.removesuffix("_usd_per_hour")
        return parts[line] if line in parts else getattr(own, field, rates.get(field))
    return getattr(against, field)


@pytest.mark.parametrize(
    "varied",
    [
        ("traffic.target_utilisation=0.3,0.9", "operations.hosting_usd_per_month=0,100"),
        ("finance.method=annuity,straight_line", "power.load_w=800,1200"),
        ("hardware.catalog=dgx-station-gb300", "finance.discount_rate=0,0.08"),
        ("finance.api_price_change_per_year=-0.3,0", "operations.growth_per_year=0,0.1"),
        ("power.kg_co2e_per_kwh=0,0.4", "hardware.embodied_kg_co2e=0,1200"),
        ("finance.stress_api_price_change_per_year=-0.3,0", "power.kg_co2e_per_kwh=0.1"),
    ],
    ids=lambda varied: varied[0],
)
def test_every_field_is_that_of_a_comparison(varied, scenario):
    table = sweep(load_what_if(scenario), varied, fields=all_fields()).to_pylist()
    assert len(table) in {2 * 3, 4 * 3}  # points x alternatives
    for number, row in enumerate(table):
        case = load_case(scenario, sets=[f"{key}={row[key]}" for key in list(row)[:2]])
        comparison = compare(
            case.loaded.scenario, case.measurement, case.tables, date=case.date,
            scenario_sha256="", measurement_sha256=None, tool_version="0",
        )  # fmt: skip
        for field in all_fields():
            want = expected_figure(comparison, number % 3, field)
            assert row[field] == (
                None if want is None else pytest.approx(want, rel=1e-12, abs=1e-12)
            ), field


def test_a_parquet_file_holds_the_same_table_as_the_library(scenario, run, tmp_path):
    varied = ["hardware.purchase.price_usd=50000:90000:20000", "finance.method=annuity"]
    options = [part for each in varied for part in ("--vary", each)]
    out_file = tmp_path / "grid.parquet"
    assert run("sweep", scenario, *options, "--fields", "servers", "-o", out_file)[0] == 0
    written = pq.read_table(out_file)
    assert written.equals(sweep(load_what_if(scenario), varied, fields=["servers"]))
    assert written["alternative"][0].as_py() == "=api"


def test_one_alternative_can_be_asked_for(scenario, run):
    options = ("--vary", "power.pue=1,1.2", "--json", "--alternative")
    rows = json.loads(run("sweep", scenario, *options, "groq/gpt-oss-120b")[1])["rows"]
    assert [row[1] for row in rows] == ["groq/gpt-oss-120b"] * 2
    code, out, _ = run("sweep", scenario, *options, "nobody")
    assert code == 2
    assert "no alternative is named 'nobody'" in json.loads(out)["message"]


def test_an_unknown_field_names_the_nearest(scenario, run):
    code, _, err = run("sweep", scenario, "--vary", "power.pue=1,1.2", "--fields", "savings")
    assert code == 2
    assert "did you mean `saving`?" in err


def test_without_an_alternative_there_is_still_a_row_of_own_cost(scenario):
    what_if = load_what_if(scenario, sets=["alternatives=[]"])
    (row,) = sweep(what_if, ["power.pue=1.2"]).to_pylist()
    assert row["usd_per_hour"] > 0
    assert (row["alternative"], row["saving"]) == (None, None)


def test_an_invalid_finding_of_the_measurement_is_said_and_ends_with_4(scenario, run, tmp_path):
    loaded = load_scenario(scenario).scenario
    measured = published_measurement(loaded, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0")
    bad = Finding.of("client_late", "invalid", "points.0", "the client was late", "use less load")
    file = tmp_path / "m.json"
    write_measurement(measured.model_copy(update={"findings": (bad,)}), file)
    options = ("--vary", "power.pue=1,1.2", "-m", file)
    code, out, err = run("sweep", scenario, *options, "-o", tmp_path / "grid.csv")
    assert (code, out) == (4, "")
    assert "invalid: the client was late; use less load" in err
    assert (tmp_path / "grid.csv").exists()
    code, out, _ = run("sweep", scenario, *options, "--json")
    assert code == 4
    assert "client_late" in {each["kind"] for each in json.loads(out)["findings"]}


def test_an_axis_that_changes_nothing_is_said(scenario, run):
    vary = ("--vary", "hardware.catalog=dgx-station-gb300,h100-sxm-runpod")
    code, _, err = run("sweep", scenario, *vary, "--set", "hardware.purchase.accelerators=1")
    assert code == 0
    assert "hardware.catalog changes no figure" in err
    flat = ("--set", "finance.method=straight_line", "--vary", "finance.discount_rate=0:0.2:0.1")
    assert "finance.discount_rate changes no figure" in run("sweep", scenario, *flat)[2]


def test_many_points_cost_far_less_than_a_loop_of_few(scenario):
    what_if = load_what_if(scenario)
    begun = time.process_time()
    rows = sweep(what_if, ["power.pue=1:2:0.0001", "power.usd_per_kwh=0.1:0.19:0.01"]).num_rows
    swept_s = (time.process_time() - begun) / rows
    begun = time.process_time()
    for pue in (1.1, 1.2, 1.3):
        sweep(what_if, [f"power.pue={pue}"])
    loop_s = (time.process_time() - begun) / 3
    assert rows == 10_001 * 10 * 3
    assert swept_s < loop_s / 100


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_a_chart_is_written_whole_or_not_at_all(suffix, run, scenario, tmp_path):
    file = tmp_path / f"map{suffix}"
    varies = ("--vary", "power.pue=1:2:0.5", "--vary", "traffic.target_utilisation=0.1:1:0.1")
    code, _, err = run("sweep", scenario, *varies, "-o", file)
    assert (code, file.stat().st_size > 5_000) == (0, True)
    assert f"wrote {file}" in err
    file.unlink()
    three = ("--vary", "finance.method=annuity,straight_line", *varies)
    code, _, err = run("sweep", scenario, *three, "-o", file)
    assert code == 2
    assert "one or two keys" in err
    assert not list(tmp_path.glob("map*"))


def test_alternatives_of_one_name_are_told_apart_as_in_a_comparison(scenario, run):
    tree = {
        **TREE,
        "alternatives": [
            {**TREE["alternatives"][0], "name": "api", "discount": d} for d in (0, 0.1)
        ],
    }
    scenario.write_text(json.dumps(tree))
    varied = ("--vary", "traffic.target_utilisation=0.5")
    _, out, _ = run("sweep", scenario, *varied, "--json")
    swept = [row[1] for row in json.loads(out)["rows"]]
    _, out, _ = run("compare", scenario, "--json")
    assert (
        swept == [each["name"] for each in json.loads(out)["alternatives"]] == ["api #1", "api #2"]
    )
    _, out, _ = run("solve", scenario, "traffic.target_utilisation", "--json")
    assert [each["alternative"] for each in json.loads(out)["answers"]] == swept
    _, out, _ = run("sweep", scenario, *varied, "--json", "--alternative", "api #2")
    assert [row[1] for row in json.loads(out)["rows"]] == ["api #2"]
    _, out, _ = run("sweep", scenario, *varied, "--json", "--alternative", "api")
    assert len(json.loads(out)["rows"]) == 2


def test_a_sweep_becomes_a_data_frame_with_numbers_words_and_gaps(scenario):
    varied = ["traffic.target_utilisation=0.1:1:0.3", "finance.method=annuity,straight_line"]
    fields = ["payback_years"]
    frame = sweep(load_what_if(scenario), varied, fields=fields).to_pandas()
    assert list(frame.columns[:3]) == [
        "traffic.target_utilisation", "finance.method", "alternative",
    ]  # fmt: skip
    assert frame["saving"].dtype == float
    assert set(frame["finance.method"]) == {"annuity", "straight_line"}
    assert frame["payback_years"].isna().any()
    best = frame.loc[frame.groupby("alternative")["saving"].idxmax(), "traffic.target_utilisation"]
    assert (best == 1).all()
    assert isinstance(frame, pd.DataFrame)
