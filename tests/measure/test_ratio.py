"""The interval of a ratio holds the true ratio as often as it says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from token_streams import FINE, wandering

from tco.measure.interval import ACROSS, LEVEL
from tco.measure.ratio import Ranged, ratio_of_ranged, ratio_of_starts
from tco.measure.steady import steadiness
from tco.measurement import Interval
from tco.units import NS_PER_S

RUNS = 500


def ranged(value, low, high, level=LEVEL, covers="within one run"):
    return Ranged(value, Interval(low=low, high=high, level=level, covers=covers))


def measured(values):
    times = ((np.arange(len(values)) + 0.5) / FINE * NS_PER_S).astype(np.int64)
    length = len(values) // FINE
    interval = steadiness(times, values, 0, length * NS_PER_S, 1.0).interval
    return interval and Ranged(values.sum() / length, interval)


@pytest.mark.parametrize(("length", "memory"), [(20, 0.5), (20, 2), (60, 1), (60, 4)])
def test_of_two_runs_it_holds_the_truth_in_93_of_100_pairs(length, memory):
    random, true = np.random.default_rng(5), 1.1
    a, _ = wandering(random, RUNS, length, memory=memory)
    b, _ = wandering(random, RUNS, length, memory=memory, by=0.05)
    pairs = ((measured(x), measured(true * y)) for x, y in zip(a, b, strict=True))
    found = [ratio_of_ranged(*pair) for pair in pairs if None not in pair]
    known = [interval for interval in found if interval is not None]
    assert np.mean([i.low <= true <= i.high for i in known]) >= 0.93
    assert len(known) >= 0.8 * RUNS


@pytest.mark.parametrize(("starts_a", "starts_b", "spread_b"), [(3, 3, 1), (3, 6, 4), (5, 3, 0.3)])
def test_across_starts_it_holds_the_truth_in_93_of_100_pairs(starts_a, starts_b, spread_b):
    random, true, held = np.random.default_rng(6), 0.9, 0
    for _ in range(RUNS):
        a = 100 * np.exp(random.normal(0, 0.02, starts_a))
        b = true * 100 * np.exp(random.normal(0, 0.02 * spread_b, starts_b))
        got = ratio_of_starts(a, b)
        held += got.low <= true <= got.high
    assert 0.93 <= held / RUNS <= 0.99


def test_two_sides_alike_in_width_widen_by_the_root_of_two():
    got = ratio_of_ranged(ranged(100, 100 / 1.01, 101), ranged(200, 200 / 1.01, 202))
    assert np.log([got.low, got.high]) == pytest.approx(
        np.log(2) + np.log(1.01) * np.sqrt(2) * np.array([-1, 1])
    )
    assert (got.level, got.covers) == (0.95, "within one run")


def test_ranges_give_a_range_from_end_to_end_and_no_level():
    got = ratio_of_ranged(ranged(100, 95, 105, level=None, covers="a range"), ranged(100, 90, 110))
    assert (got.low, got.high) == pytest.approx((90 / 105, 110 / 95))
    assert got.level is None
    assert got.covers == "A: a range; B: within one run"


def test_what_may_be_zero_has_no_ratio():
    assert ratio_of_ranged(ranged(100, 0, 200), ranged(100, 99, 101)) is None
    assert ratio_of_ranged(ranged(100, 99, 101), ranged(100, 1e-300, 101)) is None
    assert ratio_of_starts([1.0, 0.0, 2.0], [1.0, 1.0, 1.0]) is None
    assert ratio_of_starts([1.0, 2.0], [1.0, 2.0, 3.0]) is None


def test_equal_starts_are_certain():
    got = ratio_of_starts([4.0] * 3, [5.0] * 3)
    assert (got.low, got.high, got.covers) == (pytest.approx(1.25), pytest.approx(1.25), ACROSS)


figures = st.floats(1, 1e6)
widths = st.floats(1.0001, 3)


@given(figures, figures, widths, widths)
def test_the_other_way_round_is_one_over_it(a, b, width_a, width_b):
    one, other = ranged(a, a / width_a, a * width_a), ranged(b, b / width_b, b * width_b)
    there, back = ratio_of_ranged(one, other), ratio_of_ranged(other, one)
    assert there.low == pytest.approx(1 / back.high)
    assert there.high == pytest.approx(1 / back.low)
    assert there.low < b / a < there.high
