"""`tco compare` on the command line."""

import datetime as dt
import json

import pytest
import yaml

from tco.cli import main
from tco.comparison import Comparison
from tco.finding import Finding
from tco.measurement_file import published_measurement, write_measurement
from tco.scenario_file import load_scenario


def base(**changes):
    tree = {
        "schema": "tco.scenario/1",
        "name": "case",
        "date": "2026-12-02",
        "traffic": {
            "shape": {"input_tokens": 512, "output_tokens": 512},
            "target_utilisation": 1.0,
        },
        "slo": {"ttft_p95_ms": 2000},
        "measurement": {
            "published": {"output_tok_per_s": 11840, "source": "s", "date": "2026-10-15"}
        },
        "hardware": {"purchase": {"price_usd": 96996, "life_years": 3}},
        "finance": {"method": "straight_line"},
        "alternatives": [
            {
                "name": "api",
                "usd_per_million": {"input": 0.07, "output": 0.2},
                "same_weights": True,
            }
        ],
    }
    return tree | changes


def run(tmp_path, capsys, tree, *options):
    path = tmp_path / "case.yaml"
    path.write_text(yaml.safe_dump(tree, sort_keys=False))
    with pytest.raises(SystemExit) as ended:
        main(["compare", str(path), *options])
    out, err = capsys.readouterr()
    return ended.value.code, out, err


def compared(tmp_path, capsys, tree, *options):
    code, out, _ = run(tmp_path, capsys, tree, "--json", *options)
    assert code == 0
    return json.loads(out)


def test_the_parts_sum_to_the_hour_and_the_json_is_a_comparison(tmp_path, capsys):
    tree = base(
        power={"idle_w": 300, "load_w": 1300, "pue": 1.3, "usd_per_kwh": 0.1},
        operations={"fte": 0.1, "fte_usd_per_year": 200000, "hosting_usd_per_month": 100},
    )
    code, out, err = run(tmp_path, capsys, tree, "--json")
    assert (code, err) == (0, "")
    got = Comparison.model_validate_json(out)
    parts = got.self_host.parts_usd_per_hour.model_dump()
    assert sum(parts.values()) == pytest.approx(got.self_host.usd_per_hour, rel=1e-12)
    assert parts["staff"] == pytest.approx(20000 / 8760)
    assert parts["hosting"] == pytest.approx(100 / 730)
    assert len(got.utilisation) == 100
    assert got.utilisation[-1].saving[0] == pytest.approx(got.alternatives[0].saving)


def test_the_table_of_ranges_names_the_alternative_whose_saving_they_move(tmp_path, capsys):
    ranged = {"value": 96996, "low": 85000, "high": 113299}
    tree = base(hardware={"purchase": {"price_usd": ranged, "life_years": 3}})
    _, out, _ = run(tmp_path, capsys, tree)
    assert "One range at a time: the saving against api, 67.9 % as stated" in out.replace(
        "\xa0", " "
    )


def test_the_terminal_shows_every_part_and_finding(tmp_path, capsys):
    tree = base()
    tree["alternatives"][0]["name"] = "[red]api"
    code, out, _ = run(tmp_path, capsys, tree)
    assert code == 0
    for word in ("Own hardware saves", "capital", "[red]api", "Break-even", "Not included"):
        assert word in out


def test_the_terminal_says_the_capacity_its_rule_and_the_service_level_in_a_line(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, base())
    words = " ".join(out.split())
    assert (
        "Capacity of one replica: 11,840 output tokens a second, no interval, published by "
        "others, not measured here. Service level TTFT p95 <= 2 s, "
        "kept: not shown (the rate comes without latencies)." in words
    )
    _, out, _ = run(tmp_path, capsys, base(slo={}))
    assert "No service level is set." in " ".join(out.split())


def test_a_saving_of_nearly_all_does_not_read_as_free(tmp_path, capsys):
    dear = [base()["alternatives"][0] | {"usd_per_million": {"input": 9e5, "output": 9e5}}]
    _, out, _ = run(tmp_path, capsys, base(alternatives=dear))
    assert "saves >99.9 % against api" in " ".join(out.split())
    assert "saves 100 %" not in out


@pytest.mark.parametrize(("share", "code"), [("0.1", 0), ("0.99", 5), ("1", 5)])
def test_fail_under_ends_with_5_when_the_headline_saves_less(share, code, tmp_path, capsys):
    got, out, _ = run(tmp_path, capsys, base(), "--json", "--fail-under", share)
    assert got == code
    assert json.loads(out)["schema"] == "tco.comparison/1"


def test_a_missed_gate_says_the_saving_and_against_whom(tmp_path, capsys):
    other = {"name": "cheap", "usd_per_million": {"input": 0.001, "output": 0.001}}
    tree = base(alternatives=[*base()["alternatives"], other])
    code, out, err = run(tmp_path, capsys, tree, "--json", "--fail-under", "0.7")
    saving = json.loads(out)["alternatives"][0]["saving"]
    # The same weights come before a cheaper alternative with others.
    expected = f"tco: the saving against api is {saving:.6g}, less than --fail-under 0.7 asks for\n"
    assert (code, err) == (5, expected)


@pytest.mark.parametrize(
    ("alternatives", "said"),
    [
        ([], "there is no alternative to save against"),
        (
            [{"name": "free", "usd_per_million": {"input": 0, "output": 0}}],
            "there is no saving against free (the alternative's price is zero)",
        ),
    ],
)
def test_a_gate_without_a_saving_fails_and_says_why(alternatives, said, tmp_path, capsys):
    tree = base(alternatives=alternatives)
    code, _, err = run(tmp_path, capsys, tree, "--fail-under", "-5")
    assert code == 5
    assert said in err


