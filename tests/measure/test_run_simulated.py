"""Whole benches on a simulated server, in no real time: search, repeats, resume, the target."""

import contextlib
import itertools

import pytest
from simulated_server import Bench, Engine

from tco.measure.engine_handle import EngineHandle
from tco.measure.request import RequestForm
from tco.measure.run import bench
from tco.measurement import EngineFacts, OpenLoop, ServiceLevel, SloTerm
from tco.measurement_file import read_measurement
from tco.scenario import Scenario

ENGINE = Engine(most_running=64)
OUTPUT = ENGINE.output
LIMIT_MS = 500.0
SATURATED = 64 / (ENGINE.prefill_s + OUTPUT / ENGINE.pace(64))  # requests/s


def scenario(*, concurrency=None, slo=True, target=1.0, **times):
    engine = {"launch": {"model": "m"}}
    if concurrency:
        engine["concurrency"] = concurrency
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "simulated",
            "traffic": {
                "shape": {"input_tokens": 8, "output_tokens": OUTPUT},
                "target_utilisation": target,
            },
            "slo": {"ttft_p95_ms": LIMIT_MS} if slo else {},
            "engine": engine,
            "bench": {"window_s": 60, "max_minutes": 60, **times},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


class Crash(BaseException):
    """What no code of ours expects."""


@pytest.fixture
def simulated(monkeypatch, make_point, tmp_path):
    """Return a bench whose points are simulated, and the list of those that were measured."""
    measured, starts = [], itertools.count(1)

    def measure_point(bed, asked):
        if asked.number == simulated_bench.crash_at:
            raise Crash
        server = Bench(ENGINE, {("ttft", 0.95): LIMIT_MS / 1000}, window_s=60, warm_up_s=20)
        tried = server.hold(asked.load, asked.number)
        measured.append(asked)
        (bed.raw / f"point-{asked.number}").mkdir(exist_ok=True)
        (bed.raw / f"point-{asked.number}" / "point.json").touch()
        return made(bed, asked, tried)

    def made(bed, asked, tried):
        rate = tried.requests_per_s
        tokens = {"requests_per_s": rate, "input_tok_per_s": rate * 8}
        tokens |= {"output_tok_per_s": rate * OUTPUT, "total_tok_per_s": rate * (8 + OUTPUT)}
        seen = LIMIT_MS * tried.strain if tried.strain is not None else 9 * LIMIT_MS
        term = SloTerm(
            latency="ttft", quantile=0.95, limit_ms=LIMIT_MS, seen_ms=min(seen, 1e9),
            holds=tried.keeps,
        )  # fmt: skip
        level = ServiceLevel(
            holds=tried.keeps, terms=(term,), goodput_requests_per_s=rate, goodput_share=1.0
        )
        return make_point(
            purpose=asked.purpose,
            loop="open" if asked.load.is_open else "closed",
            concurrency_asked=asked.load.streams,
            offered_requests_per_s=asked.load.requests_per_s,
            window_s=asked.limits.window_s,
            rates=tokens,
            engine_start_id=bed.handle.facts.start_id,
            service_level=level.model_dump() if bed.plan.slo else None,
            open_loop=OpenLoop(
                offered_requests_per_s=rate,
                sent_requests_per_s=rate,
                in_flight_slope_per_s=0.0,
                in_flight_slope_interval=None,
                is_overloaded=tried.strain is None,
                load=rate / asked.capacity_requests_per_s
                if asked.capacity_requests_per_s
                else None,
            ).model_dump()
            if asked.load.is_open
            else None,
            key_sha256=asked.key_sha256,
        )

    @contextlib.contextmanager
    def engine(_, **__):
        facts = EngineFacts(
            name="vllm", version="1", model="m", model_is_dummy=False, attached=False,
            url="http://127.0.0.1:1", command=None, start_s=1.0, start_id=f"start-{next(starts)}",
        )  # fmt: skip
        yield EngineHandle("http://127.0.0.1:1", "m", None, facts, None, None, 1, (), lambda: True)

    form = RequestForm("/v1/completions", {}, True, "token_ids", (0, 9), ())  # noqa: FBT003
    monkeypatch.setattr("tco.measure.points.measure_point", measure_point)
    monkeypatch.setattr("tco.measure.run.find_form", lambda _: form)
    monkeypatch.setattr("tco.measure.run.open_recorders", lambda *_: ())

    def simulated_bench(stated, **given):
        return bench(stated, out_dir=tmp_path, progress=lambda _: None, engine=engine, **given)

    simulated_bench.crash_at = None
    return simulated_bench, measured


def kinds(measurement, severity=None):
    found = measurement.all_findings()
    return {f.kind for f in found if severity in (None, f.severity)}


