"""Recorded vLLM answers, cut in every way a network may cut them."""

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.measure.chunked_events import chunked_events
from tco.measure.response_end import ResponseEnd
from tco.measure.sse import SseSplitter, _any_response
from tco.measure.stream import read_answer

FOLDER = Path(__file__).parent.parent / "data" / "sse"
FILES = sorted(FOLDER.glob("*.raw"))


def raw(name):
    data = (FOLDER / name).read_bytes()
    if not name.startswith("midstream"):
        return data
    head, _, tail = data.partition(b"...\n")
    return head.rstrip(b"\n") + b"\n\r\n" + tail[tail.index(b"\r\n") + 2 :]


def cut(data, *positions):
    edges = sorted({0, *positions, len(data)})
    return [(n, data[a:b]) for n, (a, b) in enumerate(itertools.pairwise(edges))]


def answer(name, *positions):
    return read_answer(cut(raw(name), *positions), end="complete")


@pytest.mark.parametrize(
    ("name", "source", "tokens"),
    [
        ("completions.raw", "continuous_usage", 8),
        ("completions_token_ids.raw", "token_ids", 8),
        ("completions_logprobs.raw", "continuous_usage", 8),
        ("completions_n2.raw", "continuous_usage", 40),
        ("chat.raw", "continuous_usage", 8),
        ("chat_token_ids.raw", "token_ids", 8),
        ("chat_logprobs.raw", "continuous_usage", 8),
    ],
)
def test_a_whole_answer_holds_the_tokens_the_server_counted(name, source, tokens):
    got = answer(name)
    assert (got.failure, got.source, sum(got.tokens)) == (None, source, tokens)
    if name != "completions_n2.raw":
        assert got.output_tokens == tokens
    assert got.finish_reason == "length"


@pytest.mark.parametrize(
    ("name", "failure"),
    [
        ("err_bad_json_type.raw", "http_400"),
        ("err_context_too_long.raw", "http_400"),
        ("err_context_too_long_text_chat.raw", "http_400"),
        ("err_prompt_plus_max_tokens.raw", "http_400"),
        ("err_unknown_model.raw", "http_404"),
        ("completions_nonstream.raw", "zero_tokens"),
        ("completions_plain.raw", "no_usage"),
        ("midstream_engine_killed_tail.raw", "error_event"),
        ("midstream_parent_killed_tail.raw", "stream_cut"),
    ],
)
def test_what_is_no_good_answer_fails_by_kind(name, failure):
    assert answer(name).failure == failure


