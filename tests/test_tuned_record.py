"""What a report finds where a scenario says that its record of a tuning lies."""

import json

import pytest
import yaml

from tco.scenario_file import load_scenario
from tco.tuned_record import is_of_tuning, tuned_record

TUNING = {
    "schema": "tco.tune/1", "tool_version": "0", "created_at": "2026-12-02T09:30:00Z",
    "name": "a service", "scenario_sha256": "a", "ladder": "mine", "ladder_sha256": "b",
    "repeats": 3, "is_complete": True, "took_s": 60.0, "baseline": None, "steps": [],
    "best": {"steps": [], "sets": [], "serve": "vllm serve a/b"}, "trials": [],
}  # fmt: skip


@pytest.fixture
def found(tmp_path):
    def find(record, content=None):
        engine = {"launch": {"command": ["vllm", "serve"], "model": "a/b"}}
        if record is not None:
            engine["tuned"] = {"record": record, "shape": {"input_tokens": 1, "output_tokens": 1}}
        tree = {
            "schema": "tco.scenario/1", "name": "s", "engine": engine,
            "traffic": {"shape": {"input_tokens": 512, "output_tokens": 512}},
            "hardware": {"rent": {"usd_per_hour": 1, "accelerators": 1}},
        }  # fmt: skip
        (tmp_path / "in").mkdir(exist_ok=True)
        scenario = tmp_path / "in" / "s.yaml"
        scenario.write_text(yaml.safe_dump(tree))
        if content is not None:
            (tmp_path / "tune.json").write_bytes(content)
        return tuned_record(load_scenario(scenario))

    return find


def test_the_record_is_sought_from_the_scenarios_own_folder(found, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path / "..")
    record = found("../tune.json", json.dumps(TUNING).encode())
    assert record.tuning.ladder == "mine"
    assert (record.place, record.why) == ("../tune.json", None)


def test_a_scenario_that_names_no_record_has_none(found):
    assert found(None) is None


@pytest.mark.parametrize(
    ("record", "content", "why"),
    [
        ("../tune.json", None, "is not there"),
        ("..", None, "is not there"),
        ("../tune.json", b"{", "is not the record of a tuning"),
        ("../tune.json", b"[" * 100_000, "is not the record of a tuning"),
        ("../tune.json", b"\xff\xfe", "is not the record of a tuning"),
        ("../tune.json", b"[1]", "is not the record of a tuning"),
        ("../tune.json", b'{"schema": "tco.tune/1"}', "is not a whole record of a tuning"),
        ("../tune.json", b'{"schema": "tco.search/1"}', "is of a search"),
        ("a" * 5000, None, "cannot be read"),
    ],
)
def test_what_cannot_be_shown_says_why_and_never_fails(found, record, content, why):
    found_record = found(record, content)
    assert found_record.tuning is None
    assert why in found_record.why


def test_a_record_is_told_from_a_scenario_by_what_it_calls_itself(tmp_path):
    record, other = tmp_path / "t.json", tmp_path / "c.json"
    record.write_text(json.dumps(TUNING))
    other.write_text('{"schema": "tco.comparison/1"}')
    assert is_of_tuning(record)
    record.write_text('{"schema": "tco.shapes/1"}')
    assert is_of_tuning(record)
    record.write_text('{"schema": []}')
    assert not is_of_tuning(record)
    assert not is_of_tuning(other)
    assert not is_of_tuning(tmp_path / "none.json")
