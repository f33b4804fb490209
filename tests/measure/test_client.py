"""The load client as a process: what it sends, and that it never outlives its parent."""

import json
import os
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from tco.errors import InputError
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.trace import parse
from tco.workload import plain_workload


def plan(tmp_path, port=1, *, input_tokens=10, output_tokens=1000, workload=None, **given):
    """A plan of requests of those lengths, or of a workload."""
    if workload is None:
        lengths = (np.full(50, tokens) for tokens in (input_tokens, output_tokens))
        workload = plain_workload(*lengths)
    path = tmp_path / "workload.npz"
    workload.save(path)
    whole = ClientPlan(
        host="127.0.0.1", port=port, tls=False, path="/v1/completions",
        headers={"Host": "x"}, body={"stream": True, "return_token_ids": True},
        prompt_key="prompt", workload=str(path), streams=4, seed=1,
        out_dir=str(tmp_path), vocabulary=(5, 2000),
    )  # fmt: skip
    return replace(whole, **given)


def port_of(url):
    return int(url.rpartition(":")[2])


def wait_for_end(client):
    while not client.has_ended:
        client.wait(1)


CLIENT = "from tco.measure.client import main; main()"


@contextmanager
def started(stated, code=CLIENT):
    """Run the client by hand until it has begun; it must then end by itself."""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    process.stdin.write(stated.as_json().encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["event"] == "connected"
    process.stdin.write(b"go\n")
    process.stdin.flush()
    time.sleep(0.6)
    try:
        yield process
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        if not process.stdin.closed:
            process.stdin.close()


@pytest.mark.parametrize("way", ["parent gone", signal.SIGTERM, signal.SIGINT])
def test_the_client_ends_and_keeps_its_records_however_it_is_stopped(paced, tmp_path, way):
    with paced() as url, started(plan(tmp_path, port_of(url))) as process:
        if way == "parent gone":
            process.stdin.close()
        else:
            os.kill(process.pid, way)
        last = process.stdout.read().splitlines()[-1]
    assert json.loads(last)["event"] == "ended"
    trace = parse(read_records(tmp_path))
    assert set(trace.failure) == {"aborted"}
    assert len(trace.event_tokens) > 4


def test_after_stop_what_is_in_flight_may_finish(paced, tmp_path):
    with paced("--gap-s", "0.01") as url:
        port = port_of(url)
        with load_client(plan(tmp_path, port, output_tokens=60)) as client:
            while client.state is None:
                client.wait(1)
            client.stop()
            wait_for_end(client)
            assert client.state.reason == "stopped"
    trace = parse(read_records(tmp_path))
    assert len(trace) == 4
    assert set(trace.failure) == {""}
    assert (trace.usage_output == trace.asked_output).all()


def test_a_request_that_hangs_is_given_up_and_counted(paced, tmp_path):
    with paced("--fault", "hang") as url:
        stated = plan(tmp_path, port_of(url), timeout_s=0.3, max_s=2)
        with started(stated) as process:
            process.wait(10)
    assert "timeout" in set(parse(read_records(tmp_path)).failure)


def test_a_fixed_number_of_requests_is_sent_when_asked(paced, tmp_path):
    with paced("--gap-s", "0.001") as url:
        port = port_of(url)
        stated = plan(tmp_path, port, output_tokens=5, requests=10, staggered=False)
        with load_client(stated) as client:
            wait_for_end(client)
    trace = parse(read_records(tmp_path))
    assert len(trace) == 10
    assert set(trace.asked_output) == {5}


def test_no_more_requests_than_asked_are_sent_by_more_streams_than_requests(paced, tmp_path):
    with paced("--gap-s", "0.001") as url:
        port = port_of(url)
        with load_client(plan(tmp_path, port, output_tokens=5, requests=3, streams=8)) as client:
            wait_for_end(client)
    assert len(parse(read_records(tmp_path))) == 3


ELSEWHERE = """
import select, sys
del select.epoll
sys.platform = "darwin"
from tco.measure.client import main
main()
"""


def test_a_system_without_epoll_and_kernel_stamps_is_served_and_says_so(paced, tmp_path):
    with paced("--gap-s", "0.02") as url:
        port = port_of(url)
        stated = plan(tmp_path, port, output_tokens=10, requests=8, staggered=False)
        with started(stated, ELSEWHERE) as process:
            said = process.stdout.read()
    assert json.loads(said.splitlines()[-1])["event"] == "ended"
    trace = parse(read_records(tmp_path))
    assert trace.failure.tolist() == [""] * 8
    assert (np.bincount(trace.event_request, trace.event_tokens) == 10).all()
    assert (trace.event_slack_ns > 0).all()
    gaps = np.diff(trace.event_ns)[np.diff(trace.event_request) == 0]
    assert np.median(gaps) / 1e6 == pytest.approx(20, rel=0.2)


def test_records_that_cannot_be_written_end_the_run_with_the_reason(paced, tmp_path):
    (tmp_path / "bytes.bin").symlink_to("/dev/full")
    with paced() as url, load_client(plan(tmp_path, port_of(url))) as client:
        while client.state is None:
            client.wait(1)
        client.stop()
        with pytest.raises(InputError, match="cannot be written: No space left"):
            wait_for_end(client)


def test_more_streams_than_the_usual_limit_on_files_are_opened(paced, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with paced("--gap-s", "0.001") as url:
        resource.setrlimit(resource.RLIMIT_NOFILE, (60, hard))
        try:
            stated = plan(tmp_path, port_of(url), streams=80, output_tokens=2)
            with started(stated) as process:
                process.stdin.close()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert len(set(parse(read_records(tmp_path)).stream)) == 80


def test_connections_closed_before_the_start_are_opened_again(paced, tmp_path):
    with paced("--max-connections", "2") as url:
        stated = plan(tmp_path, port_of(url), output_tokens=3, max_s=2)
        with started(stated) as process:
            last = process.stdout.read().splitlines()[-1]
    told = json.loads(last)
    assert told["reason"] == "time_limit"
    assert told["completed"] > 4
    assert 0 < told["reconnects"] < 100


def test_a_client_that_did_not_run_says_how_late_it_stamped(paced, tmp_path):
    with paced() as url, started(plan(tmp_path, port_of(url))) as process:
        os.kill(process.pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.kill(process.pid, signal.SIGCONT)
        time.sleep(0.3)  # else the end of its input may be what it sees first
        process.stdin.close()
    trace = parse(read_records(tmp_path))
    assert len(trace.pulse_ns) > 5
    assert trace.pulse_late_ns.max() > 0.2 * 1e9
