"""Whole benches on a server of known capacity: search, load to verify, replay, sessions, resume."""

import pytest

from tco.errors import InputError
from tco.measure.reanalyse import reanalyse
from tco.measure.run import bench
from tco.measurement_file import measurement_bytes, read_measurement
from tco.scenario import Scenario

pytestmark = pytest.mark.slow

# Eight at a time, each 20 + 8 × 10 ms: 80 requests a second, and no more.
PACE = ("--ttft-s", "0.02", "--gap-s", "0.01", "--max-running", "8")
CAPACITY = 8 / (0.02 + 8 * 0.01)
FIXED = {"input_tokens": 16, "output_tokens": 9}


def scenario(url, *, shape=FIXED, concurrency=8, slo=None, target=1.0, **times):
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
    measurement = measure(*PACE, target=0.5, slo={"e2e_p95_ms": 500})
    closed, target = measurement.points
    assert (measurement.capacity_point, measurement.target_point) == (0, 1)
    assert (closed.purpose, target.purpose) == ("curve", "target")
    assert closed.rates.requests_per_s == pytest.approx(CAPACITY, rel=0.2)
    assert target.loop == "open"
    assert target.open_loop.load == pytest.approx(0.5, rel=0.02)
    assert target.open_loop.sent_requests_per_s == pytest.approx(
        target.open_loop.offered_requests_per_s, rel=0.03
    )
    assert target.rates.requests_per_s == pytest.approx(target.offered_requests_per_s, rel=0.1)
    assert target.service_level.holds
    assert target.service_level.goodput_share > 0.9
    assert not target.open_loop.is_overloaded
    assert target.latency.ttft.p50_ms < 60
    assert (
        measurement_bytes(reanalyse(tmp_path / "raw"))
        == (tmp_path / "measurement.json").read_bytes()
    )


def test_the_capacity_at_a_service_level_is_searched_and_bracketed(measure):
    measurement = measure(*PACE, concurrency=None, slo={"ttft_p95_ms": 90})
    capacity = measurement.points[measurement.capacity_point]
    assert capacity.loop == "open"
    assert capacity.service_level.holds
    # Sixteen streams wait for eight: the curve says where the level breaks, open loops how far.
    assert 0.5 * CAPACITY < capacity.offered_requests_per_s < 1.05 * CAPACITY
    assert measurement.target_point == measurement.capacity_point
    interval = measurement.capacity_interval
    assert interval.low < interval.high <= 1.06 * interval.low
    assert interval.level is None
    assert len(measurement.points) <= 12
    assert "search_not_narrow" not in kinds(measurement)
    assert not kinds(measurement, "invalid")


def test_a_level_that_no_load_keeps_is_invalid(measure):
    measurement = measure(*PACE, concurrency=None, slo={"ttft_p50_ms": 1})
    assert [point.concurrency_asked for point in measurement.points] == [8, 1]
    assert "slo_not_kept" in kinds(measurement, "invalid")


def test_an_overload_is_seen_and_stopped_early(measure):
    """A trace that asks for twice the capacity is no load to verify anything with."""
    shape = {"trace": {"file": "", "arrivals": True}}
    measurement = measure(*PACE, shape=trace_of(shape, 2 * CAPACITY, 12), window_s=10)
    point = measurement.points[measurement.target_point]
    assert point.open_loop.is_overloaded
    assert point.open_loop.in_flight_slope_interval.low > 0
    assert point.window_s < 9
    assert "overloaded" in kinds(measurement, "invalid")


def trace_of(shape, rate, length_s):
    import tempfile
    from pathlib import Path

    path = Path(tempfile.mkdtemp()) / "trace.csv"
    rows = [f"{i / rate:.4f},16,9" for i in range(round(rate * length_s))]
    path.write_text("at_s,input_tokens,output_tokens\n" + "\n".join(rows) + "\n")
    shape["trace"]["file"] = str(path)
    return {**shape, **FIXED}


def test_a_trace_is_replayed_at_its_own_times_and_speed(measure):
    shape = trace_of({"trace": {"file": "", "arrivals": True, "speed_up": 2}}, 10, 8)
    measurement = measure(*PACE, shape=shape)
    point = measurement.points[measurement.target_point]
    assert point.loop == "open"
    assert point.offered_requests_per_s == pytest.approx(20, rel=0.05)
    assert point.open_loop.sent_requests_per_s == pytest.approx(20, rel=0.05)
    assert point.open_loop.load == pytest.approx(20 / CAPACITY, rel=0.2)


def test_sessions_are_held_at_a_time_and_timed_to_the_final_answer(measure):
    session = {
        "turns": 3, "first_input_tokens": 8, "tool_output_tokens": 4, "answer_tokens": 5,
        "tool_wait_s": 0.1,
    }  # fmt: skip
    means = Scenario.model_validate(scenario("http://127.0.0.1:1")).traffic.shape
    del means
    measurement = measure(*PACE, shape={"session": session, **FIXED}, concurrency=4)
    sessions = measurement.points[0].sessions
    assert sessions.concurrent_asked == 4
    assert sessions.completed > 4
    assert sessions.requests_mean == pytest.approx(3)
    # Three answers of 20 + 4 × 10 ms and two waits of 100 ms.
    assert sessions.job.p50_ms == pytest.approx(3 * 60 + 2 * 100, rel=0.25)
    assert sessions.busy.p50_ms == pytest.approx(3 * 60, rel=0.4)


class Crash(BaseException):
    """What no code of ours expects."""


def crash_at(number):
    def progress(said):
        if said.point == number and said.phase == "window":
            raise Crash

    return progress


def test_a_bench_killed_between_points_goes_on_with_those_it_has(paced, tmp_path):
    with paced(*PACE) as url:
        stated = scenario(url, target=0.5)
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


def test_points_of_another_load_are_measured_again(paced, tmp_path):
    with paced(*PACE) as url:
        with pytest.raises(Crash):
            bench(scenario(url, target=0.5), out_dir=tmp_path, progress=crash_at(2))
        left = read_measurement(tmp_path / "measurement.json").measurement
        other = bench(scenario(url, window_s=1), out_dir=tmp_path, progress=lambda _: None)
    assert other.points[0].started_at > left.points[0].started_at
    assert other.points[0].key_sha256 != left.points[0].key_sha256
    assert len(other.points) == 1


def test_progress_says_point_load_and_time_left(measure):
    said = []
    measure(*PACE, target=0.5, progress=said.append)
    windows = [one for one in said if one.phase == "window"]
    assert {(one.point, one.of_points) for one in windows} == {(1, 2), (2, 2)}
    assert windows[0].load == "8 streams"
    assert windows[-1].load.endswith("requests/s")
    assert all(one.bench_left_s is not None for one in windows)


def test_a_search_that_has_time_for_few_points_says_what_it_left_out(measure):
    slo = {"ttft_p95_ms": 90}
    measurement = measure(*PACE, concurrency=None, slo=slo, window_s=2, max_minutes=0.4)
    assert "search_not_narrow" in kinds(measurement)
    assert len(measurement.points) >= 2


def test_a_finished_measurement_is_not_overwritten(tmp_path):
    from tco.cli.bench import refuse_overwriting

    (tmp_path / "m.json").write_text("{}")
    with pytest.raises(InputError, match="exists already"):
        refuse_overwriting(tmp_path / "m.json", force=False)
