"""The files around a search."""

import datetime as dt
from types import SimpleNamespace

import pytest

from tco.errors import InputError
from tco.search_document import Search, SearchBest
from tco.tune.search.record import write_search
from tco.tune.search.tuned import begin_afresh, refuse_finished, write_searched


def search_of(**more):
    values = {
        "tool_version": "0", "created_at": dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "name": "s",
        "scenario_sha256": "0", "space": "mine", "space_sha256": "0", "seed": 0,
        "objective": "usd_per_million_output", "aim": "minimise", "latency": "ttft_p95_ms",
        "own": {}, "skipped": {}, "is_complete": True, "engine_s": 1, "trials": (),
        "best": SearchBest(settings={}, sets=(), serve="vllm serve m"),
    }  # fmt: skip
    return Search.model_validate(values | more)


@pytest.fixture
def scenario(tmp_path):
    """Return a scenario's place, with a folder for its search beside it."""
    (tmp_path / "t").mkdir()
    return tmp_path / "s.yaml"


def test_a_finished_search_is_refused_unless_forced(scenario):
    folder = scenario.parent / "t"
    write_search(search_of(), folder)
    with pytest.raises(InputError, match="the search exists already") as caught:
        refuse_finished(folder, scenario, force=False)
    assert "--force" in caught.value.remedy
    refuse_finished(folder, scenario, force=True)


def test_an_unfinished_search_goes_on_beside_its_own_tuned_scenario(scenario):
    folder = scenario.parent / "t"
    refuse_finished(folder, scenario, force=False)
    write_search(search_of(is_complete=False), folder)
    scenario.with_name("s-tuned.yaml").touch()
    refuse_finished(folder, scenario, force=False)


def test_a_tuned_scenario_of_another_is_not_overwritten(scenario):
    scenario.with_name("s-tuned.yaml").touch()
    with pytest.raises(InputError, match="exists already, and the best settings would be"):
        refuse_finished(scenario.parent / "t", scenario, force=False)


def test_what_is_no_record_of_a_search_is_refused_and_named(scenario):
    record = scenario.parent / "t" / "search.json"
    record.write_text('{"schema": "tco.tune/1"}', encoding="utf-8")
    with pytest.raises(InputError, match="is not the record of a search") as caught:
        refuse_finished(record.parent, scenario, force=False)
    assert caught.value.file == str(record)


def test_beginning_afresh_takes_record_study_and_trials_and_nothing_else(scenario):
    folder = scenario.parent / "t"
    begin_afresh(folder)
    (folder / "trials" / "001").mkdir(parents=True)
    for name in ("search.json", "study.journal", "search.pdf", "trials/001/measurement.json"):
        (folder / name).touch()
    begin_afresh(folder)
    assert [path.name for path in folder.iterdir()] == ["search.pdf"]


def test_where_the_own_settings_stay_nothing_is_written(scenario):
    found = search_of()
    plan = SimpleNamespace(folder=scenario.parent / "t")
    assert write_searched(found, plan) is found
    assert not list(plan.folder.iterdir())
    assert not scenario.with_name("s-tuned.yaml").exists()
