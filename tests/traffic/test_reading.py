import contextlib
import hashlib
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.errors import InputError
from tco.traffic import load_traffic, parsed_traffic

TRACES = Path(__file__).parents[1] / "data" / "traces"
AZURE = "TIMESTAMP,ContextTokens,GeneratedTokens\n"
OWN = "at_s,input_tokens,output_tokens\n"


def parsed(text):
    raw = text if isinstance(text, bytes) else text.encode()
    return parsed_traffic(io.BytesIO(raw), "t.csv")


def objects(*records):
    return "".join(json.dumps(record) + "\n" for record in records)


def fault(text):
    with pytest.raises(InputError) as caught:
        parsed(text)
    return caught.value


def test_the_azure_trace_keeps_all_seven_decimals():
    traffic = parsed(
        AZURE + "2023-11-16 18:17:03.9799600,4808,10\r\n2023-11-16 18:17:04.0319601,3180,8\r\n"
    )
    assert traffic.format == "Azure LLM trace"
    assert traffic.workload.at_s.tolist() == [0.0, 0.0520001]
    assert traffic.workload.fresh_tokens.tolist() == [4808, 3180]
    assert traffic.workload.output_tokens.tolist() == [10, 8]
    assert not traffic.knows_prefixes


def test_times_may_name_their_zone():
    traffic = parsed(AZURE + "2024-05-10 00:00:00.5+00:00,5,1\n2024-05-10T02:00:01.5+02:00,6,1\n")
    assert traffic.workload.at_s.tolist() == [0.0, 1.0]


def test_mooncake_blocks_hold_512_tokens_and_the_last_one_what_is_left():
    workload = load_traffic(TRACES / "mooncake_conversation_first40.jsonl").workload
    assert workload.fresh_tokens.sum() == 0
    first = workload.block_tokens[: workload.block_offsets[1]]
    assert first.tolist() == [512] * 13 + [6758 - 13 * 512]
    assert workload.block_id[:2].tolist() == [0, 1]


def test_tokens_that_no_block_covers_are_fresh():
    record = {"timestamp": 3, "input_length": 1000, "output_length": 5, "hash_ids": [7]}
    workload = parsed(objects(record)).workload
    assert (workload.block_tokens.tolist(), workload.fresh_tokens.tolist()) == ([512], [488])
    assert workload.at_s.tolist() == [0.0]


def test_our_own_table_may_hold_sessions_waits_and_cached_tokens():
    workload = parsed(
        "at_s,input_tokens,output_tokens,session,wait_s,cached_tokens\n"
        "0.5,100,10,a,,40\n"
        "1.0,30,5,b,,0\n"
        "9.0,150,20,a,2.5,110\n"
    ).workload
    assert workload.session.tolist() == [0, 0, 1]
    assert workload.at_s[[0, 2]].tolist() == [0.0, 0.5]
    assert np.isnan(workload.at_s[1])
    assert workload.wait_s.tolist() == [0.0, 2.5, 0.0]
    assert workload.input_tokens().tolist() == [100, 150, 30]
    assert workload.fresh_tokens.tolist() == [60, 40, 30]
    assert (workload.block_id.tolist(), workload.block_tokens.tolist()) == ([-1], [40])


def test_our_own_json_lines_mean_the_same_as_the_table():
    records = [
        {"at_s": 0.5, "input_tokens": 100, "output_tokens": 10, "session": "a"},
        {"at_s": 1, "input_tokens": 30, "output_tokens": 5, "session": 2},
        {"at_s": 9, "input_tokens": 150, "output_tokens": 20, "session": "a", "wait_s": 2.5},
    ]
    table = "at_s,input_tokens,output_tokens,session,wait_s\n"
    table += "0.5,100,10,a,\n1,30,5,2,\n9,150,20,a,2.5\n"
    one, other = parsed(objects(*records)).workload, parsed(table).workload
    for name in ("at_s", "session", "wait_s", "fresh_tokens", "output_tokens"):
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True)


def test_a_turn_that_is_no_longer_than_its_session_begins_another():
    workload = parsed(
        "at_s,input_tokens,output_tokens,session\n0,100,10,a\n5,60,10,a\n9,90,4,a\n"
    ).workload
    assert workload.session.tolist() == [0, 1, 1]
    assert workload.at_s[:2].tolist() == [0.0, 5.0]
    assert workload.input_tokens().tolist() == [100, 60, 90]


def test_without_times_the_order_is_kept_and_nothing_is_made_up():
    workload = parsed("input_tokens,output_tokens\n5,1\n3,2\n").workload
    assert np.isnan(workload.at_s).all()
    assert workload.fresh_tokens.tolist() == [5, 3]