def test_an_error_after_status_200_carries_the_servers_words():
    got = answer("midstream_engine_killed_tail.raw")
    assert got.status == 200
    assert got.message.startswith("EngineCore encountered an issue")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_every_single_cut_gives_the_same_tokens(path):
    whole, length = answer(path.name), len(raw(path.name))
    for position in range(0, length, max(1, length // 400)):
        got = answer(path.name, position)
        assert (got.tokens, got.failure, got.events) == (whole.tokens, whole.failure, whole.events)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_one_byte_reads_give_the_same_tokens_and_rising_times(path):
    whole, length = answer(path.name), len(raw(path.name))
    got = answer(path.name, *range(length))
    assert (got.tokens, got.failure, got.events) == (whole.tokens, whole.failure, whole.events)
    assert list(got.times_ns) == sorted(set(got.times_ns))


@given(st.data())
def test_any_cuts_give_the_same_tokens(data):
    name = data.draw(st.sampled_from([path.name for path in FILES]))
    cuts = data.draw(st.lists(st.integers(0, len(raw(name))), max_size=30))
    whole, got = answer(name), answer(name, *cuts)
    assert (got.tokens, got.failure, got.events) == (whole.tokens, whole.failure, whole.events)


@given(st.data())
def test_the_fast_reader_gives_what_the_general_one_gives_or_leaves_it_to_it(data):
    path = data.draw(st.sampled_from(FILES))
    whole = raw(path.name)
    place = data.draw(st.integers(0, len(whole) - 1))
    damage = data.draw(st.sampled_from([b"", b"\n", b"\r\n", b"x", b"\xff", b"0\r\n\r\n"]))
    length = data.draw(st.integers(0, 3))
    damaged = whole[:place] + damage + whole[place + length :]
    cuts = data.draw(st.lists(st.integers(0, len(damaged)), max_size=10))
    reads = cut(damaged, *cuts)
    fast, general = chunked_events(reads), _any_response(reads)
    if fast is not None:
        assert fast == general.events
        assert (general.status, general.is_complete, general.has_length) == (200, True, True)
        assert not general.is_malformed


@pytest.mark.parametrize("name", ["completions_token_ids.raw", "chat_token_ids.raw"])
def test_the_fast_reader_takes_what_the_engine_sends(name):
    assert len(chunked_events(cut(raw(name)))) > 8


def test_an_event_has_the_time_of_the_read_that_completed_it():
    data = raw("completions_token_ids.raw")
    first_end = data.index(b"\n\n") + 2
    assert answer("completions_token_ids.raw", first_end - 1, first_end).times_ns[0] == 1
    assert answer("completions_token_ids.raw", first_end).times_ns[0] == 0


EVENTS = [b"a", b"two\nlines", b"", "é€😀".encode()]


@given(st.lists(st.integers(0, 100)), st.sampled_from([b"\n", b"\r\n", b"\r"]))
def test_events_survive_any_line_end_comments_and_cuts(cuts, newline):
    text = b"".join(
        b": comment\nevent: x\n" + b"".join(b"data: %b\n" % line for line in e.split(b"\n")) + b"\n"
        for e in EVENTS
    ).replace(b"\n", newline)
    splitter, found = SseSplitter(), []
    for _, piece in cut(text, *(c for c in cuts if c < len(text))):
        found += splitter.feed(piece)
    assert found == EVENTS


def body(*events, done=True):
    lines = [*events, *(["[DONE]"] if done else [])]
    text = "".join(f"data: {line}\n\n" for line in lines).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + text


GOOD = '{"choices":[{"index":0,"text":"","token_ids":[1,2,3],"finish_reason":"length"}]}'
CASES = {
    None: body(GOOD),
    "no_done": body(GOOD, done=False),
    "no_finish_reason": body(GOOD.replace('"length"', "null")),
    "wrong_finish_reason": body(GOOD.replace("length", "stop")),
    "zero_tokens": body(GOOD.replace("1,2,3", "")),
    "bad_json": body(GOOD, "{"),
    "bad_json ": body(GOOD, '{"choices": [7]}', '{"choices": 7, "usage": []}'),
    "error_event": body(GOOD, '{"error": "broken"}'),
    "connection_lost": b"",
}


@pytest.mark.parametrize("kind", CASES, ids=str)
def test_each_kind_of_failure_has_its_name(kind):
    got = read_answer(cut(CASES[kind]), end="closed")
    assert got.failure == (kind and kind.strip())
    if kind is None:
        assert got.tokens == (3,)


@pytest.mark.parametrize("end", ["timeout", "aborted"])
def test_a_request_the_client_gave_up_is_a_failure(end):
    assert read_answer(cut(body(GOOD)), end=end).failure == end


def test_a_body_without_a_length_is_whole_only_when_the_server_closed_it():
    assert read_answer(cut(body(GOOD)), end="complete").failure == "stream_cut"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_the_loop_finds_the_end_where_the_parser_does(path):
    data = raw(path.name)
    is_cut = "parent_killed" in path.name
    for step in (1, 2, 3, 7, 64, len(data)):
        end, ended_at = ResponseEnd(), None
        for start in range(0, len(data), step):
            if end.feed(bytearray(data), start, min(start + step, len(data))):
                ended_at = min(start + step, len(data))
                break
        assert ended_at == (None if is_cut else len(data))


def test_a_trailer_and_an_empty_chunked_body_end_a_response():
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    for body, is_end in (
        (b"0\r\n", True),
        (b"1\r\nx\r\n0\r\nX-Sum: 1\r\n", True),
        (b"10\r\n", False),
    ):
        data = bytearray(head + body + b"\r\n")
        assert ResponseEnd().feed(data, 0, len(data)) == is_end
