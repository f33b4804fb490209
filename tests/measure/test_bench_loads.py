"""Whole benches on a server of known capacity: search, load to verify, replay, sessions, resume."""

import numpy as np
import pytest

from tco.measure.reanalyse import reanalyse
from tco.measure.run import bench
from tco.measure.trace import load_trace
from tco.measurement_file import measurement_bytes, read_measurement
from tco.scenario import Scenario

pytestmark = pytest.mark.slow

# Four at a time, each 50 + 3 × 50 ms: 20 requests a second, and no more. Slow enough that a
# busy machine, on which these tests run, hardly slows it.
PACE = ("--ttft-s", "0.05", "--gap-s", "0.05", "--max-running", "4")
CAPACITY = 4 / (0.05 + 3 * 0.05)
FIXED = {"input_tokens": 16, "output_tokens": 4}


def scenario(url, *, shape=FIXED, concurrency=4, slo=None, target=1.0, **times):
    engine = {"attach": {"url": url, "model": "paced"}}
    if concurrency:
        engine["concurrency"] = concurrency
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "paced",
            "traffic": {"shape": shape, "target_utilisation": target},
            "slo": slo or {},
            "engine": engine,
            "bench": {"window_s": 2, "max_minutes": 3, "meter": "none", **times},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


@pytest.fixture
def measure(paced, tmp_path):
    def run(*options, progress=lambda _: None, **stated):
        with paced(*options) as url:
            return bench(scenario(url, **stated), out_dir=tmp_path, progress=progress)

    return run


def kinds(measurement, severity=None):
    found = measurement.all_findings()
    return {f.kind for f in found if severity in (None, f.severity)}


def test_the_load_to_verify_is_an_open_loop_of_exactly_that_share(measure, tmp_path):
    said = []
    slo = {"e2e_p50_ms": 1000}
    measurement = measure(*PACE, target=0.5, slo=slo, progress=said.append)
    closed, target = measurement.points
    assert (measurement.capacity_point, measurement.target_point) == (0, 1)
    assert (closed.purpose, target.purpose) == ("curve", "target")
    assert closed.rates.requests_per_s == pytest.approx(CAPACITY, rel=0.3)
    assert target.loop == "open"
    assert target.open_loop.load == pytest.approx(0.5, rel=0.06)
    assert target.open_loop.sent_requests_per_s == pytest.approx(
        target.open_loop.offered_requests_per_s, rel=0.15
    )
    assert target.rates.requests_per_s == pytest.approx(target.offered_requests_per_s, rel=0.3)
    assert target.service_level.holds
    assert target.service_level.goodput_share > 0.9
    assert not target.open_loop.is_overloaded
    assert target.latency.ttft.p50_ms < 400
    assert (
        measurement_bytes(reanalyse(tmp_path / "raw"))
        == (tmp_path / "measurement.json").read_bytes()
    )


def test_sessions_are_held_at_a_time_and_timed_to_the_final_answer(measure, tmp_path):
    session = {
        "turns": 3, "first_input_tokens": 8, "tool_output_tokens": 4, "answer_tokens": 3,
        "tool_wait_s": 0.2,
    }  # fmt: skip
    measurement = measure(*PACE, shape={"session": session, **FIXED}, concurrency=4)
    sessions = measurement.points[0].sessions
    assert sessions.concurrent_asked == 4
    assert sessions.completed > 4
    assert sessions.requests_mean == pytest.approx(3)
    # Three answers of 50 + 2 × 50 ms, which the server never gives earlier.
    assert sessions.busy.mean_ms >= 3 * 150 * 0.98
    waits_ms = tool_waits_ms(next((tmp_path / "raw").glob("*/requests.parquet")).parent)
    assert waits_ms[waits_ms > 1].size >= 2 * sessions.completed
    # Few sessions, and waits are exponential: their mean is only surely among those drawn.
    assert 2 * waits_ms.min() <= sessions.job.mean_ms - sessions.busy.mean_ms
    assert sessions.job.mean_ms - sessions.busy.mean_ms <= 2 * waits_ms.max()


def tool_waits_ms(folder):
    """From each answer's last token to the time at which the session's next turn was due."""
    trace = load_trace(folder)
    last_ns = np.zeros(len(trace), dtype=np.int64)
    np.maximum.at(last_ns, trace.event_request, trace.event_ns)
    order = np.lexsort((trace.turn, trace.session))
    follows = np.diff(trace.session[order]) == 0
    return (trace.intended_ns[order][1:] - last_ns[order][:-1])[follows] / 1e6


def test_a_trace_at_its_own_times_overloads_the_server_which_is_seen_early(measure, tmp_path):
    trace = tmp_path / "trace.csv"
    rows = [f"{i / 20:.4f},16,4" for i in range(200)]
    trace.write_text("\n".join(["at_s,input_tokens,output_tokens", *rows]) + "\n")
    shape = {"trace": {"file": str(trace), "arrivals": True, "speed_up": 2}, **FIXED}
    measurement = measure(*PACE, shape=shape, window_s=7)
    point = measurement.points[measurement.target_point]
    loop = point.open_loop
    assert loop.offered_requests_per_s == pytest.approx(40, rel=0.02)
    assert loop.load > 1.5
    assert loop.is_overloaded
    assert loop.in_flight_slope_interval.low > 0
    assert point.window_s < 6.9
    assert "overloaded" in kinds(measurement, "invalid")


class Crash(BaseException):
    """What no code of ours expects."""


def crash_at(number):
    def progress(said):
        if said.point == number and said.phase == "window":
            raise Crash

    return progress


def test_a_bench_killed_between_points_goes_on_with_those_it_has(paced, tmp_path):
    with paced(*PACE) as url:
        stated = scenario(url, target=0.5, window_s=1)
        with pytest.raises(Crash):
            bench(stated, out_dir=tmp_path, progress=crash_at(2))
        left = read_measurement(tmp_path / "measurement.json").measurement
        assert not left.is_complete
        assert len(left.points) == 1
        assert "unfinished" in kinds(left, "invalid")
        whole = bench(stated, out_dir=tmp_path, progress=lambda _: None)
    assert whole.is_complete
    assert whole.points[0].started_at == left.points[0].started_at
    assert whole.points[1].started_at > left.points[0].started_at
    assert "unfinished" not in kinds(whole)
    assert measurement_bytes(reanalyse(tmp_path / "raw")) == measurement_bytes(whole)