def test_an_access_log_is_sorted_by_time_and_leaves_out_what_has_no_answer():
    usage = {"prompt_tokens": 100, "completion_tokens": 7}
    traffic = parsed(
        objects(
            {"created": 1700000009, "usage": {**usage, "prompt_tokens": 50}},
            {"created": 1700000002, "usage": usage},
            {"created": 1700000003, "usage": None, "error": "overloaded"},
            {"created": 1700000004, "usage": {**usage, "completion_tokens": 0}},
        )
    )
    assert traffic.format == "access log"
    assert traffic.workload.at_s.tolist() == [0.0, 7.0]
    assert traffic.workload.fresh_tokens.tolist() == [100, 50]
    assert traffic.left_out == 2
    assert not traffic.knows_prefixes


def test_cached_tokens_of_a_log_become_a_prefix_that_all_share():
    def line(cached):
        details = {"cached_tokens": cached}
        usage = {"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": details}
        return {"timestamp": "2026-01-02T03:04:05Z", "response": {"usage": usage}}

    traffic = parsed(objects(line(64), line(0), line(100)))
    assert traffic.workload.block_tokens.tolist() == [64, 99]
    assert set(traffic.workload.block_id.tolist()) == {-1}
    assert traffic.workload.input_tokens().tolist() == [100] * 3
    assert traffic.knows_prefixes
    assert not parsed(objects(line(64), line(None))).knows_prefixes


@pytest.mark.parametrize("time", [1767323045, 1767323045000, "2026-01-02 03:04:05"])
def test_a_log_may_state_its_time_in_seconds_milliseconds_or_words(time):
    later = {"timestamp": "2026-01-02T03:04:06Z", "prompt_tokens": 3, "completion_tokens": 1}
    traffic = parsed(objects({**later, "timestamp": time}, later))
    assert traffic.workload.at_s.tolist() == [0.0, 1.0]


def test_spend_logs_are_read_as_a_table_too():
    traffic = parsed(
        "request_id,startTime,prompt_tokens,completion_tokens\n"
        '"a,b",2026-01-02 03:04:05,10,2\n"c",2026-01-02 03:04:04,20,3\n'
    )
    assert traffic.workload.fresh_tokens.tolist() == [20, 10]


def test_an_agent_session_is_its_tool_calls_and_a_final_answer():
    traffic = parsed(
        objects(
            {
                "num_turns": 2,
                "input_prompt_length": 100,
                "assistant_response_length": [10, 20],
                "tool_call_output_length": [30, 40],
                "tool_call_latency": [0.5, 1.25],
                "final_assistant_response_length": 50,
            },
            {
                "num_turns": 0,
                "input_prompt_length": 8,
                "assistant_response_length": [],
                "tool_call_output_length": [],
                "tool_call_latency": [],
                "final_assistant_response_length": 5,
            },
        )
    )
    workload = traffic.workload
    assert traffic.format == "agent sessions"
    assert workload.input_tokens().tolist() == [100, 140, 200, 8]
    assert workload.fresh_tokens.tolist() == [100, 30, 40, 8]
    assert workload.output_tokens.tolist() == [10, 20, 50, 5]
    assert workload.wait_s.tolist() == [0.0, 0.5, 1.25, 0.0]
    assert workload.session.tolist() == [0, 0, 0, 1]


def test_a_byte_order_mark_crlf_quotes_blank_lines_and_semicolons_do_no_harm():
    text = '\ufeff\r\n"input_tokens";"output_tokens"\r\n"5";"1"\r\n\r\n6;2\r\n'
    assert parsed(text).workload.fresh_tokens.tolist() == [5, 6]


