"""Intervals hold the truth as often as they say, in simulated runs that know nothing of us."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from token_streams import FINE, closed_loop, independent, paused, wander, wandering

from tco.measure.interval import across_starts, change_in_order, mean_in_order
from tco.measure.steady import steadiness
from tco.units import NS_PER_S

RUNS = 1000


def verdicts(values):
    """Return the steadiness of each run; a latency is one second."""
    length = values.shape[1] // FINE
    times = ((np.arange(values.shape[1]) + 0.5) / FINE * NS_PER_S).astype(np.int64)
    return [steadiness(times, row, 0, length * NS_PER_S, 1.0) for row in values]


STREAMS = {
    "independent requests": (independent, {}),
    "wandering, memory 0.5": (wandering, {"memory": 0.5}),
    "wandering, memory 1": (wandering, {"memory": 1}),
    "wandering, memory 2": (wandering, {"memory": 2}),
    "wandering, memory 4": (wandering, {"memory": 4}),
    "pauses": (paused, {}),
    "short pauses": (paused, {"busy": 2.0, "pause": 0.2}),
    "closed loop, few streams": (closed_loop, {}),
    "closed loop, like requests": (closed_loop, {"streams": 8, "spread": 0.01}),
    "closed loop, near lengths": (closed_loop, {"streams": 8, "spread": 0.1}),
}


@pytest.mark.parametrize("length", [20, 60])
@pytest.mark.parametrize("name", STREAMS)
def test_the_interval_of_a_rate_holds_the_truth_in_93_of_100_runs(name, length):
    simulate, options = STREAMS[name]
    values, true = simulate(np.random.default_rng(1), RUNS, length, **options)
    found = [verdict.interval for verdict in verdicts(values)]
    intervals = [interval for interval in found if interval is not None]
    assert np.mean([i.low <= true * FINE <= i.high for i in intervals]) >= 0.93
    assert len(intervals) >= (0.85 if length == 20 else 0.99) * RUNS
    # An interval that holds all is none: it is of the size of the true error.
    half = np.median([(i.high - i.low) / 2 for i in intervals]) / (true * FINE)
    error = stats.norm.ppf(0.975) * values.mean(axis=1).std() / true
    assert half < max(0.0011, error * (6 if length == 20 else 2.5))


def test_plain_students_t_would_not_hold_it():
    values, true = wandering(np.random.default_rng(1), RUNS, 60, memory=4)
    batches = values.reshape(RUNS, 30, -1).mean(axis=2)
    half = stats.t.ppf(0.975, 29) * batches.std(axis=1, ddof=1) / 30**0.5
    assert np.mean(np.abs(batches.mean(axis=1) - true) <= half) < 0.75
    mine = [mean_in_order(row) for row in batches]
    assert np.mean([m.low <= true <= m.high for m in mine]) >= 0.93


@pytest.mark.parametrize(("length", "memory"), [(6, 0.25), (20, 0.5), (20, 2), (60, 1), (60, 4)])
@pytest.mark.parametrize("by", [0.02, 0.1])
def test_few_steady_runs_are_called_drifting(length, memory, by):
    values, _ = wandering(np.random.default_rng(2), RUNS, length, memory=memory, by=by)
    assert np.mean([verdict.drifts for verdict in verdicts(values)]) <= 0.09


@pytest.mark.parametrize(
    ("length", "memory", "by", "change", "found"),
    [(20, 0.5, 0.01, 0.05, 0.9), (20, 0.5, 0.02, 0.10, 0.9), (6, 0.25, 0.01, 0.05, 0.75)],
)
def test_a_slow_down_is_found(length, memory, by, change, found):
    random, runs = np.random.default_rng(3), 300
    ramp = change * (np.linspace(0, 1, length * FINE) - 0.5)
    values = 10_000 * (1 + by * wander(random, runs, length, memory) - ramp)
    seen = verdicts(values)
    assert np.mean([verdict.drifts for verdict in seen]) >= found
    assert np.median([verdict.drift_share for verdict in seen]) == pytest.approx(-change, rel=0.1)


def test_across_starts_is_students_t_from_three_starts_on():
    assert across_starts([1.0, 2.0]) is None
    got = across_starts([10.0, 11.0, 12.0])
    assert (got.low, got.high) == pytest.approx(
        stats.t.interval(0.95, 2, 11.0, stats.sem([10, 11, 12]))
    )
    assert got.covers == "across engine starts"
    random = np.random.default_rng(4)
    found = [across_starts(random.normal(5, 1, 3)) for _ in range(RUNS)]
    assert 0.93 <= np.mean([i.low <= 5 <= i.high for i in found]) <= 0.97


values_in_order = st.lists(st.floats(1, 1e6), min_size=6, max_size=40).map(np.array)


@given(values_in_order, st.floats(1e-3, 1e3))
def test_intervals_hold_their_figure_and_scale_with_it(values, factor):
    for estimate in (mean_in_order, change_in_order):
        one, scaled = estimate(values), estimate(values * factor)
        size = np.abs(values).max()
        assert one.low <= one.value + 1e-9 * size
        assert one.value <= one.high + 1e-9 * size
        assert scaled.low == pytest.approx(one.low * factor, abs=1e-6 * size * factor)


def test_too_few_values_in_order_are_refused_and_equal_ones_are_certain():
    with pytest.raises(ValueError, match="needs 6 values"):
        mean_in_order(np.ones(5))
    level = mean_in_order(np.full(10, 3.0))
    assert (level.low, level.value, level.high) == (3.0, 3.0, 3.0)
    rising = change_in_order(np.arange(10.0))
    assert (rising.low, rising.value, rising.high) == pytest.approx((10.0, 10.0, 10.0))
