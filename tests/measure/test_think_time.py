"""A closed loop's user thinks before a session, and a tool runs before its later turns."""

import numpy as np

from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.trace import parse
from tco.workload import Workload

THINK_S, TOOL_S = 0.15, 0.05


def sessions_of_two(count=20):
    first = np.arange(2 * count) % 2 == 0
    return Workload(
        at_s=np.full(2 * count, np.nan),
        session=np.repeat(np.arange(count), 2),
        wait_s=np.where(first, THINK_S, TOOL_S),
        fresh_tokens=np.full(2 * count, 10),
        output_tokens=np.full(2 * count, 4),
        block_offsets=np.zeros(2 * count + 1, dtype=np.int64),
        block_id=np.empty(0, dtype=np.int64),
        block_tokens=np.empty(0, dtype=np.int64),
    )


def test_a_stream_waits_for_the_user_before_a_session_and_for_the_tool_within(paced, tmp_path):
    sessions_of_two().save(tmp_path / "workload.npz")
    with paced("--gap-s", "0.001") as url:
        plan = ClientPlan(
            host="127.0.0.1", port=int(url.rpartition(":")[2]), tls=False, path="/v1/completions",
            headers={"Host": "x"}, body={"stream": True, "return_token_ids": True},
            prompt_key="prompt", workload=str(tmp_path / "workload.npz"), streams=2, seed=1,
            out_dir=str(tmp_path), vocabulary=(5, 2000), requests=16, staggered=False,
        )  # fmt: skip
        with load_client(plan) as client:
            while not client.has_ended:
                client.wait(1)
    trace = parse(read_records(tmp_path))
    assert len(trace) == 16
    assert set(trace.failure) == {""}
    checked = 0
    for stream in (0, 1):
        mine = np.flatnonzero(trace.stream == stream)
        mine = mine[np.argsort(trace.intended_ns[mine])]
        gaps_s = (trace.intended_ns[mine[1:]] - trace.end_ns[mine[:-1]]) / 1e9
        expected = np.where(trace.turn[mine[1:]] == 0, THINK_S, TOOL_S)
        # An answer's end is stamped a little after the client's own look at the clock, or before.
        assert np.abs(gaps_s - expected).max() < TOOL_S
        checked += len(gaps_s)
    assert checked == 14