def test_one_request_is_enough():
    assert len(parsed(OWN + "3,4,5").workload) == 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", None, "is empty"),
        ("\n \n", 2, "is empty"),
        (b"\xef\xbb\xbf", 1, "is empty"),
        (OWN, None, "has no requests"),
        (OWN + "0,0,5\n", None, "1 without input or answer"),
        (OWN + "0,12,5\n1,NaN,5\n", 3, "whole number of tokens, got 'NaN'"),
        (OWN + "0,-12,5\n", 2, "whole number of tokens"),
        (OWN + "0,1.5,5\n", 2, "whole number of tokens, got '1.5'"),
        (OWN + "0,1_0,5\n", 2, "whole number of tokens, got '1_0'"),
        (OWN + "0,,5\n", 2, "got nothing"),
        (OWN + "0,999999999,5\n", 2, "from 0 to 100,000,000"),
        (OWN + "inf,1,5\n", 2, "number of seconds"),
        (OWN + "0,1,5\n0,1\n", 3, "has 2 columns, and the header 3"),
        (OWN + '0,"1,5\n', 2, "is not CSV"),
        (OWN + "5,1,5\n2,1,5\n", 3, "arrives 3 s before the request above it"),
        (OWN + "5,1,5\n,1,5\n", 3, "states no time of arrival"),
        (OWN + "0,1,5\n9e8,1,5\n", None, "requests over 29 years"),
        (AZURE + "2023-13-41 18:17:03,1,1\n", 2, "date and time"),
        (AZURE + "yesterday,1,1\n", 2, "got 'yesterday'"),
        (AZURE + "1969-12-31 23:59:59.9999999,1,1\n", 2, "from 1970 on"),
        ("input_tokens,output_tokens\r1,2\r", 1, "CR alone"),
        ("a,b\n1,2\n", 1, "its columns are a, b"),
        ("input_tokens,output_tokens,input_tokens\n1,2,3\n", 1, "input_tokens twice"),
        ("just words\n", 1, "its columns are just words"),
        ('{"a": 1}\n', 1, "its keys are a"),
        ('[{"input_tokens": 1}]\n', 1, "one JSON object a line, got a list"),
        ('{"input_tokens": 1, "output_tokens": 2}\n{"input_tokens"', 2, "is not JSON"),
        ('{"input_tokens": NaN, "output_tokens": 2}\n', 1, "is not JSON"),
        ('{"input_tokens": true, "output_tokens": 2}\n', 1, "got true"),
        ('{"input_tokens": 1e400, "output_tokens": 2}\n', 1, "whole number"),
        ('{"input_tokens": ' + "9" * 5000 + ', "output_tokens": 2}\n', 1, "is not JSON"),
        ('{"input_tokens": 1, "output_tokens": 2}\n{"input_tokens": 1}\n', 2, "is missing"),
        ("[" * 100_000, 1, "is not JSON"),
        ('{"input_length": 9, "output_length": 1, "hash_ids": [1, 2]}\n', 1, "2 blocks of 512"),
        ('{"input_length": 9, "output_length": 1, "hash_ids": [-1]}\n', 1, "must be 0 or more"),
        ('{"input_length": 9, "output_length": 1, "hash_ids": ["x"]}\n', 1, "whole numbers"),
        ('{"input_length": 9, "output_length": 1, "hash_ids": 3}\n', 1, "must be a list"),
        (
            objects(
                {"input_length": 9, "output_length": 1, "hash_ids": [1]},
                {"input_length": 9, "output_length": 1},
            ),
            2,
            "in every request or in none",
        ),
        ("input_tokens,output_tokens,cached_tokens\n5,1,6\n", 2, "6 cached of 5"),
        (
            '{"num_turns": 2, "input_prompt_length": 3, "assistant_response_length": [1]}\n',
            1,
            "a list of num_turns = 2 entries, got 1 entries",
        ),
        (b"\x1f\x8b\x08\x00", 1, "is a gzip file"),
        (b"PK\x03\x04rest", 1, "a zip file or a workbook"),
        ("input_tokens,output_tokens\n".encode("utf-16"), 1, "UTF-16"),
        (b"input_tokens,output_tokens\n1,\x002\n", 2, "zero bytes"),
        (b"input_tokens,output_tokens\n1,\xff\n", 2, "byte 3 of the line"),
        (b"x" * (17 << 20), 1, "line of more than 16 MiB"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence_with_its_line(text, line, words):
    error = fault(text)
    assert words in error.message
    assert error.line == line
    assert error.file == "t.csv"
    assert error.remedy
    assert "\n" not in str(error)


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_any_file_is_read_or_refused_in_a_sentence(content):
    with contextlib.suppress(InputError):
        assert (parsed(content).workload.input_tokens() > 0).all()


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "at_s": st.integers(0, 1000),
                "input_tokens": st.integers(1, 500),
                "output_tokens": st.integers(1, 50),
                "session": st.sampled_from(["a", "b", "c"]),
            }
        ),
        min_size=1,
        max_size=30,
    )
)
def test_no_request_is_lost_or_changed_by_grouping(records):
    records.sort(key=lambda record: record["at_s"])
    workload = parsed(objects(*records)).workload
    asked = sorted((record["input_tokens"], record["output_tokens"]) for record in records)
    got = zip(workload.input_tokens().tolist(), workload.output_tokens.tolist(), strict=True)
    assert sorted(got) == asked
    assert (workload.fresh_tokens >= 1).all()
    starts = workload.at_s[workload.is_first_turn()]
    assert (np.diff(starts) >= 0).all()


def test_a_file_that_is_not_there_or_is_a_folder_is_said_so(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_traffic(tmp_path / "none.csv")
    with pytest.raises(InputError, match="is a folder"):
        load_traffic(tmp_path)


def test_the_hash_is_of_the_files_bytes(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes((OWN + "0,1,2\n").encode())
    assert load_traffic(path).sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_hashes_as_ids_leave_room_for_laps():
    record = {"input_length": 512, "output_length": 1, "hash_ids": [2**62 + 5]}
    workload = parsed(objects(record, {**record, "hash_ids": [3]})).workload
    assert sorted(workload.block_id.tolist()) == [0, 1]
