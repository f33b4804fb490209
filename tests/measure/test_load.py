"""Several client processes as one: their plans, and what they say together."""

from dataclasses import replace

import pytest

from tco.measure.client_plan import EVENTS_PER_S_OF_A_PROCESS, ClientPlan, processes_for
from tco.measure.load import ClientState, together

PLAN = ClientPlan(
    host="x", port=1, tls=False, path="/", headers={}, body={}, prompt_key="prompt", workload="w",
    streams=10, seed=1, out_dir="out",
)  # fmt: skip
STATE = ClientState(
    event="progress", time_ns=5, sent=1, completed=1, failed=0, in_flight=2, streams_warm=1,
    asked_of_completed=9, bytes=100, reconnects=0, cpu_s=0.5,
)  # fmt: skip


def test_streams_and_requests_are_shared_out_whole():
    parts = replace(PLAN, processes=3, requests=20).parts()
    assert [part.streams for part in parts] == [4, 3, 3]
    assert [part.requests for part in parts] == [7, 7, 6]
    assert [part.part for part in parts] == [0, 1, 2]
    assert len({part.out_dir for part in parts}) == 3
    assert {part.processes for part in parts} == {3}


def test_no_process_is_without_a_stream_or_a_request():
    assert len(replace(PLAN, processes=30).parts()) == 10
    assert len(replace(PLAN, processes=30, requests=4).parts()) == 4
    assert replace(PLAN, processes=1).parts() == (PLAN,)


def test_a_plan_survives_the_pipe():
    plan = replace(PLAN, words=("a", "b"), vocabulary=(3, 9), is_open=True)
    assert ClientPlan.from_json(plan.as_json()) == plan


def test_more_events_need_more_processes():
    assert processes_for(0) == processes_for(EVENTS_PER_S_OF_A_PROCESS) == 1
    assert processes_for(EVENTS_PER_S_OF_A_PROCESS * 2.5) == 3


def test_states_are_summed_waits_are_means_and_the_worst_reason_stands():
    one = replace(STATE, waited_s=1.0, stolen_s=4.0)
    two = replace(STATE, time_ns=9, waited_s=3.0, stolen_s=4.0, cpu_s=1.0)
    got = together([one, two])
    assert (got.event, got.time_ns, got.processes) == ("progress", 9, 2)
    assert (got.sent, got.in_flight, got.bytes, got.cpu_s) == (2, 4, 200, 1.5)
    assert (got.waited_s, got.stolen_s, got.throttled_s) == (2.0, 4.0, None)
    ended = [replace(STATE, event="ended", reason=r) for r in ("stopped", "drain_timed_out")]
    assert (together(ended).event, together(ended).reason) == ("ended", "drain_timed_out")


@pytest.mark.parametrize("others", ["connected", "progress"])
def test_all_have_ended_only_when_each_has(others):
    states = [replace(STATE, event="ended"), replace(STATE, event=others)]
    assert together(states).event == others
