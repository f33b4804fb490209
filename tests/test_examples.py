"""The committed reports of `reports/` are what tco says today."""

import json
import re
from pathlib import Path

import pypdf
import pytest

from reports.examples import FOLDERS, LADDER, ROOT, options
from tco.cli import main
from tco.report.tune_document import compose_tuning
from tco.report.tune_files import TUNE_FILE_NAMES
from tco.report.tune_markdown import tuning_markdown
from tco.tuned_record import read_tuned_record

REPORTS = ROOT / "reports"
READINGS = sorted(REPORTS.glob("66-percent-*"))
WRITTEN = ("report.pdf", "report.html", "report.xlsx", "comparison.json")
REMAKE = "the committed report is not today's: run `make examples` and commit what it writes"
# The version, and the hash that a new key of the scenario (with its default) changes too.
MAY_DIFFER = {"tool_version", "scenario_sha256"}


@pytest.fixture
def compared(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)

    def run(folder, *sets):
        overrides = [word for key in sets for word in ("--set", key)]
        with pytest.raises(SystemExit) as ended:
            main(["compare", *options(f"reports/{folder}"), "--json", *overrides])
        assert ended.value.code in {0, 4}
        return json.loads(capsys.readouterr().out)

    return run


def differences(stored, today, path=""):
    """Where today's answer is not the stored one, in the fields that the stored one has."""
    if isinstance(stored, dict):
        gone = [f"{path}.{key}" for key in stored if key not in today]
        both = [key for key in stored if key in today and key not in MAY_DIFFER]
        found = [differences(stored[key], today[key], f"{path}.{key}") for key in both]
        return gone + [each for list_ in found for each in list_]
    if path.endswith(".findings"):
        # Their words may be said better one day; that one is no longer said must be seen.
        kinds = {finding["kind"] for finding in today}
        return [f"{path}: {each['kind']}" for each in stored if each["kind"] not in kinds]
    if isinstance(stored, list):
        if len(stored) != len(today):
            return [f"{path}: {len(today)} entries for {len(stored)}"]
        pairs = enumerate(zip(stored, today, strict=True))
        found = [differences(*pair, f"{path}.{i}") for i, pair in pairs]
        return [each for list_ in found for each in list_]
    if isinstance(stored, float) and isinstance(today, int | float):
        return [] if today == pytest.approx(stored, rel=1e-9, abs=1e-12) else [path]
    return [] if stored == today else [path]


def test_there_are_four_readings_of_the_66_percent():
    assert len(READINGS) == 4
    for folder in READINGS:
        text = (folder / "scenario.yaml").read_text(encoding="utf-8")
        assert "are not public" in text.partition("schema:")[0]


def test_every_committed_folder_is_remade_and_holds_every_file():
    assert {ROOT / folder for folder in FOLDERS} >= set(READINGS)
    for folder in FOLDERS:
        for name in WRITTEN:
            assert (ROOT / folder / name).stat().st_size > 0


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_committed_comparison_is_todays(folder, compared):
    stored = json.loads((ROOT / folder / "comparison.json").read_text(encoding="utf-8"))
    assert differences(stored, compared(Path(folder).name)) == [], REMAKE


def test_a_committed_ladder_has_todays_report():
    """Of the example's measured record; a checkout without it holds none of the report either."""
    record = ROOT / LADDER / "tune.json"
    written = {name: ROOT / LADDER / name for name in TUNE_FILE_NAMES.values()}
    if not record.exists():
        assert not any(path.exists() for path in written.values())
        return
    found = read_tuned_record(record, record.name)
    assert found.tuning is not None, found.why
    today = tuning_markdown(compose_tuning(found.tuning, engine=found.engine))
    assert written["tune.md"].read_text("utf-8") == today, REMAKE
    pages = pypdf.PdfReader(written["tune.pdf"]).pages
    assert found.tuning.ladder in "".join(page.extract_text() for page in pages)
    assert found.tuning.ladder in written["tune.html"].read_text("utf-8")


@pytest.mark.parametrize("folder", [*FOLDERS, LADDER])
def test_a_committed_file_names_no_folder_of_a_machine(folder):
    for file in (ROOT / folder).glob("*.*"):
        if file.suffix in {".json", ".yaml", ".html"}:
            text = file.read_text(encoding="utf-8")
            assert re.findall(r"(?<![\w.])/(?:home|root|tmp|work|Users)/\S{0,40}", text) == [], file


def test_a_field_that_changed_or_went_is_seen_and_a_new_one_is_not():
    stored = {"a": {"b": [1.0, 2]}, "findings": [{"kind": "x"}], "tool_version": "0"}
    assert differences(stored, stored | {"new": 1, "tool_version": "1"}) == []
    assert differences(stored, stored | {"findings": []}) == [".findings: x"]
    assert differences(stored, stored | {"a": {"b": [1.1, 2]}}) == [".a.b.0"]
    assert differences(stored, stored | {"a": {"b": [1.0]}}) == [".a.b: 1 entries for 2"]
    assert differences(stored, {"findings": [{"kind": "x"}]}) == [".a", ".tool_version"]


@pytest.mark.parametrize(
    ("folder", "saving"),
    [
        ("66-percent-output-tokens", 0.659),
        ("66-percent-two-years", 0.659),
        ("66-percent-dearest-offer", 0.653),
        ("66-percent-with-staff", 0.164),
    ],
)
def test_a_reading_gives_the_stated_saving(folder, saving, compared):
    assert round(compared(folder)["alternatives"][0]["saving"], 3) == saving


def test_at_the_default_settings_rate_a_third_is_left_of_two_thirds(compared):
    folder, slow = "66-percent-output-tokens", "measurement.published.output_tok_per_s=6058"
    fast, at_6058 = (compared(folder, *sets)["alternatives"][0] for sets in ((), (slow,)))
    left = 1 - (1 - fast["saving"]) * 11840 / 6058
    assert at_6058["saving"] == pytest.approx(left, rel=1e-9)
    assert round(at_6058["saving"], 2) == 0.33
    assert round(fast["break_even_utilisation"], 2) == 0.34
    assert fast["break_even_utilisation"] == pytest.approx(1 - fast["saving"], rel=1e-9)
