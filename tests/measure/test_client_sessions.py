"""Sessions: each turn's prompt repeats the turn before and the answer that really came."""

from dataclasses import replace

import numpy as np
import pytest
from echo_server import echo_server

from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.trace import parse
from tco.workload import Workload

OWN, OUTPUT, TURNS = 10, 4, 3


@pytest.fixture
def echo():
    with echo_server() as server:
        yield server


def workload(sessions=6, wait_s=0.0, system=0):
    rows = sessions * TURNS
    is_first = np.arange(rows) % TURNS == 0
    return Workload(
        at_s=np.where(is_first, np.arange(rows) * 0.01, np.nan),
        session=np.repeat(np.arange(sessions), TURNS),
        wait_s=np.where(is_first, 0.0, wait_s),
        fresh_tokens=np.full(rows, OWN),
        output_tokens=np.full(rows, OUTPUT),
        block_offsets=np.concatenate([[0], np.cumsum(is_first * bool(system))]),
        block_id=np.full(sessions * bool(system), -1),
        block_tokens=np.full(sessions * bool(system), system),
    )


def run(server, folder, rows, **given):
    rows.save(folder / "w.npz")
    plan = ClientPlan(
        host="127.0.0.1", port=server.server_port, tls=False, path="/v1/completions",
        headers={"Host": "x"}, body={"stream": True, "return_token_ids": True},
        prompt_key="prompt", workload=str(folder / "w.npz"), streams=2, seed=1,
        out_dir=str(folder / "r"), vocabulary=(5, 2000), requests=len(rows), staggered=False,
    )  # fmt: skip
    with load_client(replace(plan, **given)) as client:
        while not client.has_ended:
            client.wait(1)
    return parse(read_records(folder / "r"))


@pytest.mark.parametrize("is_open", [False, True])
def test_each_prompt_is_the_one_before_its_real_answer_and_new_tokens(echo, tmp_path, is_open):
    rows = workload(wait_s=0.02, system=7)
    # One stream, for of two one may begin the next lap before the other ends this one.
    trace = run(echo, tmp_path, rows, is_open=is_open, streams=2 if is_open else 1)
    assert set(trace.failure) == {""}
    assert (trace.asked_input == rows.input_tokens()[trace.row]).all()
    prompts = {tuple(body["prompt"]): ids for body, ids in echo.asked}
    lengths = sorted(len(prompt) for prompt in prompts)
    assert lengths == sorted(rows.input_tokens().tolist())
    for prompt in prompts:
        if len(prompt) > 7 + OWN:
            before = prompt[: -OWN - OUTPUT]
            assert list(prompt[len(before) : -OWN]) == prompts[before]
    assert len({prompt[:7] for prompt in prompts}) == 1


@pytest.mark.parametrize("is_open", [False, True])
def test_turns_follow_in_order_each_a_wait_after_the_answer_before(echo, tmp_path, is_open):
    trace = run(echo, tmp_path, workload(wait_s=0.05), is_open=is_open)
    assert (trace.turn == TURNS - 1).sum() >= 4
    for session in set(trace.session):
        mine = np.flatnonzero(trace.session == session)
        assert trace.turn[mine].tolist() == list(range(len(mine)))
        waited = trace.intended_ns[mine[1:]] - trace.end_ns[mine[:-1]]
        assert (waited == 50_000_000).all()
        assert (trace.sent_ns[mine] >= trace.intended_ns[mine]).all()


def test_a_chat_repeats_the_text_of_the_answers(echo, tmp_path):
    chat = {"prompt_key": "messages", "words": ("one", "two"), "path": "/v1/chat/completions"}
    run(echo, tmp_path, workload(sessions=2), streams=1, body={"stream": True}, **chat)
    (first, ids), (second, _), (third, _) = echo.asked[:3]
    assert second["messages"][:1] == first["messages"]
    assert second["messages"][1]["role"] == "assistant"
    assert second["messages"][1]["content"] == "".join(f'w{n} "é" ' for n in ids)
    assert third["messages"][:3] == second["messages"]
    assert [m["role"] for m in third["messages"]] == ["user", "assistant"] * 2 + ["user"]


def test_without_token_ids_drawn_ones_stand_for_the_answer(echo, tmp_path):
    rows = workload(sessions=2)
    run(echo, tmp_path, rows, streams=1, body={"stream": True})
    first, second, third = (tuple(body["prompt"]) for body, _ in echo.asked[:3])
    assert [len(p) for p in (first, second, third)] == rows.input_tokens()[:3].tolist()
    assert second[: len(first)] == first
    assert third[: len(second)] == second


def test_a_session_whose_turn_failed_ends_there(echo, tmp_path):
    echo.failing = {1}
    trace = run(echo, tmp_path, workload(sessions=3), streams=1, requests=5)
    assert trace.failure.tolist() == ["", "error_event", "", "", ""]
    assert trace.session.tolist() == [0, 0, 1, 1, 1]


def test_streams_begin_within_their_first_session_and_laps_are_new(echo, tmp_path):
    rows = workload(sessions=40)
    trace = run(echo, tmp_path, rows, streams=30, staggered=True, requests=300)
    begun = np.flatnonzero(trace.is_first)
    assert len(begun) == 30
    assert set(trace.turn[begun]) == set(range(TURNS))
    assert (trace.asked_output[begun] <= OUTPUT).all()
    assert set(trace.asked_output[begun]) > {1}
    assert (trace.asked_input[begun] == rows.input_tokens()[trace.row[begun]]).all()
    # The prompts of a second pass through the sessions are new, as are their numbers.
    prompts = [tuple(body["prompt"]) for body, _ in echo.asked]
    assert len(set(prompts)) == len(prompts) == 300
    assert len(set(zip(trace.session, trace.turn, strict=True))) == 300
    assert trace.session.max() >= 40
