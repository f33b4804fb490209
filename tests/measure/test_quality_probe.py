"""What an engine's answer tells of a prompt, and an answer that does not tell it."""

import json

import pytest

from tco.measure.engine_http import Reply
from tco.measure.quality_probe import _UnprobedError, read_probe


def answer(**more):
    choice = {
        "prompt_token_ids": [5, 6, 7],
        "token_ids": [8, 9],
        # As vLLM 0.32 sends them: the first token has none; the token asked for, and the likeliest.
        "prompt_logprobs": [
            None,
            {"6": {"logprob": -1.5, "rank": 2}, "1": {"logprob": -0.5, "rank": 1}},
            {"7": {"logprob": -0.25, "rank": 1}},
        ],
    }
    return Reply(200, json.dumps({"choices": [choice | more]}))


def test_the_log_probability_of_each_token_after_the_first_is_read():
    found = read_probe(answer(), "text")
    assert (found.tokens, found.logprobs, found.answer) == ((5, 6, 7), (-1.5, -0.25), (8, 9))


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (answer(prompt_logprobs=None), "tells no log-probabilities"),
        (answer(prompt_logprobs=[None, {"6": {"logprob": -1}}]), "not every log-probability"),
        (answer(prompt_logprobs=[None, {"1": {"logprob": -1}}, {}]), "tells no log-probabilities"),
        (answer(prompt_token_ids=None), "tells no log-probabilities"),
        (Reply(200, "no JSON"), "tells no log-probabilities"),
        (Reply(400, '{"error": {"message": "unknown field"}}'), "HTTP 400: unknown field"),
        (Reply(None, "refused"), "refused"),
    ],
)
def test_an_answer_without_them_says_so(reply, said):
    with pytest.raises(_UnprobedError, match=said):
        read_probe(reply, "text")


def test_infinite_log_probabilities_are_none():
    rows = '[null, {"6": {"logprob": -Infinity}}, {"7": {"logprob": -1}}]'
    text = answer().text.replace(
        json.dumps(json.loads(answer().text)["choices"][0]["prompt_logprobs"]), rows
    )
    with pytest.raises(_UnprobedError, match="are no numbers"):
        read_probe(Reply(200, text), "text")