def test_with_a_level_the_capacity_is_the_highest_open_rate_that_keeps_it(simulated):
    run, measured = simulated
    found = run(scenario())
    capacity = found.points[found.capacity_point]
    assert capacity.purpose == "search"
    assert capacity.service_level.holds
    assert capacity.offered_requests_per_s == pytest.approx(0.87 * SATURATED, rel=0.1)
    assert found.target_point == found.capacity_point
    assert found.capacity_interval.high <= 1.051 * found.capacity_interval.low
    assert found.capacity_interval.low == pytest.approx(
        capacity.offered_requests_per_s * OUTPUT, rel=1e-3
    )
    assert len(measured) <= 14
    assert not kinds(found, "invalid")


def test_without_a_level_it_is_the_fastest_closed_loop_and_the_target_an_open_one(simulated):
    run, _ = simulated
    found = run(scenario(slo=False, target=0.8))
    capacity, target = found.points[found.capacity_point], found.points[found.target_point]
    assert capacity.loop == "closed"
    assert capacity.rates.requests_per_s == pytest.approx(SATURATED, rel=0.05)
    assert found.capacity_interval is None
    assert (target.purpose, target.loop) == ("target", "open")
    assert target.open_loop.load == pytest.approx(0.8, rel=1e-3)


def test_a_saturated_capacity_is_its_own_target_near_full_load(simulated):
    run, measured = simulated
    found = run(scenario(slo=False, concurrency=64, target=0.97))
    assert (found.capacity_point, found.target_point, len(measured)) == (0, 0, 1)


def test_each_repeat_is_a_start_of_the_engine_and_three_give_an_interval_across(simulated):
    run, _ = simulated
    found = run(scenario(slo=False, concurrency=64, repeats=3))
    assert [point.engine_start_id for point in found.points] == ["start-1", "start-2", "start-3"]
    rates = sorted(point.rates.output_tok_per_s for point in found.points)
    assert found.capacity().output_tok_per_s == rates[1]
    assert "start" in found.capacity_interval.covers
    assert found.capacity_interval.low <= rates[1] <= found.capacity_interval.high
    two = run(scenario(slo=False, concurrency=64, repeats=2), is_fresh=True)
    assert two.capacity_interval is None


def test_a_search_killed_halfway_goes_on_with_its_points(simulated, tmp_path):
    run, measured = simulated
    whole = run(scenario(target=0.7))
    loads = [asked.load for asked in measured]
    for crash_at in (1, 4, len(loads) - 1):
        measured.clear()
        run.crash_at = crash_at
        with pytest.raises(Crash):
            run(scenario(target=0.7), is_fresh=True)
        left = read_measurement(tmp_path / "measurement.json").measurement
        assert (len(left.points), left.is_complete) == (crash_at, False)
        assert "unfinished" in kinds(left, "invalid")
        run.crash_at = None
        again = run(scenario(target=0.7))
        assert [asked.load for asked in measured] == loads
        assert again.is_complete
        assert [p.rates for p in again.points] == [p.rates for p in whole.points]
        assert {p.engine_start_id for p in again.points[:crash_at]} != {
            again.points[-1].engine_start_id
        }


def test_with_another_service_level_nothing_is_taken_up(simulated):
    run, measured = simulated
    run.crash_at = 3
    with pytest.raises(Crash):
        run(scenario())
    run.crash_at, count = None, len(measured)
    run(scenario(slo=False))
    assert measured[count].number == 0


@pytest.mark.parametrize("minutes", [3.1, 6, 9])
def test_a_search_without_time_for_it_says_so(simulated, monkeypatch, minutes):
    run, measured = simulated
    clock = itertools.count(0, 40)  # read three times a point, which so takes 80 s
    monkeypatch.setattr("tco.measure.points.time.monotonic", lambda: next(clock))
    found = run(scenario(max_minutes=minutes))
    assert "search_not_narrow" in kinds(found)
    assert 1 <= len(measured) <= minutes * 60 / 80


def test_what_is_taken_up_has_used_its_time(simulated, monkeypatch):
    run, _ = simulated
    clock = itertools.count(0, 45)  # as above: a point takes the 90 s that it says its run took
    monkeypatch.setattr("tco.measure.points.time.monotonic", lambda: next(clock))
    whole = run(scenario(max_minutes=9))
    run.crash_at = 3
    with pytest.raises(Crash):
        run(scenario(max_minutes=9), is_fresh=True)
    run.crash_at = None
    again = run(scenario(max_minutes=9))
    assert "search_not_narrow" in kinds(again)
    assert [p.rates for p in again.points] == [p.rates for p in whole.points]


def test_a_stated_concurrency_that_breaks_the_level_is_invalid(simulated):
    run, _ = simulated
    found = run(scenario(concurrency=256))
    assert "slo_not_kept" in kinds(found, "invalid")
