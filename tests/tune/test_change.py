"""A step's change as overrides of the scenario's engine."""

import pytest

from tco.scenario import Launch
from tco.tune.change import launch_overrides
from tco.tune.ladder import Step


def overrides(step, **launch):
    return launch_overrides(Step(name="s", **step), Launch(model="m", **launch))


def test_arguments_and_environment_become_overrides():
    text = '{"method":"mtp"}'
    found = overrides({"args": {"speculative-config": text}, "env": {"OMP_NUM_THREADS": "1"}})
    assert found == (
        'engine.launch.args.speculative-config="{\\"method\\":\\"mtp\\"}"',
        'engine.launch.env.OMP_NUM_THREADS="1"',
    )


def test_an_argument_replaces_the_same_in_another_spelling():
    found = overrides({"args": {"max-num-seqs": 8}}, args={"max_num_seqs": 4})
    assert found == ("engine.launch.args.max_num_seqs=8",)


@pytest.mark.parametrize(
    ("off", "on"),
    [("no-async-scheduling", "async-scheduling"), ("async_scheduling", "no-async-scheduling")],
)
def test_a_switch_takes_out_its_opposite(off, on):
    found = overrides({"args": {on: True}}, args={off: True})
    assert found == (f"engine.launch.args.{off}=null", f"engine.launch.args.{on}=true")


@pytest.mark.parametrize("out", [None, False])
def test_null_or_false_takes_out_the_argument_and_not_its_opposite(out):
    args = {"enable-prefix-caching": True}
    step = {"args": {"no-enable-prefix-caching": out}}
    assert overrides(step, args=args) == ()
    off = {"no_enable_prefix_caching": True}
    word = "null" if out is None else "false"
    assert overrides(step, args=off) == (f"engine.launch.args.no_enable_prefix_caching={word}",)


@pytest.mark.parametrize(
    ("step", "args"),
    [
        ({"args": {"enforce-eager": False}}, {}),
        ({"args": {"enforce-eager": None}}, {"enforce-eager": False}),
        ({"args": {"max-num-seqs": 8}}, {"max-num-seqs": "8"}),
    ],
)
def test_what_is_so_already_changes_nothing(step, args):
    assert overrides(step, args=args) == ()


def test_0_is_no_switch_that_is_off():
    assert overrides({"args": {"seed": 0}}) == ("engine.launch.args.seed=0",)
