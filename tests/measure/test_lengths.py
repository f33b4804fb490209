import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tco.errors import InputError
from tco.lognormal import HIGHEST_P95_TO_MEAN, fitted_lognormal
from tco.measure.lengths import drawn_lengths, whole_lengths
from tco.quantity import Quantity
from tco.scenario import LengthSpread


def drawn(length, count=4000, seed=1):
    return drawn_lengths(
        length, count, np.random.default_rng(seed), key="traffic.shape.input_tokens"
    )


def spread(mean, p95):
    return LengthSpread(mean=mean, p95=p95)


def test_a_whole_length_is_every_requests():
    assert set(drawn(Quantity(value=512.0)).tolist()) == {512}


@given(st.floats(1, 5000), st.integers(1, 300), st.integers(0, 99))
def test_a_fractional_mean_is_met_by_whole_lengths_around_it(mean, count, seed):
    lengths = drawn(Quantity(value=mean), count, seed)
    assert set(lengths.tolist()) <= {math.floor(mean), math.floor(mean) + 1}
    assert abs(lengths.sum() - mean * count) <= 1


def test_halves_do_not_alternate():
    lengths = drawn(Quantity(value=7.5), 200)
    assert np.count_nonzero(np.diff(lengths) == 0) > 50


def test_no_length_is_below_one():
    assert set(drawn(Quantity(value=0.2)).tolist()) == {1}


@given(
    st.lists(st.floats(1, 1e5), min_size=1, max_size=50),
    st.integers(0, 99),
)
def test_rounding_moves_no_length_by_more_than_one_and_keeps_the_sum(values, seed):
    lengths = whole_lengths(np.array(values), np.random.default_rng(seed))
    assert np.abs(lengths - np.array(values)).max() < 1 + 1e-9
    assert abs(lengths.sum() - math.fsum(values)) <= 1 + 1e-6


@given(st.floats(20, 1e5), st.floats(1, 3.6))
def test_the_fit_has_the_mean_and_the_percentile_it_was_asked_for(mean, ratio):
    fitted = fitted_lognormal(mean, mean * ratio, key="k")
    assert fitted.mean_of_at_least_1() == pytest.approx(max(1.0, mean), rel=1e-9)
    assert math.exp(fitted.mu + 1.6448536269514722 * fitted.sigma) == pytest.approx(mean * ratio)
    assert 0 <= fitted.sigma <= 1.645


def test_the_fit_is_the_narrower_of_the_two():
    # By hand: ln 3 = 1.0986, z^2 = 2.7055, sigma = 1.6449 - sqrt(2.7055 - 2.1972) = 0.9319.
    assert fitted_lognormal(100, 300, key="k").sigma == pytest.approx(0.9319, abs=1e-4)


@pytest.mark.parametrize(
    ("mean", "p95"), [(2047.8, 7303), (27.9, 90), (2, 6), (1000, 1000), (512, 1900)]
)
def test_drawn_lengths_have_the_mean_and_the_percentile_that_were_asked(mean, p95):
    lengths = drawn(spread(mean, p95), 10_000)
    assert lengths.mean() == pytest.approx(mean, abs=2e-4)
    assert np.percentile(lengths, 95) == pytest.approx(p95, rel=2e-3, abs=1)
    assert lengths.min() >= 1


def test_another_seed_is_another_order_of_lengths():
    one, other = drawn(spread(100, 300), seed=1), drawn(spread(100, 300), seed=2)
    assert one.tolist() != other.tolist()
    assert drawn(spread(100, 300), seed=1).tolist() == one.tolist()


@pytest.mark.parametrize(("mean", "p95"), [(100, 387), (1.5, 4), (1.0, 2.0)])
def test_a_percentile_out_of_reach_is_refused_before_anything_is_drawn(mean, p95):
    with pytest.raises(ValidationError, match=r"at most 3\.87 times the mean"):
        spread(mean, p95)
    with pytest.raises(InputError, match="lower p95"):
        fitted_lognormal(mean, p95, key="p95")


def test_the_reach_is_where_sigma_equals_z():
    assert pytest.approx(3.8681, abs=1e-4) == HIGHEST_P95_TO_MEAN
