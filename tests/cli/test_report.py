"""`tco report`, from a scenario file to the files of the report."""

import datetime as dt
import json

import openpyxl
import pytest

from tco.cli import main
from tests.report.search_samples import confirmed
from tests.report.shapes_samples import shapes

SCENARIO = """\
schema: tco.scenario/1
name: Published / figure
date: 2026-12-02
traffic: {shape: {input_tokens: 512, output_tokens: 512}, target_utilisation: 0.6}
measurement:
  published: {output_tok_per_s: 11840, source: "https://example.com", date: 2026-10-15}
hardware: {purchase: {price_usd: 96995.99, life_years: 3}}
power: {idle_w: 300, load_w: 1300, pue: 1.3, usd_per_kwh: 0.1437}
alternatives:
  - {name: dear api, usd_per_million: {input: 0.10, output: 0.50}, same_weights: true}
  - {name: cheap api, usd_per_million: {input: 0.001, output: 0.002}, same_weights: false}
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCENARIO)

    def invoke(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["report", "s.yaml", *arguments])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return invoke


@pytest.fixture
def run_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.yaml").write_text(SCENARIO)

    def invoke(*arguments):
        with pytest.raises(SystemExit) as end:
            main(["report", *arguments])
        out, err = capsys.readouterr()
        return end.value.code, out, err

    return invoke


def test_the_default_folder_is_named_after_the_scenario(run, tmp_path):
    code, out, _ = run()
    folder = tmp_path / "reports" / "published-figure"
    assert code == 0
    assert {path.name for path in folder.iterdir()} == {
        "report.pdf",
        "report.html",
        "comparison.json",
    }
    said = out.splitlines()[0]
    saving = json.loads((folder / "comparison.json").read_text())["alternatives"][0]["saving"]
    assert f"{abs(saving) * 100:.1f}".removesuffix(".0") in said
    assert "dear api" in said


def test_an_existing_report_is_kept_unless_forced(run, tmp_path):
    assert run("--format", "json", "-o", "out")[0] == 0
    (tmp_path / "out" / "comparison.json").write_text("kept")
    code, _, err = run("--format", "json", "-o", "out")
    assert (code, (tmp_path / "out" / "comparison.json").read_text()) == (2, "kept")
    assert "--force" in err
    assert run("--format", "json", "-o", "out", "--force")[0] == 0


def test_a_bad_format_or_folder_is_one_sentence_and_writes_nothing(run, tmp_path):
    (tmp_path / "file").write_text("")
    for arguments in (("--format", "docx"), ("--format", ","), ("-o", "file/out")):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "reports").exists()


def test_a_bad_output_fails_before_anything_is_computed(run, tmp_path, monkeypatch):
    def never(*_args, **_kwargs):
        raise AssertionError("computed")

    monkeypatch.setattr("tco.cost.compare.compare", never)
    (tmp_path / "file").write_text("")
    code, _, err = run("-o", "file/out")
    assert code == 2
    assert "cannot write the report" in err


def test_an_invalid_finding_gives_exit_4_and_is_said_first(run, tmp_path):
    from tco.finding import Finding
    from tco.measurement_file import published_measurement, write_measurement
    from tco.scenario_file import load_scenario

    bad = Finding(
        kind="not_steady", severity="invalid", path="points.0", message="not steady", advice="rerun"
    )
    scenario = load_scenario(tmp_path / "s.yaml").scenario
    created = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
    found = published_measurement(scenario, created, "0").model_copy(update={"findings": (bad,)})
    write_measurement(found, tmp_path / "m.json")
    code, out, _ = run("-m", "m.json", "-o", "out", "--format", "html,json")
    assert code == 4
    assert out.splitlines()[0] == "Invalid measurement: its figures must not be used."
    assert "must not be used" in (tmp_path / "out" / "report.html").read_text()


def test_a_demonstration_is_said_first(run, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO.replace("same_weights: true", "same_weights: false"))
    code, out, _ = run("-o", "out", "--format", "json")
    assert code == 0
    assert out.startswith("Method demonstration: not a business case: no alternative is known")


def test_the_cost_lines_of_the_json_add_up_in_every_unit(run, tmp_path):
    run("-o", "out", "--format", "json")
    own = json.loads((tmp_path / "out" / "comparison.json").read_text())["self_host"]
    for unit in ("usd_per_hour", "usd_per_year", "usd_per_million_output"):
        assert sum(own[f"parts_{unit}"].values()) == pytest.approx(own[unit])
    assert sum(own["parts_share"].values()) == pytest.approx(1)
    assert own["parts_usd_per_year"]["power"] == pytest.approx(
        own["parts_usd_per_hour"]["power"] * 8760
    )


def test_without_a_measurement_the_command_says_what_to_do(run, tmp_path):
    start, end = SCENARIO.index("measurement:"), SCENARIO.index("hardware:")
    (tmp_path / "s.yaml").write_text(SCENARIO[:start] + SCENARIO[end:])
    code, _, err = run()
    assert code == 2
    assert "tco bench" in err


def test_every_format_is_written_and_carries_the_headline(run, tmp_path):
    code, out, _ = run("--format", "pdf,html,md,json,csv", "-o", "out")
    assert code == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "report.pdf",
        "report.html",
        "report.md",
        "comparison.json",
        "comparison.csv",
    }
    saving = json.loads((tmp_path / "out" / "comparison.json").read_text())["alternatives"][0][
        "saving"
    ]
    assert repr(saving) in (tmp_path / "out" / "comparison.csv").read_text()
    said = out.splitlines()[0].replace("-", "\u2212")[:40]
    assert said in (tmp_path / "out" / "report.md").read_text().replace("\xa0", " ")


def test_a_summary_is_printed_and_no_file_is_written(run, tmp_path):
    before = set(tmp_path.iterdir())
    code, out, err = run("--summary")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert len(lines) <= 12
    assert max(map(len, lines)) <= 80
    assert lines[0] == "Published / figure, 2026-12-02"
    assert "against dear api" in out
    assert set(tmp_path.iterdir()) == before


def test_a_summary_beside_a_folder_is_refused(run):
    code, out, err = run("--summary", "-o", "out")
    assert (code, out) == (2, "")
    assert "--summary writes no file" in err


def test_several_scenarios_make_one_report(run, tmp_path):
    (tmp_path / "b.yaml").write_text(SCENARIO.replace("96995.99", "80000"))
    code, out, _ = run("b.yaml", "-o", "out", "--format", "html,md,json,csv")
    assert code == 0
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "report.html",
        "report.md",
        "side_by_side.json",
        "side_by_side.csv",
    }
    tree = json.loads((tmp_path / "out" / "side_by_side.json").read_text())
    assert [side["label"] for side in tree["sides"]] == [
        "Published / figure (s.yaml)",
        "Published / figure (b.yaml)",
    ]
    assert [each["key"] for each in tree["inputs"]] == ["hardware.purchase.price_usd"]
    assert out.splitlines()[1].startswith("Published / figure (b.yaml): Own hardware ")


def test_several_scenarios_keep_an_existing_report_unless_forced(run, tmp_path):
    (tmp_path / "b.yaml").write_text(SCENARIO)
    assert run("b.yaml", "-o", "out", "--format", "csv")[0] == 0
    code, _, err = run("b.yaml", "-o", "out", "--format", "csv")
    assert code == 2
    assert "side_by_side.csv" in err
    assert run("b.yaml", "-o", "out", "--format", "csv", "--force")[0] == 0


def test_several_scenarios_have_a_workbook(run, tmp_path):
    (tmp_path / "b.yaml").write_text(SCENARIO.replace("pue: 1.3", "pue: 1.1"))
    assert run("b.yaml", "-o", "out", "--format", "xlsx")[0] == 0
    sheets = openpyxl.load_workbook(tmp_path / "out" / "report.xlsx").sheetnames
    assert sheets[:2] == ["Side by side", "A Summary"]
    assert "B Summary" in sheets


def test_measurements_are_one_for_all_or_one_for_each(run, tmp_path):
    from tco.measurement_file import published_measurement, write_measurement
    from tco.scenario_file import load_scenario

    (tmp_path / "b.yaml").write_text(SCENARIO)
    scenario = load_scenario(tmp_path / "s.yaml").scenario
    created = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
    for name in ("m1.json", "m2.json"):
        write_measurement(published_measurement(scenario, created, "0"), tmp_path / name)
    code, _, err = run("b.yaml", "b.yaml", "-m", "m1.json", "-m", "m2.json", "-o", "out")
    assert (code, len(err.splitlines())) == (2, 1)
    assert "2 measurements are given for 3 scenarios" in err
    for given in (("-m", "m1.json"), ("-m", "m1.json", "-m", "m2.json")):
        assert run("b.yaml", *given, "-o", "out", "--format", "json", "--force")[0] == 0
        tree = json.loads((tmp_path / "out" / "side_by_side.json").read_text())
        files = [side["measurement_file"] for side in tree["sides"]]
        assert files == ["m1.json", given[-1]]


def test_a_summary_of_several_is_one_after_the_other(run, tmp_path):
    (tmp_path / "b.yaml").write_text(SCENARIO)
    code, out, _ = run("b.yaml", "--summary")
    assert code == 0
    assert [line for line in out.splitlines() if line.startswith("Published / figure")] == [
        "Published / figure, 2026-12-02"
    ] * 2


def test_an_invalid_finding_of_one_of_several_gives_exit_4_and_is_said_first(run, tmp_path):
    from tco.finding import Finding
    from tco.measurement_file import published_measurement, write_measurement
    from tco.scenario_file import load_scenario

    (tmp_path / "b.yaml").write_text(SCENARIO)
    scenario = load_scenario(tmp_path / "s.yaml").scenario
    created = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
    good = published_measurement(scenario, created, "0")
    bad = Finding(
        kind="not_steady", severity="invalid", path="points.0", message="not steady", advice="rerun"
    )
    write_measurement(good, tmp_path / "good.json")
    write_measurement(good.model_copy(update={"findings": (bad,)}), tmp_path / "bad.json")
    code, out, _ = run("b.yaml", "-m", "good.json", "-m", "bad.json", "-o", "out", "--format", "md")
    assert code == 4
    said = "Invalid measurement (B): its figures must not be used."
    assert out.splitlines()[0] == said
    assert said in (tmp_path / "out" / "report.md").read_text()


TUNED = """\
engine:
  launch: {command: [vllm, serve], model: a/b}
  tuned: {record: tune/tune.json, shape: {input_tokens: 512, output_tokens: 512}}
