"""What is expected of settings not tried: by those that were."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.tune.search.domain import Domain
from tco.tune.search.surrogate import Surrogate, chance_to_work, expected_gain

DOMAIN = Domain({"a": tuple(range(11)), "b": ("x", "y")}, lambda _: True)
MEANS = st.floats(-20, 20)


def fitted(values, error=0.001):
    """Return the model of values by place."""
    errors = np.full(len(values), error)
    return Surrogate(DOMAIN, list(values), np.array(list(values.values())), errors)


def test_what_was_measured_well_is_predicted_as_it_was():
    values = {(a, b): 0.1 * a + 0.3 * b for a in (0, 5, 10) for b in (0, 1)}
    mean, deviation = fitted(values).predict(list(values))
    assert mean == pytest.approx(list(values.values()), abs=0.01)
    assert deviation.max() < 0.02


def test_between_two_places_lies_what_lies_between_their_values():
    mean, _ = fitted({(0, 0): 0.0, (4, 0): 0.4, (10, 0): 1.0}).predict([(2, 0), (7, 0)])
    assert 0.05 < mean[0] < 0.35
    assert 0.45 < mean[1] < 0.95


def test_it_is_less_sure_far_from_what_was_measured():
    values = {(0, 0): 0.0, (1, 0): 0.3, (2, 0): 0.1}
    _, deviation = fitted(values).predict([(1, 0), (4, 0), (10, 0), (10, 1)])
    assert list(deviation) == sorted(deviation)
    assert deviation[0] < 0.1 * deviation[-1]


def test_a_noisy_value_is_drawn_to_its_neighbours():
    values = {(a, 0): 0.0 for a in range(11)} | {(5, 0): 1.0}
    sharp, _ = fitted(values).predict([(5, 0)])
    dull, _ = fitted(values, error=1.0).predict([(5, 0)])
    assert dull[0] < 0.5 < sharp[0]


@settings(max_examples=20)
@given(MEANS, st.floats(0.01, 1e3))
def test_shift_and_scale_of_the_values_are_those_of_the_prediction(shift, scale):
    values = {(0, 0): 0.0, (3, 1): 0.7, (8, 0): 0.2, (10, 1): 1.0}
    places = [(5, 0), (5, 1), (9, 0)]
    mean, deviation = fitted(values).predict(places)
    moved = {place: value * scale + shift for place, value in values.items()}
    other, spread = fitted(moved, error=0.001 * scale).predict(places)
    assert other == pytest.approx(mean * scale + shift, rel=1e-2, abs=1e-2 * scale)
    assert spread == pytest.approx(deviation * scale, rel=5e-2)


@pytest.mark.parametrize("values", [{(3, 0): 1.5}, {(3, 0): 1.5, (7, 1): 1.5}])
def test_one_value_or_equal_ones_are_expected_everywhere(values):
    mean, deviation = fitted(values).predict([(0, 0), (10, 1)])
    assert mean == pytest.approx(1.5)
    assert (deviation > 0).all()


@given(MEANS, st.floats(1e-6, 10), MEANS)
def test_the_expected_gain_is_at_least_what_is_sure_and_never_negative(mean, deviation, best):
    (gain,) = expected_gain(np.array([mean]), np.array([deviation]), best)
    sure = max(mean - best, 0.0)
    assert gain >= 0
    assert sure - 1e-9 <= gain <= sure + 0.3990 * deviation + 1e-9


def test_the_expected_gain_is_what_draws_come_to():
    draws = np.random.default_rng(0).normal(0.1, 0.5, size=400_000)
    (gain,) = expected_gain(np.array([0.1]), np.array([0.5]), 0.3)
    assert gain == pytest.approx(np.maximum(draws - 0.3, 0).mean(), rel=0.01)


def test_nothing_is_gained_by_what_is_known_to_be_no_better():
    deviation = np.array([1e-12, 1e-12])
    assert expected_gain(np.array([0.0, -1.0]), deviation, 0.0) == pytest.approx([0, 0], abs=1e-11)


def test_all_is_likely_to_work_where_nothing_has_failed():
    places = [(0, 0), (10, 1)]
    assert list(chance_to_work(DOMAIN, [], [], places)) == [1, 1]
    assert list(chance_to_work(DOMAIN, [(3, 0)], [True], places)) == [1, 1]


def test_the_side_on_which_memory_ends_is_learnt():
    tried = [(a, b) for a in (0, 3, 7, 10) for b in (0, 1)]
    chance = chance_to_work(DOMAIN, tried, [a < 5 for a, _ in tried], [(1, 0), (5, 0), (9, 0)])
    assert chance[0] > 0.8 > chance[1] > 0.2 > chance[2]


@given(st.dictionaries(st.tuples(st.integers(0, 10), st.integers(0, 1)), st.booleans()))
def test_a_chance_is_a_share_and_never_none_at_all(worked):
    places = list(DOMAIN.listed)
    chance = chance_to_work(DOMAIN, list(worked), list(worked.values()), places)
    assert len(chance) == len(places)
    assert chance.min() > 0
    assert chance.max() <= 1
