"""What servers, networks, disks and people do to a load: the right verdict, and nothing lost.

On the wire the load client alone sends a fixed number of requests; verdicts come from a short
bench, whose warm-up may end at its time limit.
"""

import contextlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import replace

import numpy as np
import psutil
import pytest
import yaml

from tco.errors import EngineError, InputError, InterruptedRunError
from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.load import load_client
from tco.measure.run import bench
from tco.measure.trace import load_trace, parse
from tco.measurement_file import read_measurement
from tco.scenario import Scenario
from tco.workload import plain_workload

STREAMS, REQUESTS, TOKENS = 4, 12, 9
MS = 1e6


@pytest.fixture
def send(paced, tmp_path):
    """Send requests to a server with these options; return their trace."""

    def run(*options, body=None, **given):
        with paced("--ttft-s", "0.02", "--gap-s", "0.005", *options) as url:
            stated = replace(plan_for(url, tmp_path), **given)
            stated.body.update(body or {})
            with load_client(stated) as client:
                while not client.has_ended:
                    client.wait(1)
        return parse(read_records(tmp_path))

    return run


def plan_for(url, folder):
    lengths = (np.full(REQUESTS, tokens) for tokens in (10, TOKENS))
    plain_workload(*lengths).save(folder / "workload.npz")
    return ClientPlan(
        host="127.0.0.1", port=int(url.rpartition(":")[2]), tls=False, path="/v1/completions",
        headers={"Host": "x"}, prompt_key="prompt", workload=str(folder / "workload.npz"),
        body={"stream": True, "return_token_ids": True, "stream_options": {"include_usage": True}},
        streams=STREAMS, seed=1, out_dir=str(folder), vocabulary=(5, 2000), requests=REQUESTS,
        staggered=False, timeout_s=1.0, drain_s=2.0, max_s=10.0,
    )  # fmt: skip


DELIVERIES = {
    "line ends of Windows": ["--crlf"],
    "one-byte chunks that split letters": ["--byte-chunks", "--letters", "é€😀"],
    "both": ["--byte-chunks", "--crlf", "--letters", "😀"],
    "several events in a read": ["--merge", "3"],
    "events of changing size": ["--bursts", "1,4,2"],
    "events without text": ["--letters", ""],
    "comments that keep alive": ["--comments"],
    "connections closed after each answer": ["--close"],
}


@pytest.mark.parametrize("options", DELIVERIES.values(), ids=DELIVERIES)
def test_however_an_answer_is_delivered_its_tokens_are_those_the_server_counted(send, options):
    trace = send(*options)
    assert list(trace.failure) == [""] * REQUESTS
    assert int(trace.event_tokens.sum()) == REQUESTS * TOKENS
    assert set(trace.usage_output) == {TOKENS}
    assert (np.bincount(trace.event_request, weights=trace.event_tokens) == TOKENS).all()
    assert set(trace.usage_cached) == {-1}  # not reported, which is not 0


def test_chunks_without_a_token_stamp_none(send):
    trace = send("--role-chunk", "--ttft-s", "0.2")
    first = trace.event_ns[np.searchsorted(trace.event_request, np.arange(REQUESTS))]
    # The role comes at once; the usage and [DONE] come after the last token.
    assert (first - trace.sent_ns).min() >= 190 * MS
    assert len(trace.event_tokens) == REQUESTS * TOKENS


FAILURES = {
    "http_429": "http_429",
    "http_503": "http_503",
    "error_event": "error_event",
    "cut": "stream_cut",
    "hang": "timeout",
    "empty": "zero_tokens",
    "stop": "wrong_finish_reason",
    "no_done": "no_done",
    "no_finish": "no_finish_reason",
}


def test_each_failed_request_has_its_kind_and_the_others_are_whole(send):
    requests = 2 * len(FAILURES)
    trace = send("--fault", ",".join(FAILURES), "--fault-every", "2", requests=requests)
    expected = Counter([*FAILURES.values(), *[""] * len(FAILURES)])
    assert Counter(map(str, trace.failure)) == expected
    good = np.flatnonzero(trace.failure == "")
    tokens = np.bincount(trace.event_request, trace.event_tokens, minlength=requests)
    assert set(tokens[good]) == {TOKENS}


def test_an_answer_without_usage_fails_where_only_usage_counts(send):
    options = ("--no-continuous-usage", "--fault", "no_usage", "--fault-every", "3")
    trace = send(*options, body={"return_token_ids": False})
    assert list(trace.failure).count("no_usage") == REQUESTS // 3


@pytest.mark.parametrize("status", ["http_429", "http_503"])
def test_a_stream_waits_as_long_as_the_server_asks_it_to(send, status):
    options = ("--fault", status, "--fault-every", "4", "--retry-after", "1", "--gap-s", "0.05")
    trace = send(*options, streams=2, requests=8)
    assert list(trace.failure).count(status) == 2
    failed = np.flatnonzero(trace.failure == status)[0]
    later = trace.sent_ns[
        (trace.stream == trace.stream[failed]) & (trace.sent_ns > trace.end_ns[failed])
    ]
    assert (later - trace.end_ns[failed]).min() >= 990 * MS


SHORT_MINUTES = 0.06
"""So a warm-up takes at most 1.8 s."""


def scenario(url, streams=8, output=10, window_s=1, minutes=SHORT_MINUTES):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "faulty",
            "traffic": {"shape": {"input_tokens": 32, "output_tokens": output}},
            "engine": {"attach": {"url": url, "model": "paced"}, "concurrency": streams},
            "bench": {"window_s": window_s, "max_minutes": minutes},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


