"""A file given in another's place is named, with the command that takes it, in one sentence."""

import json
from pathlib import Path

import pytest

from tco.cli import main
from tco.file_kind import kind_of
from tco.scenario_file import scenario_text

DATA = Path(__file__).parent / "data"
SCENARIO = scenario_text().encode()
MEASUREMENT = (DATA / "measurement.json").read_bytes()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("wrong files")
    (made / "my.yaml").write_bytes(SCENARIO)
    (made / "m.json").write_bytes(MEASUREMENT)
    (made / "r.pdf").write_bytes(b"%PDF-1.7\n%\xf0\x9f\x96\xa4\n1 0 obj\n")
    (made / "r.xlsx").write_bytes(b"PK\x03\x04" + bytes(99))
    (made / "noise").write_bytes(bytes(range(256)))
    (made / "empty").write_bytes(b"")
    (made / "folder").mkdir()
    (made / "prices.json").write_text('{"schema": "tco.prices/1", "offers": []}', encoding="utf-8")
    (made / "tune.json").write_text('{"schema": "tco.tune/1"}', encoding="utf-8")
    (made / "brand.yaml").write_text("schema: tco.brand/1\nname: E\n", encoding="utf-8")
    return made


def said(capsys, monkeypatch, folder, command):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as ended:
        main(command.split())
    shown = capsys.readouterr()
    assert (ended.value.code, shown.out) == (2, "")
    return shown.err


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("bill show my.yaml", "is a scenario, not an export of a bill; `tco compare` takes it"),
        ("bill show m.json", "is a measurement, not an export of a bill; give it with -m"),
        ("bill show r.pdf", "is a PDF, not CSV or JSON lines"),
        ("bill show r.xlsx", "is a zip file or a workbook, not CSV"),
        ("bill show noise", "is not a text file"),
        ("bill show empty", "is empty"),
        ("bill show folder", "is a folder"),
        ("workload show my.yaml", "is a scenario, not a file of requests; `tco compare` takes it"),
        ("workload show m.json", "is a measurement, not a file of requests"),
        ("workload show r.pdf", "is a PDF, not CSV or JSON lines"),
        ("import my.yaml", "is a scenario, not a load tool's result file; `tco compare` takes it"),
        ("import r.pdf", "is a PDF, not a load tool's result file"),
        ("compare m.json", "is a measurement, not a scenario; give it with -m"),
        ("compare prices.json", "is a price table, not a scenario; give it with --prices"),
        ("compare tune.json", "is a tuning's record, not a scenario; give it to `tco report`"),
        ("compare r.pdf", "is a PDF, not YAML"),
        ("compare r.xlsx", "is a zip file or a workbook, not YAML"),
        ("compare my.yaml -m my.yaml", "is a scenario, not a measurement; `tco compare` takes it"),
        ("compare my.yaml -m r.pdf", "is a PDF, not a measurement"),
        ("compare my.yaml -m empty", "is not a measurement: it is empty"),
        ("compare my.yaml -m folder", "is a folder"),
        ("compare my.yaml --prices r.pdf", "is a PDF, not a price table"),
        ("compare my.yaml --prices m.json", "is a measurement, not a price table; give it with -m"),
        ("prices check my.yaml", "is a scenario, not a price table; `tco compare` takes it"),
        ("report my.yaml --brand my.yaml", "is a scenario, not a brand; `tco compare` takes it"),
        ("tune my.yaml --ladder brand.yaml", "is a brand, not a ladder; give it with --brand"),
    ],
)
def test_a_wrong_file_is_named_with_what_takes_it(capsys, monkeypatch, folder, command, words):
    error = said(capsys, monkeypatch, folder, command)
    assert words in error
    assert "more fault" not in error
    assert len(error.strip().splitlines()) == 1
    assert len(error) < 300


def test_a_scenario_without_its_schema_is_told_by_its_keys():
    assert kind_of(b"name: x\ntraffic: {}\nhardware: {}\nalternatives: []\n").noun == "a scenario"


def test_a_schema_is_found_in_json_of_one_line_and_of_many():
    for indent in (None, 1):
        text = json.dumps({"name": "x", "schema": "tco.measurement/1"}, indent=indent)
        assert kind_of(text.encode()).noun == "a measurement"


@pytest.mark.parametrize(
    "text", [b"", b"a,b\n1,2\n", b'{"prompt": "schema: tco.scenario/1"}', b"schema: tco.else/1\n"]
)
def test_what_is_none_of_ours_has_no_kind(text):
    assert kind_of(text) is None
