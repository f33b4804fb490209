"""What a search may try, checked before an engine is started."""

import datetime as dt

import pytest

from tco.errors import InputError
from tco.scenario_file import load_scenario
from tco.tune.records import write_tuning
from tco.tune.search import plan as plan_module
from tco.tune.search.objective import Objective
from tco.tune.search.plan import search_plan
from tco.tune.search.space import load_space
from tco.tuning import TuneBest, Tuning

SCENARIO = """
schema: tco.scenario/1
name: s
traffic: {shape: {input_tokens: 8, output_tokens: 8}}
engine:
  launch: {command: [/bin/echo, serve], model: a/b, args: {speed: 2}}
  concurrency: 4
hardware: {rent: {usd_per_hour: 2}}
"""
SPACE = """
schema: tco.space/1
name: mine
args:
  speed: {kind: choice, settings: [1, 2]}
  eager: {kind: bool}
  overlap: {kind: bool, negated: true}
  tensor-parallel-size: {kind: choice, settings: [1, 2], accelerators: true}
env:
  OMP: {kind: choice, settings: [null, "1"]}
"""


@pytest.fixture
def planned(tmp_path, monkeypatch):
    """Return a maker of plans for an engine that takes these arguments."""
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "space.yaml").write_text(SPACE, encoding="utf-8")

    def make(takes, sets=(), **more):
        options = None if takes is None else frozenset(takes)
        monkeypatch.setattr(plan_module, "options_of", lambda _: options)
        return search_plan(
            load_scenario(tmp_path / "s.yaml", sets), sets,
            load_space(str(tmp_path / "space.yaml")),
            objective=Objective("usd_per_million_output"), latency="ttft_p95_ms", seed=0,
            repeats=3, folder=tmp_path / "t", worker="w", **more,
        )  # fmt: skip

    return make


def test_what_the_engine_does_not_take_is_left_out_with_the_reason(planned):
    plan = planned({"speed", "overlap"})
    assert set(plan.domain.levels) == {"speed", "env.OMP"}
    assert plan.skipped["eager"] == "this engine takes no --eager"
    assert plan.skipped["overlap"] == "this engine takes no --no-overlap"
    assert plan.starts == ({"speed": 2, "env.OMP": None},)
    assert plan.unchecked is None


def test_an_engine_that_lists_nothing_is_asked_for_all_and_that_is_said(planned):
    plan = planned(None)
    assert set(plan.domain.levels) == {"speed", "eager", "overlap", "env.OMP"}
    assert plan.unchecked == "the engine's --help lists no arguments"


def test_how_many_accelerators_is_tried_where_the_scenario_says_how_many_there_are(planned):
    assert "engine.accelerators" in planned(None).skipped["tensor-parallel-size"]
    known = planned(None, ("engine.accelerators=1",))
    assert known.domain.levels["tensor-parallel-size"] == (None, 1, 2)


def test_a_space_of_which_nothing_is_left_is_refused(planned, tmp_path):
    space = SPACE.partition("env:")[0]
    plan = planned(None)
    (tmp_path / "space.yaml").write_text(space, encoding="utf-8")
    assert planned({"speed"}).starts == ({"speed": 2},)
    with pytest.raises(InputError, match="takes none of the space's parameters") as caught:
        planned({"warp"})
    assert caught.value.file == str(plan.space.path)


def tuning_of(plan, *sets):
    return Tuning(
        tool_version="0", created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), name="s",
        scenario_sha256=plan.base.sha256, ladder="l", ladder_sha256="0", repeats=3, took_s=1,
        is_complete=True, baseline=None, steps=(), trials=(),
        best=TuneBest(steps=(1,), sets=sets, serve="echo"),
    )  # fmt: skip


def test_a_ladders_best_is_a_start_where_it_is_of_just_this_scenario(planned, tmp_path):
    folder = tmp_path / "ladder"
    folder.mkdir()
    own = planned(None)
    sets = ("engine.launch.args.speed=7", "engine.launch.args.eager=true")
    write_tuning(tuning_of(own, *sets), folder)
    found = planned(None, ladder_folder=folder)
    assert found.starts[1] == {**own.starts[0], "speed": 7, "eager": True}
    assert found.scenario(found.overrides(found.starts[1])).scenario.engine.launch.args == {
        "speed": 7, "eager": True,
    }  # fmt: skip
    assert planned(None, ("engine.concurrency=8",), ladder_folder=folder).starts == own.starts
    write_tuning(tuning_of(own), folder)
    assert planned(None, ladder_folder=folder).starts == own.starts


def test_what_a_ladder_takes_out_of_the_environment_is_taken_out(planned, tmp_path):
    folder = tmp_path / "ladder"
    folder.mkdir()
    sets = ('engine.launch.env.OMP="4"',)
    own = planned(None, sets)
    write_tuning(tuning_of(own, "engine.launch.env.OMP=null"), folder)
    found = planned(None, sets, ladder_folder=folder)
    assert [start["env.OMP"] for start in found.starts] == ["4", None]
    best = found.scenario(found.overrides(found.starts[1]))
    assert best.scenario.engine.launch.env == {}
