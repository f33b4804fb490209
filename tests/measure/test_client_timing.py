"""The load client's times against a server that logs when it really sent each event."""

import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.load import Stamps
from benchmarks.paced_log import read_log
from benchmarks.truth import stamp_lag
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.trace import Trace, parse
from tco.workload import plain_workload

ROOT = Path(__file__).parents[2]
GAP_MS = 25.0
TOKENS = 20
RECEIVED = 2


@dataclass
class Run:
    """What the client says, what the server knows, and when the client's clock started."""

    trace: Trace
    server: object
    begun_ns: int

    def lag(self):
        return stamp_lag(self.server, Stamps(self.trace.event_request, self.trace.event_ns))


@contextmanager
def true_server(folder, gap_ms=GAP_MS):
    command = [sys.executable, "-m", "benchmarks.paced", "--rate", str(1000 / gap_ms)]
    command += ["--ttft-s", "0.05", "--log", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    try:
        yield int(process.stdout.readline().split()[1])
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()
        process.stdout.close()


def run(folder, *, at_s=None, requests=32, gap_ms=GAP_MS, tokens=TOKENS, disturb=None, **given):
    lengths = (np.full(requests, n) for n in (64, tokens))
    plain_workload(*lengths, at_s=at_s).save(folder / "w.npz")
    with true_server(folder / "log", gap_ms) as port:
        plan = ClientPlan(
            host="127.0.0.1", port=port, tls=False, path="/v1/completions", headers={"Host": "x"},
            body={"stream": True, "return_token_ids": True}, prompt_key="prompt",
            workload=str(folder / "w.npz"), streams=8, seed=1, out_dir=str(folder / "r"),
            vocabulary=(5, 2000), requests=requests, staggered=False,
        )  # fmt: skip
        with load_client(replace(plan, **given)) as client:
            while not client.has_ended:
                client.wait(0.1)
                if disturb:
                    disturb(client)
            begun_ns = client.history[0].begun_ns
    trace = parse(read_records(folder / "r"))
    assert set(trace.failure) == {""}
    return Run(trace, read_log(folder / "log"), begun_ns)


def test_a_closed_loops_stamps_are_those_of_the_server(tmp_path):
    got = run(tmp_path)
    lag = got.lag()
    assert 0 <= lag.p50_ms < GAP_MS / 50
    gaps = np.diff(got.trace.event_ns)[np.diff(got.trace.event_request) == 0]
    assert np.median(gaps) / 1e6 == pytest.approx(GAP_MS, rel=0.02)
    # Alone in its read an event's time is exact; whatever was merged says by how much it is not.
    assert np.median(got.trace.event_slack_ns) == 0


def test_an_open_loop_sends_when_it_says_and_says_when_it_did(tmp_path):
    at_s = np.sort(np.random.default_rng(3).random(60)) * 1.5
    got = run(tmp_path, at_s=at_s, requests=60, is_open=True, streams=40)
    due_ns = got.begun_ns + np.round(at_s * 1e9)
    assert (np.sort(got.trace.intended_ns) == due_ns).all()
    assert (got.trace.sent_ns >= got.trace.intended_ns).all()
    received = np.sort(got.server.requests[:, RECEIVED]) - due_ns
    assert 0 < np.median(received) / 1e6 < GAP_MS / 10
    assert 0 <= got.lag().p50_ms < GAP_MS / 50


def test_an_open_loop_connects_when_none_is_idle_and_counts_from_the_intended_time(tmp_path):
    got = run(tmp_path, at_s=np.arange(12) * 0.02, requests=12, is_open=True, streams=1, tokens=8)
    # Each takes ten times as long as the next arrival takes to come.
    connections = set(got.trace.stream)
    assert len(connections) > 4
    assert (got.trace.connect_ns > 0).all()
    assert len(set(got.server.requests[:, 1])) == len(connections)


def test_what_comes_while_the_client_does_not_run_is_stamped_right(tmp_path):
    stopped_ms = 100.0

    def stop(client):
        for process in client._processes:
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(stopped_ms / 1000)
            os.kill(process.pid, signal.SIGCONT)

    # Events come further apart than the client is stopped, so that none are merged.
    got = run(tmp_path, requests=8, gap_ms=3 * stopped_ms, tokens=12, disturb=stop)
    assert got.trace.pulse_late_ns.max() / 1e6 > stopped_ms / 2
    late = (np.diff(got.trace.event_ns)[np.diff(got.trace.event_request) == 0]) / 1e6
    assert np.abs(late - 3 * stopped_ms).max() < stopped_ms / 2
    assert got.lag().p99_ms < stopped_ms / 4


def test_several_processes_make_one_record(tmp_path):
    at_s = np.sort(np.random.default_rng(3).random(61)) * 1.5
    got = run(tmp_path, at_s=at_s, requests=61, is_open=True, streams=40, processes=3)
    assert len(list((tmp_path / "r").glob("part-*"))) == 3
    trace = got.trace
    assert (np.sort(trace.intended_ns) == got.begun_ns + np.round(at_s * 1e9)).all()
    assert (np.diff(trace.sent_ns) >= 0).all()
    assert sorted(trace.session) == sorted(trace.row) == list(range(61))
    assert len(set(trace.stream[:10])) > 3
    assert (np.bincount(trace.event_request, trace.event_tokens) == TOKENS).all()
    assert (np.diff(trace.event_request) >= 0).all()
    assert 0 <= got.lag().p50_ms < GAP_MS / 50


def test_streams_are_shared_out_among_processes_and_a_number_of_requests_is_kept(tmp_path):
    got = run(tmp_path, requests=33, processes=3)
    assert len(got.trace) == 33
    assert set(got.trace.stream) == set(range(8))
    assert len(set(got.trace.session)) == 33


def test_what_was_due_and_found_no_connection_is_booked_as_failed(paced, tmp_path):
    plain_workload(np.full(20, 10), np.full(20, 200), at_s=np.arange(20) * 0.02).save(
        tmp_path / "w.npz"
    )
    with paced("--refuse-after", "3", "--gap-s", "0.01") as url:
        plan = ClientPlan(
            host="127.0.0.1", port=int(url.rpartition(":")[2]), tls=False, path="/v1/completions",
            headers={"Host": "x"}, body={"stream": True, "return_token_ids": True},
            prompt_key="prompt", workload=str(tmp_path / "w.npz"), streams=3, seed=1, is_open=True,
            out_dir=str(tmp_path / "r"), vocabulary=(5, 2000), drain_s=5.0,
        )  # fmt: skip
        with load_client(plan) as client:
            while client.state is None or client.state.sent < 5:
                client.wait(0.1)
            time.sleep(0.5)
            client.stop()
            while not client.has_ended:
                client.wait(1)
    trace = parse(read_records(tmp_path / "r"))
    assert len(trace) == 20
    assert sorted(trace.row) == list(range(20))
    assert set(trace.failure) == {"", "connection_lost"}
    assert (trace.failure == "").sum() >= 3
    assert (trace.stream[trace.failure != ""] == -1).any()
    assert (trace.sent_ns > trace.intended_ns).all()