@pytest.mark.parametrize("share", ["66", "nan", "inf"])
def test_fail_under_takes_only_a_share(share, tmp_path, capsys):
    code, out, err = run(tmp_path, capsys, base(), "--fail-under", share)
    assert (code, out) == (2, "")
    assert "--fail-under" in err


def test_an_invalid_finding_of_the_measurement_ends_with_4(tmp_path, capsys):
    path = tmp_path / "s.yaml"
    path.write_text(yaml.safe_dump(base()))
    scenario = load_scenario(path).scenario
    measured = published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0")
    bad = Finding(kind="not_steady", severity="invalid", path="points.0", message="m", advice="a")
    file = tmp_path / "m.json"
    write_measurement(measured.model_copy(update={"findings": (bad,)}), file)
    code, out, err = run(tmp_path, capsys, base(), "--json", "-m", str(file))
    assert code == 4
    assert "must not be used" in err
    assert any(f["severity"] == "invalid" for f in json.loads(out)["findings"])


def test_without_a_measurement_it_says_how_to_get_one(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tree = base()
    del tree["measurement"]
    code, out, err = run(tmp_path, capsys, tree)
    assert (code, out) == (2, "")
    assert "tco bench" in err
    left = tmp_path / "reports" / "case" / "measurement.json"
    left.parent.mkdir(parents=True)
    left.write_text("{}")
    assert "-m reports/case/measurement.json" in run(tmp_path, capsys, tree)[2]


@pytest.mark.parametrize(
    ("alternative", "words"),
    [
        ({"catalog": "together/nemotron-3.5-super"}, "together/nemotron-3.5-super-vl"),
        ({"catalog": "together/gpt-oss-120b", "service": "flex"}, "no flex price"),
    ],
)
def test_a_price_that_no_table_has_is_an_error_at_its_line(alternative, words, tmp_path, capsys):
    code, out, err = run(tmp_path, capsys, base(alternatives=[alternative]))
    assert (code, out) == (2, "")
    assert words in err
    assert "case.yaml:" in err


def test_the_measurement_of_an_earlier_run_is_pointed_at(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "reports" / "my-case").mkdir(parents=True)
    (tmp_path / "reports" / "my-case" / "measurement.json").write_text("{}")
    code, _, err = run(tmp_path, capsys, base(measurement=None, name="My case!"))
    assert code == 2
    assert "use it with -m reports/my-case/measurement.json" in err


def test_a_name_too_long_for_a_folder_does_not_hide_the_fault(tmp_path, capsys):
    code, _, err = run(tmp_path, capsys, base(measurement=None, name="x" * 5000))
    assert code == 2
    assert "neither a measurement nor a published rate" in err


def test_the_terminal_says_a_finding_and_its_advice_as_two_sentences(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, base())
    words = " ".join(out.split())
    assert "it was published (s). Measure your own with `tco bench`." in words


def test_a_narrow_terminal_loses_no_part_of_a_name(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    name = "a-provider/a-model-with-a-very-long-name-that-does-not-break"
    named = base()["alternatives"][0] | {"name": name}
    _, out, _ = run(tmp_path, capsys, base(alternatives=[named]))
    assert "…" not in out
    assert "Own cost, first year, 1 server\n" in out


@pytest.mark.parametrize("columns", [80, 120])
def test_the_terminal_keeps_to_its_width_and_has_one_minus(columns, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    tree = base()
    dear = {"name": "a-provider/a-model", "usd_per_million": {"input": 0.001, "output": 0.002}}
    tree["alternatives"].append(dear)
    _, out, _ = run(tmp_path, capsys, tree)
    assert "\u2212" not in out
    assert "\u00a0" not in out
    assert "a-provider/a-model" in out
    assert max(map(len, out.splitlines())) <= columns


def test_a_horizon_of_one_year_and_a_break_even_beyond_the_fleet_are_said_briefly(tmp_path, capsys):
    demand = {"requests_per_day": 1_000_000, "peak_to_average": 3, "spares": 1}
    tree = base(
        traffic={"shape": base()["traffic"]["shape"], "demand": demand},
        hardware={"purchase": {"price_usd": 96996, "life_years": 1}},
    )
    _, out, _ = run(tmp_path, capsys, tree)
    assert "Over 1 year\n" in out
    assert "(out of reach)" in " ".join(out.split())


def test_a_table_without_rows_is_left_out(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, base(alternatives=[]))
    assert "Break-even" not in out
    assert "There is nothing to compare with" in out


def test_every_alternative_has_a_row_of_savings_at_other_utilisations(tmp_path, capsys):
    _, out, _ = run(tmp_path, capsys, base())
    rows = out.split("The same fleet at other utilisations\n")[1].splitlines()
    assert rows[0].replace(" %", "").split() == ["10", "25", "50", "75", "100"]
    assert rows[2].startswith("own, USD per M output tokens")
    assert rows[3].startswith("saving against api")
    assert rows[3].endswith("67.9 %")


def test_traffic_of_sessions_shows_what_a_session_costs(tmp_path, capsys):
    session = {
        "turns": 9,
        "first_input_tokens": 500,
        "tool_output_tokens": 300,
        "answer_tokens": 100,
    }
    tree = base(traffic={"shape": {"session": session}, "target_utilisation": 1.0})
    code, out, _ = run(tmp_path, capsys, tree)
    assert code == 0
    assert "A session of 9 requests" in out
    _, plain, _ = run(tmp_path, capsys, base())
    assert "A session" not in plain
