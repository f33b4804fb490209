"""B by A: what is compared, how sure it is, what is refused and what is said."""

import datetime as dt
from pathlib import Path

import pytest

from tco.errors import InputError
from tco.finding import Finding
from tco.measure.compare_runs import compare_runs
from tco.measurement import (
    ClientHealth,
    EngineFacts,
    Failures,
    HostFacts,
    Interval,
    Latency,
    LoadPoint,
    MeasuredShape,
    Measurement,
    Quantiles,
    Rates,
    ServiceLevel,
    SloTerm,
    TokenCounts,
)
from tco.measurement_file import LoadedMeasurement

NOW = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)


def quantiles(p95):
    return Quantiles(count=200, mean_ms=p95, p50_ms=p95 / 2, p90_ms=None, p95_ms=p95, p99_ms=None,
                     max_ms=p95)  # fmt: skip


def slo(goodput, limit=500):
    term = SloTerm(latency="ttft", quantile=0.95, limit_ms=limit, seen_ms=1, holds=True)
    return ServiceLevel(
        holds=True, terms=(term,), goodput_requests_per_s=goodput, goodput_share=1.0
    )


def point(rate=100.0, *, half=0.01, ttft=200.0, start="s0", streams=8, offered=None, **more):
    interval = Interval(low=rate * (1 - half), high=rate * (1 + half)) if half else None
    rates = Rates(
        requests_per_s=rate / 10, input_tok_per_s=rate, output_tok_per_s=rate,
        total_tok_per_s=2 * rate, output_tok_per_s_interval=interval,
    )  # fmt: skip
    client = ClientHealth(
        send_lag_p50_ms=0, send_lag_p99_ms=0, cpu_s=1, cpu_share=0, events=9, round_trip_ms=1
    )
    counts = dict.fromkeys(TokenCounts.model_fields, 1000)
    stated = {
        "loop": "closed" if offered is None else "open",
        "concurrency_asked": streams if offered is None else None,
        "concurrency_delivered": 8, "offered_requests_per_s": offered, "started_at": NOW,
        "warm_up_s": 1, "window_s": 60, "run_s": 70, "seed": 1, "engine_start_id": start,
        "requests_sent": 100, "requests_in_window": 90, "requests_unfinished": 0, "rates": rates,
        "whole_run_rates": rates, "failures": Failures(count=0, share=0, by_kind={}),
        "latency": Latency(ttft=quantiles(ttft), tpot=None, itl=None, e2e=None),
        "tokens": TokenCounts(**counts), "tokens_per_event_mean": 1,
        "token_count_source": "token_ids", "client": client, "server": None, "power": None,
        "load_average_1m": 0,
    }  # fmt: skip
    return LoadPoint(**{**stated, **more})


def measurement(*points, cpu="x", model="m", shape=(10, 10), cached=0.0, **more):
    facts = EngineFacts(
        name="vLLM", version="1", model=model, model_is_dummy=False, attached=False,
        url="http://127.0.0.1:1", command=None, start_s=None, start_id="s0",
    )  # fmt: skip
    stated = {
        "tool_version": "0", "created_at": NOW, "origin": "measured", "engine": facts,
        "shape": MeasuredShape(
            input_tokens=shape[0], output_tokens=shape[1], cached_input_share=cached
        ),
        "host": HostFacts(system="s", cpu=cpu, cpu_count=2, memory_gib=8, python="3"),
        "points": points, "capacity_point": 0,
    }  # fmt: skip
    return Measurement(**{**stated, **more})


def compared(a, b):
    loaded = [LoadedMeasurement(m, Path(f"{n}.json"), n * 64) for n, m in (("a", a), ("b", b))]
    return compare_runs(*loaded, tool_version="0")


def ratios(a, b):
    return {ratio.figure: ratio for ratio in compared(a, b).ratios}


def kinds(a, b):
    return {finding.kind: finding.severity for finding in compared(a, b).findings}


@pytest.mark.parametrize(("rate", "verdict"), [(110, "better"), (90, "worse"), (101, "undecided")])
def test_a_rate_is_better_or_worse_only_beyond_both_intervals(rate, verdict):
    got = ratios(measurement(point(100)), measurement(point(rate)))["output_tok_per_s"]
    assert got.ratio == pytest.approx(rate / 100)
    assert got.interval.low < got.ratio < got.interval.high
    assert (got.verdict, got.interval.covers) == (verdict, "within one run")


