"""What settings of a space are on a scenario's engine, and how to put others there."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.scenario import Launch
from tco.scenario_file import load_scenario
from tco.tune.search.settings import accelerators_in, domain_of, overrides_for, own_settings
from tco.tune.search.space import Space

SCENARIO = """
schema: tco.scenario/1
name: s
traffic: {{shape: {{input_tokens: 8, output_tokens: 8}}}}
engine:
  launch: {{model: a/b, args: {args}, env: {env}}}
  {accelerators}
  concurrency: 4
hardware: {{rent: {{usd_per_hour: 2, accelerators: 2}}}}
"""
SPACE = Space.model_validate(
    {
        "schema": "tco.space/1",
        "name": "mine",
        "args": {
            "max-num-seqs": {"kind": "int", "low": 8, "high": 32, "log": True},
            "enforce-eager": {"kind": "bool"},
            "async-scheduling": {"kind": "bool", "negated": True},
            "stream-interval": {"kind": "choice", "settings": [None, 4, "auto"]},
            "tensor-parallel-size": {
                "kind": "choice", "settings": [1, 2, 4], "accelerators": True,
            },
        },
        "env": {"OMP": {"kind": "choice", "settings": [None, "1"]}},
        "constraints": ["stream-interval=4 excludes enforce-eager"],
    }
)  # fmt: skip
LAUNCHES = [
    ("{}", "{}"),
    ("{max_num_seqs: '16', enforce_eager: true, no-async-scheduling: true}", "{OMP: '1'}"),
    ("{max-num-seqs: 100, async_scheduling: true, stream_interval: 4}", "{OMP: '7'}"),
    ("{no-enforce-eager: true, async-scheduling: false, tensor_parallel_size: 2}", "{OTHER: x}"),
]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Return a maker of a scenario's file."""
    folder = tmp_path_factory.mktemp("settings")

    def make(args="{}", env="{}", accelerators="accelerators: 1"):
        path = folder / "s.yaml"
        text = SCENARIO.format(args=args, env=env, accelerators=accelerators)
        path.write_text(text, encoding="utf-8")
        return path

    return make


@pytest.mark.parametrize(
    ("args", "name", "own"),
    [
        ({"max_num_seqs": 16}, "max-num-seqs", 16),
        ({"max-num-seqs": "16"}, "max-num-seqs", 16),
        ({"max-num-seqs": 100}, "max-num-seqs", 100),
        ({}, "max-num-seqs", None),
        ({"stream-interval": False}, "stream-interval", None),
        ({}, "enforce-eager", False),
        ({"no-enforce-eager": True}, "enforce-eager", False),
        ({"enforce_eager": True}, "enforce-eager", True),
        ({}, "async-scheduling", None),
        ({"async-scheduling": False}, "async-scheduling", None),
        ({"no_async_scheduling": True}, "async-scheduling", False),
    ],
)
def test_own_settings_are_written_as_the_space_writes_them(args, name, own):
    found = own_settings(SPACE, Launch(model="m", args=args))[name]
    assert (found, type(found)) == (own, type(own))


def test_an_own_setting_is_a_level_once_and_the_first(written):
    scenario = load_scenario(written("{max-num-seqs: '16', stream-interval: 3}"), ()).scenario
    levels = domain_of(SPACE, scenario, ()).levels
    assert levels["max-num-seqs"] == (16, 8, 32)
    assert levels["stream-interval"] == (3, None, 4, "auto")


@settings(max_examples=30)
@given(st.data())
def test_the_overrides_of_a_place_give_the_engine_just_these_settings(written, data):
    path = written(*data.draw(st.sampled_from(LAUNCHES)))
    scenario = load_scenario(path, ()).scenario
    domain = domain_of(SPACE, scenario, ())
    asked = domain.settings(data.draw(st.sampled_from(domain.listed)))
    other = load_scenario(path, overrides_for(SPACE, asked, scenario)).scenario
    assert own_settings(SPACE, other.engine.launch) == asked
    assert other.engine.launch.env.get("OTHER") == scenario.engine.launch.env.get("OTHER")
    takes = asked["tensor-parallel-size"]
    assert takes is None or other.engine.accelerators.value == takes


@pytest.mark.parametrize(("args", "env"), LAUNCHES)
def test_own_settings_need_no_override(written, args, env):
    takes = "accelerators: 2" if "tensor" in args else "accelerators: 1"
    scenario = load_scenario(written(args, env, takes), ()).scenario
    own = own_settings(SPACE, scenario.engine.launch)
    assert overrides_for(SPACE, own, scenario) == ()


def test_no_more_accelerators_are_tried_than_a_server_has(written):
    scenario = load_scenario(written(), ()).scenario
    domain = domain_of(SPACE, scenario, ())
    tried = {accelerators_in(SPACE, domain.settings(place)) for place in domain.listed}
    assert tried == {None, 1, 2}


def test_settings_that_are_known_to_run_are_allowed_whatever_a_constraint_says(written):
    args = "{stream-interval: 4, enforce-eager: true}"
    scenario = load_scenario(written(args), ()).scenario
    domain = domain_of(SPACE, scenario, ())
    own = own_settings(SPACE, scenario.engine.launch)
    assert domain.place(own) in domain.listed
    assert not domain.allows({**own, "max-num-seqs": 8})
    ladder = {**own, "max-num-seqs": 8}
    assert domain_of(SPACE, scenario, (), also=(ladder,)).allows(ladder)


def test_a_parameter_that_is_left_as_it_is_still_counts_in_a_constraint(written):
    scenario = load_scenario(written("{enforce-eager: true}"), ()).scenario
    levels = domain_of(SPACE, scenario, {"enforce-eager"})
    assert "enforce-eager" not in levels.levels
    tried = {levels.settings(place)["stream-interval"] for place in levels.listed}
    assert tried == {None, "auto"}
