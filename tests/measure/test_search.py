"""The search finds the known capacity of a simulated server, with few points."""

import math
from dataclasses import replace

import pytest
from simulated_server import Bench, Engine

from tco.measure.search import Found, Rules, Stop, found, next_load
from tco.measure.search_bracket import bracket_of
from tco.measure.tried import Load, Tried

SEEDS = range(4)
LEVELS = {
    "each token slower": (Engine(), {("tpot", 0.95): 0.030}),
    "a queue before": (Engine(most_running=64), {("ttft", 0.95): 0.5}),
    "whole answers": (Engine(slope_s=0.0003, output=60), {("e2e", 0.95): 2.5}),
    "the first of two": (
        Engine(gap_s=0.01, slope_s=0.0002, most_running=128),
        {("ttft", 0.95): 1.0, ("tpot", 0.95): 0.025},
    ),
}


def searched(bench, **given):
    rules, tried = Rules(has_slo=bool(bench.slo), **given), []
    while not isinstance(step := next_load(tried, rules), Stop):
        tried.append(bench.hold(step, len(tried)))
        assert len(tried) < 40
    return tried, step.reason, found(tried, rules)


def rate_of(engine, streams):
    return streams / (engine.prefill_s + engine.output / engine.pace(streams))


def grid_points(engine):
    """Points of a grid of rates 5 % apart, from the search's lightest load to saturation."""
    span = rate_of(engine, engine.most_running) / rate_of(engine, 8)
    return math.log(span) / math.log(1.05)


