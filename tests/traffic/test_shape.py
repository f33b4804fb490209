import io
import json
from pathlib import Path

import numpy as np
import pytest

from tco.traffic import load_traffic, parsed_traffic
from tco.traffic.shape import reusable_share, traffic_shape

TRACES = Path(__file__).parents[1] / "data" / "traces"
EXPECTED = json.loads((TRACES / "expected.json").read_text(encoding="utf-8"))


def shape(text):
    return traffic_shape(parsed_traffic(io.BytesIO(text.encode()), "t"), "t")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_the_public_traces_come_out_to_the_digit(name):
    found = json.loads(traffic_shape(load_traffic(TRACES / name), name).model_dump_json())
    assert {key: found[key] for key in EXPECTED[name]} == EXPECTED[name]


def test_arrivals_are_counted_by_minute_and_the_peak_is_over_the_mean_rate():
    times = [0, 10, 20, 61, 200, 239, 240]
    found = shape("at_s,input_tokens,output_tokens\n" + "".join(f"{t},5,1\n" for t in times))
    assert found.arrivals_per_minute == (3, 1, 0, 2, 1)
    assert found.peak_to_average == pytest.approx(3 / (7 / 4))
    assert found.requests_per_s == pytest.approx(7 / 240)


def test_without_times_nothing_is_said_of_arrivals():
    found = shape("input_tokens,output_tokens\n5,1\n")
    assert (found.span_s, found.peak_to_average, found.requests_per_s) == (None, None, None)
    assert found.arrivals_per_minute == ()


def test_a_trace_under_a_minute_has_no_busiest_one():
    assert shape("at_s,input_tokens,output_tokens\n0,5,1\n30,5,1\n").peak_to_average is None


def test_a_file_that_does_not_tell_what_is_shared_has_no_share():
    assert shape("input_tokens,output_tokens\n5,1\n").reusable_prefix_share is None


def test_a_block_is_reused_only_behind_the_same_blocks():
    lines = [
        {"input_length": 1024, "output_length": 1, "hash_ids": [1, 2]},
        {"input_length": 1024, "output_length": 1, "hash_ids": [1, 3]},
        {"input_length": 1024, "output_length": 1, "hash_ids": [4, 2]},
        {"input_length": 700, "output_length": 1, "hash_ids": [1, 3]},
    ]
    found = shape("".join(json.dumps(line) + "\n" for line in lines))
    assert found.reusable_prefix_share == pytest.approx((512 + 700) / (3 * 1024 + 700))


def test_of_a_block_no_more_is_reused_than_an_earlier_prompt_had():
    lines = [
        {"input_length": 100, "output_length": 1, "hash_ids": [7]},
        {"input_length": 612, "output_length": 1, "hash_ids": [7, 8]},
        {"input_length": 512, "output_length": 1, "hash_ids": [7]},
    ]
    found = shape("".join(json.dumps(line) + "\n" for line in lines))
    assert found.reusable_prefix_share == pytest.approx((100 + 512) / (100 + 612 + 512))


def test_the_context_of_later_turns_is_reusable():
    found = shape("input_tokens,output_tokens,session,wait_s\n100,10,a,0\n150,10,a,3\n7,1,b,0\n")
    assert found.reusable_prefix_share == pytest.approx(110 / 257)
    assert (found.sessions, found.requests_per_session) == (2, 1.5)
    assert found.wait_mean_s == pytest.approx(3.0)


def test_a_system_prompt_is_in_the_cache_from_the_start():
    text = "input_tokens,output_tokens,cached_tokens\n100,10,60\n100,10,0\n"
    workload = parsed_traffic(io.BytesIO(text.encode()), "t").workload
    assert reusable_share(workload) == pytest.approx(0.3)
    assert np.array_equal(workload.block_id, [-1])
