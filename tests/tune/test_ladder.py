"""Ladders: those that come with tco, and what a file of one must be."""

import pytest

from tco.errors import InputError
from tco.tune.ladder import load_ladder
from tco.tune.shipped import shipped


@pytest.fixture
def write(tmp_path):
    def make(steps):
        path = tmp_path / "l.yaml"
        path.write_text(f"schema: tco.ladder/1\nname: mine\nsteps: {steps}\n", encoding="utf-8")
        return str(path)

    return make


def test_three_ladders_are_shipped_and_each_has_its_files_name():
    names = set(shipped("ladders"))
    assert names == {"cline-hybrid", "vllm-cpu", "vllm-general"}
    assert {load_ladder(name).ladder.name for name in names} == names


def test_the_cline_ladder_has_the_reports_changes_with_each_shown_alone():
    steps = load_ladder("cline-hybrid").ladder.steps
    assert [step.args.get("speculative-config") for step in steps if "MTP" in step.name] == [
        '{"method":"mtp","num_speculative_tokens":3}',
        '{"method":"mtp","num_speculative_tokens":1}',
    ]
    assert steps[1].env == {"OMP_NUM_THREADS": "1"}
    assert [step.name for step in steps if step.numerics] == [
        "Mamba state in FP16, stochastic rounding"
    ]


def test_a_name_that_is_none_lists_those_there_are():
    with pytest.raises(InputError, match="no ladder 'fast'") as error:
        load_ladder("fast")
    assert "vllm-general" in error.value.remedy


def test_a_step_that_changes_nothing_is_refused_with_its_line(write):
    with pytest.raises(InputError, match="must have args or env") as error:
        load_ladder(write("[{name: a}]"))
    assert error.value.line == 3


def test_a_step_of_more_accelerators_must_say_how_many(write):
    with pytest.raises(InputError, match="must say how many accelerators"):
        load_ladder(write("[{name: a, args: {tensor_parallel_size: 2}}]"))
    args = "[{name: a, args: {tensor_parallel_size: 2}, accelerators: 2}]"
    assert load_ladder(write(args)).ladder.steps[0].accelerators == 2