@pytest.mark.parametrize(("name", "spread"), [*((n, 0.0) for n in LEVELS), ("a queue before", 0.4)])
def test_capacity_at_a_service_level_within_5_percent_in_a_third_of_a_grid(name, spread):
    engine, slo = LEVELS[name]
    bench = Bench(engine, slo, window_s=120, warm_up_s=25, spread=spread)
    truth = bench.capacity(rate_of(engine, 1), 1.2 * rate_of(engine, engine.most_running))
    errors, points = [], []
    for seed in SEEDS:
        tried, reason, result = searched(replace(bench, seed=seed))
        assert reason == "found"
        assert result.high <= result.low * 1.05
        assert tried[result.index].keeps
        points.append(len(tried))
        errors.append(abs((result.low * result.high) ** 0.5 / truth - 1))
    # Near the limit one window's verdict is chance, and so is the last step of a search.
    assert sorted(errors)[len(errors) // 2 - 1] < 0.05
    assert max(errors) < 0.1
    assert sum(points) / len(points) <= grid_points(engine) / 3


@pytest.mark.parametrize("seed", SEEDS)
def test_points_with_unlucky_latencies_do_not_lead_it_far_off(seed):
    engine, slo = LEVELS["each token slower"]
    bench = Bench(engine, slo, window_s=120, warm_up_s=25, seed=seed, hiccups=0.1)
    tried, _, result = searched(bench)
    assert result.low == pytest.approx(27.7, rel=0.12)
    assert len(tried) <= grid_points(engine) / 3


def test_a_level_that_saturation_alone_breaks_ends_at_the_saturated_rate():
    engine = Engine(most_running=64)
    bench = Bench(engine, {("ttft", 0.95): 50.0}, window_s=120, warm_up_s=25)
    _, reason, result = searched(bench)
    assert reason == "found"
    assert result.low == pytest.approx(rate_of(engine, 64), rel=0.06)


def test_without_a_level_the_best_closed_loop_is_the_capacity():
    engine = Engine(most_running=100)
    tried, reason, result = searched(Bench(engine, {}))
    best = tried[result.index]
    assert reason == "found"
    assert not best.load.is_open
    assert best.requests_per_s == pytest.approx(rate_of(engine, 100), rel=0.03)
    assert len(tried) <= 8
    assert result == Found(result.index, None, None, keeps=True)


def test_a_level_no_load_keeps_is_said_after_the_lightest():
    tried, reason, result = searched(Bench(Engine(), {("tpot", 0.95): 0.001}))
    assert (reason, result.keeps) == ("kept_nowhere", False)
    assert [one.load.streams for one in tried] == [8, 1]


def test_the_curve_ends_at_its_bound():
    tried, reason, result = searched(Bench(Engine(most_running=1000), {}), most_streams=32)
    assert reason == "at_bound"
    assert [one.load.streams for one in tried] == [8, 16, 32]
    assert result.index == 2


def closed(streams, rate, noise=None):
    return Tried(Load(streams=streams), rate, noise_share=noise)


def test_one_load_without_gain_ends_the_curve_only_where_the_noise_is_known():
    rules = Rules(has_slo=False)
    unknown = [closed(8, 26.0), closed(16, 60.0), closed(32, 57.0)]
    assert next_load(unknown, rules) == Load(streams=64)
    assert next_load([*unknown, closed(64, 120.0)], rules) == Load(streams=128)
    assert next_load([*unknown, closed(64, 58.0)], rules) == Load(streams=23)
    known = [closed(8, 26.0, 0.01), closed(16, 60.0, 0.01), closed(32, 57.0, 0.01)]
    assert next_load(known, rules) == Load(streams=23)


def test_few_points_are_kept_for_the_open_loop():
    engine, slo = LEVELS["a queue before"]
    bench, tried = Bench(engine, slo), []
    for left in range(4, -1, -1):
        step = next_load(tried, Rules(has_slo=True, points_left=left))
        if isinstance(step, Stop):
            break
        tried.append(bench.hold(step, len(tried)))
    assert step == Stop("out_of_points")
    assert [one.load.is_open for one in tried] == [False, True, True, True]


def test_with_little_time_the_lightest_load_is_still_held_where_none_kept_the_level():
    broke = Tried(Load(streams=8), 5.0, keeps=False)
    assert next_load([broke], Rules(has_slo=True, points_left=1)) == Load(streams=1)
    assert next_load([broke], Rules(has_slo=True, points_left=0)) == Stop("out_of_points")


def test_where_no_open_loop_kept_the_level_a_closed_one_that_did_stands_for_it():
    curve = [
        Tried(Load(streams=n), rate, keeps=keeps)
        for n, rate, keeps in ((8, 30.0, True), (16, 50.0, True), (32, 60.0, False))
    ]
    rules = Rules(has_slo=True)
    assert found([*curve, failed(52.0)], rules) == Found(1, None, 52.0, keeps=True)
    assert found([*curve, failed(52.0), failed(45.0)], rules) == Found(0, None, 45.0, keeps=True)
    assert found([*curve, failed(20.0)], rules) == Found(3, None, 20.0, keeps=False)


def test_the_same_points_give_the_same_next_load():
    engine, slo = LEVELS["whole answers"]
    tried, _, _ = searched(Bench(engine, slo))
    for count, one in enumerate(tried):
        assert next_load(tried[:count], Rules(has_slo=True)) == one.load


def passed(rate, strain=None):
    return Tried(Load(requests_per_s=rate), rate, keeps=True, strain=strain)


def failed(rate, strain=None):
    return Tried(Load(requests_per_s=rate), rate, keeps=False, strain=strain)


def test_a_rate_that_passed_above_one_that_failed_is_no_evidence():
    opened = [passed(10), failed(12), passed(13), failed(14)]
    assert bracket_of(opened) == (10, 12)


def test_a_rate_measured_again_counts_by_its_last_verdict():
    assert bracket_of([passed(10), failed(12), passed(12)]) == (12, None)


def test_a_failure_far_beyond_its_neighbour_is_measured_once_more():
    curve = [Tried(Load(streams=8), 20.0, keeps=True)]
    opened = [passed(10.0, 0.7), failed(10.4, 1.4)]
    assert next_load([*curve, *opened], Rules(has_slo=True)) == opened[1].load
    again = [*curve, *opened, failed(10.4, 1.3)]
    assert next_load(again, Rules(has_slo=True)) == Stop("found")


def test_a_verdict_that_cannot_be_told_ends_it():
    curve = [Tried(Load(streams=8), 20.0, keeps=True)]
    assert next_load([*curve, Tried(Load(requests_per_s=19.0), 19.0)], Rules(has_slo=True)) == Stop(
        "undecided"
    )


def test_a_lower_end_that_turns_out_to_be_chance_is_left_by_a_small_step():
    def opened(rate, *, keeps, strain):
        return Tried(Load(requests_per_s=rate), rate, keeps=keeps, strain=strain)

    tried = [
        Tried(Load(streams=16), 33.2, keeps=True, strain=0.26),
        Tried(Load(streams=32), 33.4, keeps=False, strain=1.46),
        opened(31.75, keeps=True, strain=0.68),
        opened(35.0, keeps=False, strain=1.23),
        opened(33.5, keeps=False, strain=1.4),
        opened(32.5, keeps=False, strain=1.03),
        opened(31.75, keeps=False, strain=1.01),
    ]
    step = next_load(tried, Rules(has_slo=True))
    assert 0.9 * 31.75 < step.requests_per_s < 31.75
