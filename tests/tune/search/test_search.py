"""A search on simulated rates: what it confirms, writes, shares and takes up again."""

import datetime as dt
import sqlite3

import pytest

from tco.errors import EngineError, InputError, InterruptedRunError
from tco.scenario_file import load_scenario
from tco.search_document import Search
from tco.tune.figures import Priced
from tco.tune.ladder import load_ladder
from tco.tune.plan import tune_plan
from tco.tune.search.tuned import refuse_finished, write_searched
from tco.tune.tune import tune
from tco.tuning import TuneTrial


def test_a_gain_is_confirmed_and_written_with_the_traffic_it_was_found_on(
    planned, searched, tmp_path
):
    plan = planned()
    found = write_searched(searched(plan), plan)
    assert found.is_complete, found.stopped
    assert found.confirmation.decision == "kept"
    assert found.confirmation.ratio == pytest.approx(3, rel=0.02)
    assert found.best.settings == {"speed": 6, "odd": None}
    assert found.best.scenario_file == str(tmp_path / "s-tuned.yaml")
    assert Search.model_validate_json((tmp_path / "t" / "search.json").read_bytes()) == found
    tuned = load_scenario(tmp_path / "s-tuned.yaml").scenario
    assert (tuned.name, tuned.engine.launch.args) == ("simulated, tuned", {"speed": 6})
    origin = tuned.engine.tuned
    assert (tmp_path / origin.record).resolve() == tmp_path / "t" / "search.json"
    assert origin.shape.input_tokens.value == origin.shape.output_tokens.value == 8
    assert origin.shape.concurrency.value == 4
    assert origin.settings.args == {"speed": 6}
    with pytest.raises(InputError, match="the search exists already"):
        refuse_finished(tmp_path / "t", tmp_path / "s.yaml", force=False)


@pytest.mark.parametrize(("objective", "best"), [("output_tok_per_s", 6), ("ttft_p95_ms", 1)])
def test_another_objective_is_made_high_or_low(planned, searched, objective, best):
    found = searched(planned(objective))
    assert found.confirmation.decision == "kept", found.confirmation
    assert found.confirmation.ratio > 1
    assert found.best.settings["speed"] == best


def test_a_search_goes_on_and_measures_no_trial_twice(planned, searched, engine):
    engine.stops_after = 5
    with pytest.raises(InterruptedRunError):
        searched(planned())
    engine.stops_after = None
    found = searched(planned())
    assert found.confirmation.decision == "kept"
    assert len(found.trials) == len(engine.tried)
    seen = [
        (str(t.settings), t.rung) for t in found.trials if t.purpose not in {"confirm", "repeat"}
    ]
    assert len(seen) == len(set(seen))


def test_a_finished_search_measures_nothing_again(planned, searched, engine):
    first = searched(planned())
    count = len(engine.tried)
    assert searched(planned()).trials == first.trials
    assert len(engine.tried) == count


def test_a_database_holds_the_trials(planned, searched, engine, tmp_path):
    storage = f"sqlite:///{tmp_path / 'study.db'}"
    found = searched(planned(storage=storage))
    assert found.confirmation.decision == "kept"
    assert not (tmp_path / "t" / "study.journal").exists()
    with sqlite3.connect(tmp_path / "study.db") as database:
        assert database.execute("select count(*) from trials").fetchone()[0] == len(engine.tried)
    count = len(engine.tried)
    assert searched(planned(storage=storage)).trials == found.trials
    assert len(engine.tried) == count


def test_a_short_run_goes_before_a_full_one_where_starts_are_short(planned, searched, engine):
    engine.start_s = 2.0
    found = searched(planned())
    short = [t for t in found.trials if t.rung == "short"]
    assert {window_s for *_, window_s in engine.tried} == {25.0, 100.0}
    assert {t.windows_s for t in short if not t.failure} == {25.0}
    assert any(t.purpose == "promote" for t in found.trials)
    assert any(t.pruned for t in short)
    full = [t.settings for t in found.trials if t.rung == "full"]
    assert all(t.pruned == (t.settings not in full) for t in short)
    assert found.confirmation.decision == "kept"
    assert {t.rung for t in found.trials if t.purpose == "confirm"} == {"full"}
    assert found.best.settings["speed"] == 6


def test_a_search_begins_with_the_best_of_a_ladder(planned, searched, engine, tmp_path):
    text = "schema: tco.ladder/1\nname: l\nsteps: [{name: fast, args: {speed: 7}}]\n"
    (tmp_path / "l.yaml").write_text(text, encoding="utf-8")
    ladder = load_ladder(str(tmp_path / "l.yaml"))
    base = load_scenario(tmp_path / "s.yaml", ())
    host = engine.make_measurement().host
    tune(
        tune_plan(base, (), ladder, repeats=3, folder=tmp_path / "ladder"),
        price=lambda *_: Priced(1.0, None, None), progress=lambda _: None, say=lambda _: None,
        measure=engine, host=lambda: host,
    )  # fmt: skip
    found = searched(planned(ladder_folder=tmp_path / "ladder"))
    starts = [t.settings["speed"] for t in found.trials if t.purpose == "start"]
    assert starts == [2, 7]
    assert found.best.settings["speed"] == 7


def test_settings_that_do_not_start_are_no_result_but_the_scenarios_own_must(
    planned, searched, tmp_path
):
    found = searched(planned())
    failed = [t for t in found.trials if t.failure]
    assert {t.settings["odd"] for t in failed} <= {"fails"}
    with pytest.raises(EngineError, match="own settings cannot be measured"):
        searched(planned(folder=tmp_path / "u"), measure=_refuses)
    again = searched(planned(folder=tmp_path / "u"))
    assert again.confirmation.decision == "kept", "the same command tries them again"


def _refuses(loaded, *, number, step, role, folder, progress, is_fresh):
    del folder, progress, is_fresh
    return TuneTrial(
        number=number, step=step, role=role, scenario_sha256=loaded.sha256, took_s=1.0,
        started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), failure="it does not start",
    )  # fmt: skip


def test_a_search_does_not_go_on_with_another_machine_or_engine(planned, searched, engine):
    engine.stops_after = 3
    with pytest.raises(InterruptedRunError):
        searched(planned())
    engine.stops_after = None
    other = engine.make_measurement().host.model_copy(update={"cpu_count": 8})
    with pytest.raises(InputError, match="another machine: cores 16; here: cores 8") as caught:
        searched(planned(), host=lambda: other)
    assert caught.value.file.endswith("search.json")
    engine.version = "0.33.0"
    with pytest.raises(InputError, match=r"of vllm 0\.32\.0, and this is vllm 0\.33\.0"):
        searched(planned())
    engine.version = "0.32.0"
    assert searched(planned()).confirmation.decision == "kept"
