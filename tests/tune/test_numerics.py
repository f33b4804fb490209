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
