"""A sweep is a loop of comparisons, only faster."""

import csv
import io
import json

import pytest
import yaml

from tco.cli import main
from tco.errors import InputError
from tco.explore.axis import parse_axis

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
    assert [row["power.pue"] for row in rows[::3]] == ["1.0", "1.2"]
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
        ("grid.parquet", "in this version"),
        ("grid.txt", "name a .csv file"),
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
    assert parse_axis("a=0.1:0.7:0.1").numbers == (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7)
    assert parse_axis("a=3:1:-1").numbers == (3, 2, 1)
    assert parse_axis("a=1:2.9:1").numbers == (1, 2)
    assert parse_axis("a=x,1").numbers == ()
    with pytest.raises(InputError):
        parse_axis("=1")


@pytest.mark.parametrize(
    "vary", ["bench.seed=1:3:1", "engine.concurrency=16,64", "operations.growth_per_year=0:0.2:0.1"]
)
def test_a_key_that_no_figure_rests_on_is_refused_rather_than_swept_flat(vary, scenario, run):
    code, out, err = run("sweep", scenario, "--vary", vary)
    assert (code, out) == (2, "")
    assert f"--vary {vary.split('=')[0]} changes no figure of a sweep" in err
