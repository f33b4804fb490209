"""Energy of a span: exact for constant power, additive over parts, honest over gaps and resets."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tco.measure.power.series import Series
from tco.units import NS_PER_S

STEPS_S = st.lists(st.floats(0.05, 30), min_size=1, max_size=40)
WATTS = st.floats(0, 5000)


def series(times_s, values, kind="power", wraps_at_j=None):
    times_ns = np.array([round(t * NS_PER_S) for t in times_s], dtype=np.int64)
    return Series(times_ns, np.array(values, dtype=float), kind, wraps_at_j)


def ns(time_s):
    return round(time_s * NS_PER_S)


def times_of(steps_s):
    return np.concatenate([[0.0], np.cumsum(steps_s)])


@given(
    STEPS_S,
    WATTS,
    st.floats(-0.5, 1.5),
    st.floats(-0.5, 1.5),
    st.sampled_from(["power", "counter"]),
)
def test_constant_power_gives_power_times_time_also_beyond_the_readings(steps_s, watts, a, b, kind):
    times_s = times_of(steps_s)
    start_s, stop_s = sorted((a * times_s[-1], b * times_s[-1]))
    values = np.full(len(times_s), watts) if kind == "power" else watts * times_s
    energy_j = series(times_s, values, kind).energy_j(ns(start_s), ns(stop_s))
    assert energy_j == pytest.approx(watts * (stop_s - start_s), rel=1e-6, abs=1e-4)


@given(st.data(), STEPS_S, st.sampled_from(["power", "counter"]))
def test_the_parts_of_a_span_add_up(data, steps_s, kind):
    times_s = times_of(steps_s)
    values = data.draw(st.lists(WATTS, min_size=len(times_s), max_size=len(times_s)))
    values = np.cumsum(values) if kind == "counter" else values
    cuts = sorted(data.draw(st.lists(st.floats(-0.2, 1.2), min_size=3, max_size=3)))
    start, middle, stop = (ns(cut * times_s[-1]) for cut in cuts)
    one = series(times_s, values, kind)
    parts_j = one.energy_j(start, middle) + one.energy_j(middle, stop)
    assert one.energy_j(start, stop) == pytest.approx(parts_j, rel=1e-9, abs=1e-6)


@given(st.data(), STEPS_S)
def test_energy_lies_between_the_lowest_and_the_highest_power(data, steps_s):
    times_s = times_of(steps_s)
    watts = data.draw(st.lists(WATTS, min_size=len(times_s), max_size=len(times_s)))
    start, stop = ns(0.1 * times_s[-1]), ns(0.9 * times_s[-1])
    assume(stop > start)
    mean_w = series(times_s, watts).energy_j(start, stop) / ((stop - start) / NS_PER_S)
    assert min(watts) - 1e-6 <= mean_w <= max(watts) + 1e-6


def test_trapezoids_of_a_ramp_are_its_area():
    ramp = series([0, 10, 20], [0, 100, 0])
    assert ramp.energy_j(0, ns(20)) == pytest.approx(1000)
    assert ramp.energy_j(ns(5), ns(10)) == pytest.approx((50 + 100) / 2 * 5)


def test_a_counter_that_wraps_counts_on():
    wrapped = series([0, 1, 2, 3], [240, 255, 8, 23], "counter", wraps_at_j=262)
    assert wrapped.energy_j(0, ns(3)) == pytest.approx(15 + 15 + 15)
    assert not wrapped.was_reset(0, ns(3))


def test_a_counter_that_falls_without_wrapping_was_reset_in_the_spans_that_hold_the_fall():
    fallen = series([0, 1, 2, 3, 4], [900, 950, 10, 60, 110], "counter")
    assert fallen.was_reset(0, ns(4))
    assert fallen.was_reset(ns(1.5), ns(4))
    assert not fallen.was_reset(ns(2), ns(4))
    assert not fallen.was_reset(0, ns(1))
    assert not series([0, 1, 2], [900, 10, 900]).was_reset(0, ns(2))


def test_a_gap_of_watts_is_unseen_and_one_of_a_counter_only_over_an_edge():
    times_s = [0, 1, 2, 3, 13, 14, 15]
    watts = series(times_s, [100] * 7)
    counter = series(times_s, [100 * t for t in times_s], "counter")
    assert watts.unseen_s(ns(1), ns(14)) == pytest.approx(10)
    assert counter.unseen_s(ns(1), ns(14)) == 0
    assert watts.unseen_s(ns(8), ns(15)) == counter.unseen_s(ns(8), ns(15)) == pytest.approx(5)


def test_readings_reach_one_and_a_half_steps_beyond_their_ends():
    one = series([10, 11, 12, 13], [1, 1, 1, 1])
    assert one.reaches(ns(8.5), ns(14.5))
    assert not one.reaches(ns(8.4), ns(13))
    assert not one.reaches(ns(10), ns(14.6))
