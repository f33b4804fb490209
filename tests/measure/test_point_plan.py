"""How long the parts of a load are, and what an open loop needs of its window."""

import pytest

from tco.errors import InputError
from tco.measure.point_plan import load_limits, load_plan, session_s
from tco.measure.tried import Load
from tco.scenario import Scenario

OPEN = Load(requests_per_s=2.0)
SESSION = {
    "turns": 8, "system_tokens": 50, "first_input_tokens": 20, "tool_output_tokens": 10,
    "answer_tokens": 20, "tool_wait_s": 1, "think_s": 90,
}  # fmt: skip


def scenario(**shape):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "s",
            "traffic": {"shape": {"input_tokens": 8, "output_tokens": 8, **shape}},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


PLAIN = scenario()


def limits(*, e2e_s, session=None, load=OPEN, window_s=60.0, limit_s=180.0):
    return load_limits(load, window_s=window_s, limit_s=limit_s, e2e_s=e2e_s, session_s=session)


def test_an_open_loop_warms_up_until_what_it_starts_with_has_ended():
    assert limits(e2e_s=4.0).warm_up_s == 20
    assert limits(e2e_s=20.0).warm_up_s == 60
    assert limits(e2e_s=50.0).warm_up_s == 100


def test_with_sessions_that_is_by_their_time_and_the_tail_by_a_requests():
    found = limits(e2e_s=0.5, session=11.0)
    assert (found.warm_up_s, found.tail_s) == (55, 1)
    assert limits(e2e_s=0.5, session=100.0).warm_up_s == 200


@pytest.mark.parametrize("e2e_s", [1.0, 30.0, 60.0, 300.0])
def test_the_limit_leaves_an_open_loop_all_its_parts(e2e_s):
    found = limits(e2e_s=e2e_s)
    assert found.limit_s >= max(180, found.warm_up_s + found.window_s + found.tail_s)


def test_a_closed_loops_limit_is_as_given():
    found = limits(e2e_s=300.0, load=Load(streams=8))
    assert (found.limit_s, found.warm_up_s) == (180, None)


def test_a_session_lasts_its_requests_and_waits_without_the_users_before_it():
    assert session_s(scenario(session=SESSION), e2e_s=0.5) == pytest.approx(
        8 * 0.5 + 7 * 1.0, rel=0.05
    )
    assert session_s(PLAIN, e2e_s=0.5) == 0.5


def test_a_window_in_which_nothing_is_due_is_refused():
    slow = Load(requests_per_s=0.1)
    short = load_limits(slow, window_s=4.0, limit_s=30.0, e2e_s=28.0)
    with pytest.raises(InputError, match="nothing is due in a window of 4 s"):
        load_plan(slow, short, PLAIN, seed=1, e2e_s=28.0, events_per_s=1.0)
