"""Which settings change what a model computes."""

import pytest

from tco.scenario import Launch
from tco.tune.numerics import changed_numerics, numerics_of


@pytest.mark.parametrize(
    ("args", "touches"),
    [
        ({"kv-cache-dtype": "fp8"}, True),
        ({"kv_cache_dtype": "fp8"}, True),
        ({"no-enforce-eager": True}, True),
        ({"attention-backend": "FLASHINFER"}, True),
        ({"max-num-seqs": 8}, False),
        ({"speculative-config": '{"method":"ngram","num_speculative_tokens":3}'}, False),
        ({"speculative-config": '{"method":"mtp","posterior_threshold":0.1}'}, True),
        ({"speculative-config": "unreadable"}, True),
    ],
)
def test_a_setting_touches_numerics_by_its_name(args, touches):
    assert bool(numerics_of(args, {})) is touches


def test_only_what_differs_counts():
    before = Launch(model="m", args={"dtype": "bfloat16", "enforce-eager": True})
    same = Launch(model="m", args={"dtype": "bfloat16", "enforce-eager": True, "max-num-seqs": 2})
    assert changed_numerics(before, same) == {}
    compiled = Launch(model="m", args={"dtype": "bfloat16"})
    assert list(changed_numerics(before, compiled)) == ["enforce-eager"]
    assert list(changed_numerics(before, Launch(model="n", args=before.args))) == ["model"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"enforce-eager": True}, {"enforce_eager": True}),
        ({"kv-cache-dtype": "fp8"}, {"kv_cache_dtype": "fp8", "quantization": None}),
        ({}, {"enforce-eager": False}),
        ({"enforce-eager": None}, {}),
        ({"optimization-level": 2}, {"optimization-level": "2"}),
    ],
)
def test_arguments_that_do_the_same_are_no_change(before, after):
    launches = Launch(model="m", args=before), Launch(model="m", args=after)
    assert changed_numerics(*launches) == changed_numerics(*reversed(launches)) == {}


@pytest.mark.parametrize(
    ("config", "touches"), [('{"method":"mtp","x":1}', True), ('{"method":"ngram"}', False)]
)
def test_speculation_counts_alike_put_in_and_taken_out(config, touches):
    plain, drafts = Launch(model="m"), Launch(model="m", args={"speculative_config": config})
    assert bool(changed_numerics(plain, drafts)) is touches
    assert bool(changed_numerics(drafts, plain)) is touches


def test_a_variable_that_differs_counts():
    before, after = Launch(model="m"), Launch(model="m", env={"VLLM_ATTENTION_BACKEND": "X"})
    assert list(changed_numerics(before, after)) == ["VLLM_ATTENTION_BACKEND"]
    assert changed_numerics(after, after) == {}