"""
RECORD = {
    "schema": "tco.tune/1", "tool_version": "0", "created_at": "2026-12-02T09:30:00Z",
    "name": "a service", "scenario_sha256": "a", "ladder": "my ladder", "ladder_sha256": "b",
    "repeats": 3, "is_complete": True, "took_s": 60.0, "baseline": None,
    "steps": [{
        "number": 1, "name": "more at once", "args": {"max-num-seqs": 64}, "env": {},
        "numerics": False, "decision": "failed", "why": "it did not start",
    }],
    "best": {"steps": [], "sets": [], "serve": "vllm serve a/b"}, "trials": [],
}  # fmt: skip


@pytest.fixture
def record(tmp_path):
    (tmp_path / "tune").mkdir()
    path = tmp_path / "tune" / "tune.json"
    path.write_text(json.dumps(RECORD))
    return path


def test_a_tuned_scenario_shows_the_ladder_of_its_record(run, record, tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO + TUNED)
    assert run("--format", "md", "-o", "out")[0] == 0
    assert "Ladder my ladder" in (tmp_path / "out" / "report.md").read_text()
    record.unlink()
    assert run("--format", "md", "-o", "out", "--force")[0] == 0
    said = (tmp_path / "out" / "report.md").read_text()
    assert "its record, tune/tune.json, is not there." in said
    assert "Ladder my ladder" not in said


def test_the_record_of_a_tuning_gives_its_own_report_beside_it(run_alone, record):
    code, _, _ = run_alone("tune/tune.json")
    assert code == 0
    written = {"tune.pdf", "tune.html", "tune.md"}
    assert {path.name for path in record.parent.iterdir()} == {"tune.json", *written}
    assert "more at once" in (record.parent / "tune.md").read_text()
    code, _, err = run_alone("tune/tune.json")
    assert code == 2
    assert "--force" in err


@pytest.mark.parametrize(
    ("document", "stem", "said"),
    [
        (confirmed(alternative="an API"), "search", "The saving is against an API."),
        (shapes(), "shapes", "The best settings follow the traffic"),
    ],
)
def test_so_does_that_of_a_search_or_of_several_traffics(run_alone, tmp_path, document, stem, said):
    (tmp_path / "r").mkdir()
    (tmp_path / "r" / f"{stem}.json").write_text(document.model_dump_json(by_alias=True))
    code, out, _ = run_alone(f"r/{stem}.json", "--format", "md,html")
    assert code == 0
    assert f"{stem}.md" in out
    written = {f"{stem}.json", f"{stem}.md", f"{stem}.html"}
    assert {path.name for path in (tmp_path / "r").iterdir()} == written
    assert said in (tmp_path / "r" / f"{stem}.md").read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("tune/tune.json", "s.yaml"), "give one record, alone"),
        (("tune/tune.json", "--set", "a=1"), "drop --set"),
        (("tune/tune.json", "--format", "xlsx"), "there is no xlsx of this report; use pdf"),
        (("search.json",), "is not a whole record of a tuning"),
        (("half.json",), "is not a whole record of a tuning"),
    ],
)
def test_what_a_record_gives_no_report_of_is_refused(run_alone, record, tmp_path, words, said):
    (tmp_path / "search.json").write_text('{"schema": "tco.search/1"}')
    (tmp_path / "half.json").write_text('{"schema": "tco.tune/1"}')
    code, out, err = run_alone(*words)
    assert (code, out) == (2, "")
    assert said in err
    assert list(record.parent.iterdir()) == [record]
