"""The settings of an engine as they take effect, and the step between two."""

import pytest

from tco.scenario import Scenario
from tco.tune.change import overrides_of
from tco.tune.settings import settings_in_effect, step_between


def scenario(accelerators=1, **launch):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "s",
            "traffic": {"shape": {"input_tokens": 8, "output_tokens": 8}},
            "engine": {"launch": {"model": "a/b", **launch}, "accelerators": accelerators},
            "hardware": {"rent": {"usd_per_hour": 1, "accelerators": 2}},
        }
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"max-num-seqs": 8}, {"max_num_seqs": "8"}),
        ({"enforce-eager": False}, {}),
        ({"seed": None}, {}),
    ],
)
def test_settings_that_start_the_same_engine_are_equal_and_no_step_apart(one, other):
    here, there = scenario(args=one), scenario(args=other)
    assert settings_in_effect(here) == settings_in_effect(there)
    assert step_between(here, there, "s") is None


@pytest.mark.parametrize(
    "change",
    [
        {"args": {"seed": 0}},
        {"env": {"OMP": "1"}},
        {"model": "a/c"},
        {"command": ["sglang"]},
        {"accelerators": 2},
    ],
)
def test_settings_that_start_another_engine_differ(change):
    assert settings_in_effect(scenario()) != settings_in_effect(scenario(**change))


def test_the_step_between_two_sets_what_differs_and_takes_out_what_is_not_there():
    here = scenario(args={"seqs": 8, "eager": True, "seed": 1}, env={"A": "1", "B": "1", "C": "1"})
    there = scenario(2, args={"seqs": 8, "seed": "2", "fast": True}, env={"A": "2", "C": "1"})
    step = step_between(here, there, "best of there")
    assert step.args == {"eager": None, "seed": "2", "fast": True}
    assert step.env == {"B": None, "A": "2"}
    assert step.accelerators == 2
    assert overrides_of(step, there) == (), "nothing is left to do where it leads"
