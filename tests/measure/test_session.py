import numpy as np
import pytest
from pydantic import ValidationError

from tco.measure.session import session_workload
from tco.scenario import SessionShape

STATED = {
    "turns": 4,
    "system_tokens": 1000,
    "first_input_tokens": 500,
    "tool_output_tokens": 300,
    "answer_tokens": 100,
    "final_answer_tokens": 400,
    "tool_wait_s": 2,
    "think_s": 30,
}


def drawn(rows=400, seed=1, **stated):
    session = SessionShape.model_validate({**STATED, **stated})
    return session, session_workload(session, rows, np.random.default_rng(seed), key="s")


def test_a_session_grows_by_its_answers_and_the_tools_outputs():
    _, workload = drawn()
    assert workload.input_tokens()[:4].tolist() == [1500, 1900, 2300, 2700]
    assert workload.output_tokens[:4].tolist() == [100, 100, 100, 400]
    assert workload.session[:5].tolist() == [0, 0, 0, 0, 1]
    assert set(workload.block_id.tolist()) == {-1}
    assert len(workload) >= 400


@pytest.mark.parametrize("turns", [1, 1.4, 2.5, 9.2])
def test_the_drawn_requests_have_the_means_the_scenario_was_resolved_to(turns):
    session, workload = drawn(rows=20_000, turns=turns)
    means = session.request_means()
    assert workload.input_tokens().mean() == pytest.approx(means.input_tokens, rel=2e-3)
    assert workload.output_tokens.mean() == pytest.approx(means.output_tokens, rel=2e-3)
    fresh = workload.fresh_tokens.sum() / workload.input_tokens().sum()
    assert 1 - fresh == pytest.approx(means.cached_input_share, rel=2e-3)
    assert len(workload) / workload.sessions() == pytest.approx(turns, rel=2e-3)


def test_spread_lengths_keep_the_means_too():
    session, workload = drawn(rows=50_000, tool_output_tokens={"mean": 300, "p95": 1000})
    assert workload.input_tokens().mean() == pytest.approx(
        session.request_means().input_tokens, rel=1e-2
    )


def test_waits_are_for_the_user_before_a_session_and_for_tools_in_it():
    _, workload = drawn(rows=40_000)
    first = workload.is_first_turn()
    assert workload.wait_s[first].mean() == pytest.approx(30, rel=0.05)
    assert workload.wait_s[~first].mean() == pytest.approx(2, rel=0.05)
    assert workload.wait_s[~first].std() == pytest.approx(2, rel=0.05)


def test_what_is_left_out_waits_for_nothing_and_shares_nothing():
    session = {key: STATED[key] for key in ("first_input_tokens", "tool_output_tokens")}
    stated = SessionShape.model_validate({**session, "turns": 3, "answer_tokens": 7})
    workload = session_workload(stated, 9, np.random.default_rng(0), key="s")
    assert not workload.wait_s.any()
    assert workload.block_id.size == 0
    assert set(workload.output_tokens.tolist()) == {7}


def test_a_spread_out_of_reach_is_refused_before_anything_is_drawn():
    with pytest.raises(ValidationError, match=r"answer_tokens(.|\n)*at most 3\.87 times the mean"):
        drawn(answer_tokens={"mean": 100, "p95": 900})
