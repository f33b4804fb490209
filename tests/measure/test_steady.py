"""Steady rates, batch means, quantiles and the server's counters."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

from tco.measure.findings import few_batches
from tco.measure.interval import mean_in_order
from tco.measure.steady import batch_rates, is_stable, steadiness
from tco.measure.telemetry import growth, parse_metrics, server_load
from tco.quantiles import needed, quantiles_of
from tco.units import NS_PER_S

PAGE = (Path(__file__).parent.parent / "data" / "vllm_metrics.txt").read_text(encoding="utf-8")


def arrivals(rate, seconds=60, seed=1, slope=0.0):
    random = np.random.default_rng(seed)
    times = np.sort(random.uniform(0, seconds, int(rate * seconds)))
    kept = random.random(len(times)) < (1 + slope * (times / seconds - 0.5)) / (1 + abs(slope))
    return (times[kept] * NS_PER_S).astype(np.int64)


def test_batches_are_of_twice_the_latency_and_at_most_thirty():
    times = arrivals(50)
    for latency_s, batches in ((2.0, 15), (0.1, 30)):
        got = steadiness(times, np.ones_like(times), 0, 60 * NS_PER_S, latency_s)
        rates = batch_rates(times, np.ones_like(times), 0, 60 * NS_PER_S, batches)
        assert got.batches == batches
        mean = mean_in_order(rates)
        assert (got.interval.low, got.interval.high) == (mean.low, mean.high)


def test_batches_below_ten_give_no_interval():
    times = arrivals(50)
    got = steadiness(times, np.ones_like(times), 0, 60 * NS_PER_S, 3.1)
    assert (got.interval, got.batches) == (None, 9)


def test_an_interval_is_never_below_the_resolution_nor_a_rate_below_zero():
    level = np.arange(0, 60, 0.01)
    times = (level * NS_PER_S).astype(np.int64)
    got = steadiness(times, np.ones_like(times), 0, 60 * NS_PER_S, 1.0).interval
    assert (got.low, got.high) == (pytest.approx(99.9), pytest.approx(100.1))
    bursts = times[level % 20 < 10]
    assert steadiness(bursts, np.ones_like(bursts), 0, 60 * NS_PER_S, 1.0).interval.low == 0


def test_an_interval_that_says_nothing_is_none_though_there_are_batches_enough():
    random = np.random.default_rng(1)
    wander = np.exp(np.cumsum(random.normal(0, 0.3, 600)))
    times = ((np.arange(600) + 0.5) * 0.1 * NS_PER_S).astype(np.int64)
    got = steadiness(times, wander, 0, 60 * NS_PER_S, 3.0)
    assert (got.interval, got.batches) == (None, 10)
    assert "wander too slowly" in few_batches(got).message


def test_a_drift_beyond_chance_is_seen_and_noise_is_not():
    drifting, level = arrivals(200, slope=0.5), arrivals(200)
    seen = steadiness(drifting, np.ones_like(drifting), 0, 60 * NS_PER_S, 2.0)
    assert seen.drifts
    assert seen.drift_share == pytest.approx(0.5, abs=0.1)
    assert not steadiness(level, np.ones_like(level), 0, 60 * NS_PER_S, 2.0).drifts


def test_a_rate_is_stable_when_two_spans_agree():
    level = [(t, 100.0 * t) for t in range(11)]
    assert is_stable(level, 5)
    assert not is_stable(level, 6)
    assert not is_stable([(t, 100.0 * t * t) for t in range(11)], 5)
    assert not is_stable([], 1)
    assert not is_stable([(t, 0.0) for t in range(11)], 5)


def test_a_quantile_needs_five_values_beyond_it():
    assert [needed(q) for q in (0.5, 0.9, 0.95, 0.99)] == [10, 50, 100, 500]
    got = quantiles_of(np.arange(1.0, 101.0))
    assert got.p95_ms == pytest.approx(np.quantile(np.arange(1.0, 101.0), 0.95))
    assert got.p99_ms is None
    assert quantiles_of(np.arange(99.0)).p95_ms is None
    assert quantiles_of(np.array([])) is None


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.99])
def test_enough_values_hold_the_true_quantile_between_them_and_half_as_many_may_not(share):
    random = np.random.default_rng(7)
    true = np.exp(norm.ppf(share))

    def beyond(count):
        """Say how often all values of a sample lie on one side of the true quantile."""
        values = random.lognormal(size=(20_000, count))
        return np.mean((values.max(axis=1) < true) | (values.min(axis=1) > true))

    # A 95 % interval of order statistics leaves out 2.5 % on either side.
    assert beyond(needed(share)) < 0.01
    assert beyond(needed(share) // 2) > 0.025


def test_a_page_of_vllm_gives_counters_and_gauges():
    sample = parse_metrics(PAGE, 7)
    assert sample.output_tokens == 37205
    assert sample.input_tokens == 41093
    assert sample.cached_tokens == 8192
    assert sample.preemptions == 0
    assert sample.running is not None
    assert 0 <= sample.kv_cache_usage <= 1


def test_absent_or_broken_metrics_are_not_known_rather_than_zero():
    for text in ("", "nothing here", "vllm:generation_tokens_total{ 7"):
        sample = parse_metrics(text, 7)
        assert sample.output_tokens is None
        assert sample.running is None
    assert server_load([parse_metrics("", 5)], 0, 10) is None


def test_the_servers_rate_is_its_counter_over_the_samples_inside_the_window():
    def at(second, tokens, hits):
        text = (
            f"vllm:generation_tokens_total {tokens}\nvllm:prefix_cache_hits_total {hits}\n"
            f"vllm:prefix_cache_queries_total {hits * 4}\nvllm:num_requests_running {second}\n"
        )
        return parse_metrics(text, second * NS_PER_S)

    samples = [at(0, 0, 0), at(1, 10, 10), at(3, 50, 30), at(9, 99, 99)]
    load = server_load(samples, NS_PER_S, 4 * NS_PER_S)
    assert (load.samples, load.output_tok_per_s, load.running_mean) == (2, 20, 2)
    assert load.prefix_cache_hit_share == pytest.approx(0.25)
    assert growth(samples[1], samples[0], "output_tokens") is None
