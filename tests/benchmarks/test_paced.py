"""The server of known pace: what it says, and that its log is what it did."""

import http.client
import json

import pytest

from benchmarks.paced_log import read_log
from benchmarks.trial import paced_server
from tco.measure.stream import read_answer

HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"


def ask(port, body, path="/v1/completions"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    return connection.getresponse()


def test_an_answer_is_complete_and_its_log_says_when_each_event_left(tmp_path):
    body = {
        "prompt": [1, 2, 3],
        "max_tokens": 5,
        "stream": True,
        "return_token_ids": True,
        "stream_options": {"include_usage": True, "continuous_usage_stats": True},
    }
    with paced_server(tmp_path, "--rate", "200", "--ttft-s", "0.05") as server:
        answer = read_answer([(0, HEAD + ask(server.port, body).read())], end="closed")
    assert answer.failure is None
    assert answer.tokens == (1, 1, 1, 1, 1)
    assert (answer.input_tokens, answer.output_tokens) == (3, 5)
    log = read_log(tmp_path)
    ((_, _, received, ended, inputs, outputs),) = log.requests.tolist()
    due, sent = log.events[:, 1], log.events[:, 2]
    assert (inputs, outputs) == (3, 5)
    assert due[0] - received == pytest.approx(50e6, abs=10)
    assert (due[1:] - due[:-1]).tolist() == pytest.approx([5e6] * 4, abs=10)
    assert (sent >= due).all()
    assert ended == sent[-1]


def test_in_lockstep_all_events_stand_on_one_grid(tmp_path):
    body = {"prompt": "one two", "max_tokens": 2, "stream": True}
    with paced_server(tmp_path, "--rate", "100", "--ttft-s", "0.01", "--lockstep") as server:
        replies = [ask(server.port, body) for _ in range(3)]
        assert all(reply.read().endswith(b"data: [DONE]\n\n") for reply in replies)
    assert (read_log(tmp_path).events[:, 1] % 10_000_000 <= 1).all()


def test_a_server_without_a_tokenizer_says_so(tmp_path):
    with paced_server(tmp_path, "--no-tokenize") as server:
        assert ask(server.port, {"prompt": "x"}, "/tokenize").status == 404
        assert ask(server.port, {}, "/health").status == 200