@pytest.fixture
def measure(paced, tmp_path):
    def run(*options, progress=lambda _: None, **stated):
        with paced("--ttft-s", "0.02", "--gap-s", "0.01", *options) as url:
            return bench(scenario(url, **stated), out_dir=tmp_path, progress=progress)

    return run


def findings(measurement):
    return {f.kind: f.severity for f in measurement.all_findings()}


def children(name):
    """The processes below this one that have the name in their command."""
    found = []
    for child in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if name in " ".join(child.cmdline()):
                found.append(child)
    return found


def recorded(folder):
    return parse(read_records(folder / "raw" / "point-0"))


VERDICTS = {
    "refusals, errors, cuts, wrong ends": (
        ["--fault", "http_429,http_503,error_event,cut,no_finish,no_done,empty,stop"],
        "failures",
    ),
    "streams that stall": (["--fault", "hang"], "failures"),
    "fewer connections than asked": (["--max-connections", "5"], "fewer_streams_than_asked"),
}


@pytest.mark.parametrize(("options", "kind"), VERDICTS.values(), ids=VERDICTS)
def test_the_verdict_on_a_faulty_server_is_invalid_and_its_records_are_kept(
    measure, tmp_path, options, kind
):
    measurement = measure(*options, "--fault-every", "9")
    assert findings(measurement)[kind] == "invalid"
    assert read_measurement(tmp_path / "measurement.json").measurement == measurement
    point, trace = measurement.points[0], load_trace(tmp_path / "raw" / "point-0")
    kept = Counter(kind for kind in trace.failure if kind not in ("", "aborted"))
    assert kept == point.failures.by_kind
    assert len(trace) == point.requests_sent
    assert point.client.round_trip_ms > 0
    assert measurement.host.cpu_count > 0


def test_an_engine_that_takes_no_new_connections_is_an_error_and_its_records_are_kept(
    measure, tmp_path
):
    with pytest.raises(EngineError):
        measure("--close", "--refuse-after", "40")
    trace = recorded(tmp_path)
    assert (trace.failure == "").sum() > 8
    assert not (tmp_path / "measurement.json").exists()


def test_a_killed_engine_is_an_error_and_what_was_recorded_is_kept(measure, tmp_path):
    def kill(progress):
        if progress.phase == "window":
            for server in children("paced_server.py"):
                server.kill()

    with pytest.raises(EngineError, match="died under load"):
        measure(progress=kill)
    assert (recorded(tmp_path).failure == "").sum() > 8
    assert not (tmp_path / "measurement.json").exists()


def test_a_server_that_only_refuses_is_an_error_in_one_sentence(measure, tmp_path):
    with pytest.raises(EngineError, match="HTTP 429"):
        measure("--fault", "http_429")
    assert not (tmp_path / "measurement.json").exists()


@contextlib.contextmanager
def file_size_limit(limit_bytes):
    """Let files grow no further, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_full_disk_ends_the_run_with_the_reason_and_no_half_measurement(measure, tmp_path):
    with file_size_limit(150_000), pytest.raises((InputError, EngineError)) as caught:
        measure(streams=32, minutes=0.1)
    assert "File too large" in str(caught.value)
    assert not (tmp_path / "measurement.json").exists()
    assert not any(path.name.startswith(".") for path in tmp_path.iterdir())


@pytest.mark.parametrize("phase", ["engine", "warm-up", "window", "drain"])
def test_an_interrupt_in_any_phase_ends_the_client_and_keeps_its_records(measure, tmp_path, phase):
    def interrupt(progress):
        if progress.phase == phase:
            raise KeyboardInterrupt

    with pytest.raises(InterruptedRunError) as caught:
        measure(progress=interrupt, output=180)
    assert "recorded until then" in caught.value.remedy
    assert children("tco.measure.client") == []
    assert not (tmp_path / "measurement.json").exists()
    if phase != "engine":
        assert len(recorded(tmp_path)) >= 8


@pytest.mark.parametrize("phase", ["engine", "window"])
def test_ctrl_c_in_a_terminal_is_exit_code_130_and_leaves_no_process(paced, tmp_path, phase):
    with paced("--gap-s", "0.01") as url:
        stated = scenario(url).model_dump(mode="json", by_alias=True, exclude_none=True)
        (tmp_path / "s.yaml").write_text(yaml.safe_dump(stated), encoding="utf-8")
        command = [sys.executable, "-m", "tco", "bench", "s.yaml", "-o", "m.json"]
        process = subprocess.Popen(
            command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        said = next(line for line in process.stderr if f"{phase}:" in line)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to all of them
        said += process.communicate(timeout=20)[1]
    assert process.returncode == 130
    assert "recorded until then is in m-raw" in said
    assert "Traceback" not in said
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert not (tmp_path / "m.json").exists()


def test_a_client_starved_by_a_busy_core_is_said(measure):
    """The client's process is stopped for 80 ms again and again, as where others hold its core."""
    ended = threading.Event()

    def starve():
        while not ended.wait(0.12):
            for client in children("tco.measure.client"):
                with contextlib.suppress(psutil.NoSuchProcess):
                    client.suspend()
                    time.sleep(0.08)
                    client.resume()

    thread = threading.Thread(target=starve)
    thread.start()
    try:
        measurement = measure()
    finally:
        ended.set()
        thread.join()
    assert findings(measurement)["client_late"] in {"warn", "invalid"}
    assert measurement.points[0].client.stamp_lag_p99_ms > 30