def test_three_starts_on_each_side_decide_latencies_and_goodput_too():
    def side(rate, ttft):
        return measurement(
            *(
                point(rate * f, ttft=ttft * f, start=f"s{i}", service_level=slo(rate * f))
                for i, f in enumerate((1.0, 1.01, 0.99))
            )
        )

    got = ratios(side(100, 200), side(110, 150))
    assert {ratio.interval.covers for ratio in got.values()} == {"across engine starts"}
    assert got["output_tok_per_s"].verdict == "better"
    assert got["goodput_requests_per_s"].verdict == "better"
    assert got["ttft_p95_ms"].verdict == "better"
    assert got["ttft_p95_ms"].ratio == pytest.approx(0.75)
    back = ratios(side(110, 150), side(100, 200))
    assert {ratio.verdict for ratio in back.values()} == {"worse"}
    assert "few_starts" not in kinds(side(100, 200), side(110, 150))


def test_within_one_run_a_latency_is_shown_and_not_decided():
    got = ratios(measurement(point()), measurement(point(ttft=400)))["ttft_p95_ms"]
    assert (got.ratio, got.interval, got.verdict) == (2, None, "undecided")
    assert "engine starts" in got.reason


def test_points_of_one_start_or_another_load_are_no_starts():
    points = [point(start="s0"), point(start="s0"), point(start="s1"), point(start="s2", streams=9)]
    got = compared(measurement(*points), measurement(*points))
    assert got.a.starts == 2
    assert got.ratios[0].interval.covers == "within one run"
    assert got.findings[0].kind == "few_starts"


def test_a_searchs_range_takes_the_place_of_the_interval_of_what_was_offered():
    def side(rate, low, high):
        bracket = Interval(low=low, high=high, level=None, covers="a range")
        return measurement(point(rate, offered=rate / 10), capacity_interval=bracket)

    got = ratios(side(100, 98, 103), side(110, 108, 113))["output_tok_per_s"]
    assert (got.interval.low, got.interval.high) == pytest.approx((108 / 103, 113 / 98))
    assert (got.interval.level, got.verdict) == (None, "better")
    bare = measurement(point(100, offered=10))
    assert ratios(bare, bare)["output_tok_per_s"].interval is None


def test_without_an_interval_there_is_a_reason_and_no_verdict():
    got = ratios(measurement(point(half=0)), measurement(point(300)))["output_tok_per_s"]
    assert (got.interval, got.verdict) == (None, "undecided")
    assert got.reason
    zero = ratios(measurement(point(0, half=0)), measurement(point(1)))["output_tok_per_s"]
    assert zero.ratio is None


@pytest.mark.parametrize(
    ("other", "kind", "severity"),
    [
        (measurement(point(), cpu="y"), "other_host", "warn"),
        (measurement(point(), model="n"), "other_model", "warn"),
        (measurement(point(service_level=slo(1))), "other_service_level", "warn"),
        (measurement(point(streams=9)), "other_load", "info"),
        (measurement(point(), is_complete=False), "unfinished_measurement", "warn"),
        (
            measurement(
                point(),
                findings=(
                    Finding(kind="k", severity="invalid", path="p", message="m", advice="a"),
                ),
            ),
            "invalid_measurement",
            "invalid",
        ),
    ],
)
def test_what_is_different_or_weak_is_said(other, kind, severity):
    plain = measurement(point())
    for pair in ((plain, other), (other, plain)):
        assert kinds(*pair)[kind] == severity
    assert kinds(plain, plain) == {"few_starts": "info"}


def test_latencies_of_other_loads_and_goodputs_of_other_limits_are_left_out():
    assert set(ratios(measurement(point()), measurement(point(streams=9)))) == {"output_tok_per_s"}
    limits = [measurement(point(service_level=slo(1, limit))) for limit in (500, 400)]
    assert "goodput_requests_per_s" not in ratios(*limits)
    assert "goodput_requests_per_s" in ratios(limits[0], limits[0])


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (measurement(point(), shape=(11, 10)), "11 input tokens where a.json has 10"),
        (measurement(point(), shape=(10, 9)), "9 output tokens"),
        (measurement(point(), cached=0.5), "a cached share of 0.5"),
        (measurement(point(), capacity_point=None), "no load points"),
    ],
)
def test_other_requests_are_refused(other, said):
    with pytest.raises(InputError, match=said) as caught:
        compared(measurement(point()), other)
    assert caught.value.file == "b.json"
    assert caught.value.remedy


def test_loads_that_an_import_does_not_tell_are_not_taken_for_the_same():
    untold = measurement(point(streams=None))
    found = compared(untold, untold)
    assert found.a.load == "a load that is not told"
    assert [ratio.figure for ratio in found.ratios] == ["output_tok_per_s"]
    assert "other_load" in [finding.kind for finding in found.findings]
    assert compared(measurement(point(streams=1)), untold).a.load == "1 stream"
