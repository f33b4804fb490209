"""The judgement of two probes: what is the same passes, and more damage never looks better."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.quality import PromptProbe, QualityProbe
from tco.scenario.quality import QualityLimits
from tco.tune.quality import drift_of, judged

LOGPROBS = st.lists(st.floats(-20, 0), min_size=1, max_size=20)


def prompt(logprobs, answer=(1, 2, 3, 4), kind="text"):
    tokens = tuple(range(len(logprobs) + 1))
    return PromptProbe(kind=kind, tokens=tokens, logprobs=tuple(logprobs), answer=answer)


def probe(*prompts, **more):
    return QualityProbe(created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), prompts=prompts, **more)


def judge(before, after, **limits):
    return judged(before, after, QualityLimits.model_validate(limits), is_allowed=False)


@given(LOGPROBS)
def test_an_identical_engine_does_not_drift_and_passes(logprobs):
    one = probe(prompt(logprobs))
    drift = drift_of(one.prompts, one.prompts)
    assert (drift.mean_nats, drift.worst_nats) == (0, 0)
    assert (drift.token_agreement, drift.prompt_agreement) == (1, 1)
    assert judge(one, one).passes is True


@given(LOGPROBS, st.floats(0, 5), st.floats(0, 5))
def test_more_damage_never_passes_where_less_does_not(logprobs, one, other):
    less, more = sorted((one, other))
    before = probe(prompt(logprobs))
    drifts = [
        drift_of(before.prompts, (prompt([each - by for each in logprobs]),)) for by in (less, more)
    ]
    assert drifts[0].mean_nats <= drifts[1].mean_nats + 1e-9
    after = [probe(prompt([each - by for each in logprobs])) for by in (less, more)]
    if judge(before, after[0]).passes is False:
        assert judge(before, after[1]).passes is False


def test_an_answer_agrees_up_to_its_first_difference():
    before = (prompt([-1], (1, 2, 3, 4)), prompt([-1], (1, 2, 3, 4)))
    after = (prompt([-1], (1, 2, 9, 4)), prompt([-1], (1, 2, 3, 4)))
    drift = drift_of(before, after)
    assert (drift.token_agreement, drift.prompt_agreement) == (0.75, 0.5)


def test_drift_of_texts_is_not_diluted_by_random_tokens():
    before = (prompt([-1.0]), prompt([-1.0] * 9, kind="random"))
    after = (prompt([-1.5]), prompt([-1.0] * 9, kind="random"))
    assert drift_of(before, after).mean_nats == pytest.approx(0.5)


def test_an_engine_that_tells_nothing_is_not_checked_and_one_that_stops_telling_is_at_fault():
    silent, telling = probe(unprobed="no log-probabilities"), probe(prompt([-1]))
    assert judge(silent, silent).passes is None
    assert judge(None, None).passes is None
    assert judge(telling, silent).passes is False


def test_limits_inside_the_noise_of_the_baseline_itself_decide_nothing():
    noisy = probe(prompt([-1.0]), again=(prompt([-2.0]),))
    found = judge(noisy, probe(prompt([-5.0])))
    assert found.passes is None
    assert "differ from themselves" in found.why


def test_a_score_may_fall_by_its_limit_and_no_more():
    before = probe(prompt([-1]), score=0.8)
    assert judge(before, probe(prompt([-1]), score=0.79)).passes is True
    fallen = judge(before, probe(prompt([-1]), score=0.7))
    assert fallen.passes is False
    assert "0.8 to 0.7" in fallen.why
    assert judge(before, probe(prompt([-1]), score_failure="it broke")).why == "it broke"
