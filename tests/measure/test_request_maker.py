"""What the load client sends: prompts by the workload's rows, and what they share."""

import json
from itertools import pairwise

import numpy as np
import pytest

from tco.measure.client_plan import ClientPlan
from tco.measure.request_maker import Context, RequestMaker
from tco.workload import Workload, plain_workload


def plan(**given):
    stated = {
        "host": "x", "port": 1, "tls": False, "path": "/v1/completions", "headers": {"Host": "x"},
        "body": {"stream": True}, "prompt_key": "prompt", "workload": "", "streams": 4,
        "seed": 1, "out_dir": "", "vocabulary": (5, 2000), **given,
    }  # fmt: skip
    return ClientPlan(**stated)


def chat(**given):
    return plan(prompt_key="messages", words=("one", "two"), vocabulary=(0, 0), **given)


def plain(input_tokens, output_tokens, rows=1, shared=0):
    lengths = (np.full(rows, tokens) for tokens in (input_tokens, output_tokens))
    return plain_workload(*lengths, shared_tokens=shared)


def body(request):
    head, _, text = request.head_and_body.partition(b"\r\n\r\n")
    assert head.endswith(b"Content-Length: %d" % len(text))
    return json.loads(text)


def prompt(request):
    return body(request)["prompt"]


def words(request):
    return body(request)["messages"][-1]["content"].split()


def test_every_prompt_is_its_own_of_the_asked_length_and_vocabulary():
    maker = RequestMaker(plan(), plain(200, 7, rows=25))
    sent = [body(maker.make(row, lap)) for lap in range(2) for row in range(25)]
    prompts = {tuple(each["prompt"]) for each in sent}
    assert len(prompts) == 50
    assert {len(each) for each in prompts} == {200}
    assert all(5 <= token < 2000 for each in prompts for token in each)
    assert all(each["max_tokens"] == each["min_tokens"] == 7 for each in sent)


def test_another_process_makes_the_same_request_and_another_seed_does_not():
    made = [RequestMaker(plan(seed=seed), plain(20, 7)).make(0, 3) for seed in (1, 1, 2)]
    assert made[0] == made[1]
    assert prompt(made[0]) != prompt(made[2])


def test_a_shared_prefix_is_the_same_in_every_request_of_every_lap():
    maker = RequestMaker(plan(), plain(10, 100, rows=30, shared=5))
    prompts = [prompt(maker.make(row, lap)) for lap in range(3) for row in range(30)]
    assert len({tuple(p[:5]) for p in prompts}) == 1
    assert len({tuple(p[5:]) for p in prompts}) == 90


def test_blocks_are_prefixes_of_their_own_sequence_and_new_in_each_lap():
    rows = Workload(
        at_s=np.full(3, np.nan), session=np.arange(3), wait_s=np.zeros(3),
        fresh_tokens=np.array([4, 4, 0]), output_tokens=np.full(3, 9),
        block_offsets=np.array([0, 2, 4, 5]), block_id=np.array([7, 8, 7, 9, 8]),
        block_tokens=np.array([6, 6, 6, 3, 2]),
    )  # fmt: skip
    maker = RequestMaker(plan(), rows)
    first, second, third = (prompt(maker.make(row, 0)) for row in range(3))
    assert [len(p) for p in (first, second, third)] == [16, 13, 2]
    assert first[:6] == second[:6]
    assert first[6:9] != second[6:9]
    assert third == first[6:8]
    assert prompt(maker.make(0, 1))[:6] != first[:6]


def test_a_first_answers_length_is_drawn_evenly_up_to_the_rows_own():
    maker = RequestMaker(plan(), plain(10, 100))
    lengths = [maker.first_output(0, stream) for stream in range(300)]
    assert min(lengths) >= 1
    assert max(lengths) <= 100
    assert 40 < sum(lengths) / 300 < 60
    assert body(maker.make(0, 0, output_tokens=lengths[0]))["max_tokens"] == lengths[0]


def test_a_context_stands_before_the_prompt_and_counts():
    maker = RequestMaker(plan(), plain(10, 7, rows=2))
    first = maker.make(0, 0)
    second = maker.make(1, 0, Context(first.prompt + b",11,12,", 12))
    assert prompt(second)[:12] == [*prompt(first), 11, 12]
    assert len(prompt(second)) == second.input_tokens == 22


def test_chat_prompts_are_words_as_many_as_make_up_the_tokens():
    made = RequestMaker(chat(), plain(6, 7)).make(0, 0)
    assert set(words(made)) <= {"one", "two"}
    assert len(words(made)) == 6
    longer = RequestMaker(chat(tokens_per_word=1.3, frame_tokens=6), plain(20, 7, rows=4000))
    counts = [len(words(longer.make(row, 0))) for row in range(4000)]
    assert set(counts) == {10, 11}
    assert sum(counts) / 4000 == pytest.approx(14 / 1.3, abs=0.03)


def test_a_chat_context_is_the_messages_before():
    maker = RequestMaker(chat(frame_tokens=2), plain(6, 7, rows=2))
    first = maker.make(0, 0)
    answer = b', {"role": "assistant", "content": "well"}, '
    second = maker.make(1, 0, Context(first.prompt + answer, 13))
    roles = [message["role"] for message in body(second)["messages"]]
    assert roles == ["user", "assistant", "user"]
    assert body(second)["messages"][0] == body(first)["messages"][0]
    assert len(words(first)) == 4
    assert len(words(second)) == 6
    assert all(a != b for a, b in pairwise(roles))
