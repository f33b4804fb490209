"""Which parameters of a space may change what the model answers."""

from tco.tune.search.settings import changes_numerics
from tco.tune.search.space import Space

CHOICE = {"kind": "choice", "settings": [None, "a"]}
SPACE = Space.model_validate(
    {
        "schema": "tco.space/1",
        "name": "mine",
        "args": {
            "max-num-seqs": CHOICE,
            "my-kernel": CHOICE | {"numerics": True},
            "kv_cache_dtype": CHOICE,
            "enforce-eager": {"kind": "bool"},
            "speculative-config": CHOICE,
        },
        "env": {"VLLM_ATTENTION_BACKEND": CHOICE, "OMP_NUM_THREADS": CHOICE},
    }
)
OWN = dict.fromkeys(SPACE.parameters(), None) | {"enforce-eager": False}


def test_a_changed_parameter_touches_numerics_by_the_spaces_word_or_by_its_name():
    changed = dict.fromkeys(OWN, "a") | {"enforce-eager": True}
    assert changes_numerics(SPACE, changed, OWN) == (
        "my-kernel", "kv_cache_dtype", "enforce-eager", "speculative-config",
        "env.VLLM_ATTENTION_BACKEND",
    )  # fmt: skip
    assert changes_numerics(SPACE, OWN, OWN) == ()


def test_drafts_that_the_model_checks_touch_none_and_others_do_when_taken_out_too():
    exact = OWN | {"speculative-config": '{"method": "ngram", "num_speculative_tokens": 3}'}
    assert changes_numerics(SPACE, exact, OWN) == ()
    loose = OWN | {"speculative-config": '{"method": "ngram", "typical_acceptance": 0.1}'}
    assert changes_numerics(SPACE, OWN, loose) == ("speculative-config",)
