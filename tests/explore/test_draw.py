"""Draws from ranges: their means, variances and ends, and that a seed gives them again."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.cost.power import power_usd_per_hour
from tco.explore.draw import draws_of, number_at
from tco.uncertainty import Varied
from tco.units import HOURS_PER_YEAR, W_PER_KW

N = 100_000
CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "economics.json").read_text(encoding="utf-8")
)["cases"]


def varied(value, low, high, shape="uniform", *, key="a", whole=False):
    return Varied(key=key, value=value, low=low, high=high, shape=shape, whole=whole)


def drawn(one, count=N, seed=1):
    return draws_of([one], count, seed)[one.key]


@pytest.mark.parametrize(
    ("one", "mean", "variance"),
    [
        (varied(3, 1, 6), 3.5, 25 / 12),
        (varied(1, 1, 6), 3.5, 25 / 12),
        (varied(3, 1, 6, "triangular"), 10 / 3, (1 + 9 + 36 - 3 - 6 - 18) / 18),
        (varied(1, 1, 6, "triangular"), 8 / 3, (1 + 1 + 36 - 1 - 6 - 6) / 18),
        (varied(6, 1, 6, "triangular"), 13 / 3, (1 + 36 + 36 - 6 - 6 - 36) / 18),
        (varied(100, 90, 110, "normal"), 100, (10 / 1.959964) ** 2),
        (varied(2, 1, 4, whole=True), 2.5, 15 / 12),
    ],
)
def test_mean_and_variance_are_those_of_the_distribution(one, mean, variance):
    numbers = drawn(one)
    assert numbers.mean() == pytest.approx(mean, rel=1e-4)
    assert numbers.var() == pytest.approx(variance, rel=1e-3)


def test_every_stratum_holds_one_draw():
    places = np.floor(drawn(varied(0.5, 0, 1)) * N)
    assert np.array_equal(np.sort(places), np.arange(N))


@given(
    st.tuples(st.floats(0, 1e6), st.floats(0, 1e6), st.floats(0, 1e6)).map(sorted),
    st.sampled_from(["uniform", "triangular"]),
)
def test_no_draw_lies_outside_its_range(numbers, shape):
    low, value, high = numbers
    got = number_at(varied(value, low, high + 1, shape), np.linspace(0, 1, 101))
    assert got.min() >= low - 1e-9
    assert got.max() <= (high + 1) * (1 + 1e-12)
    assert np.all(np.diff(got) >= -1e-9)


def test_whole_numbers_are_drawn_whole_and_their_ends_as_often_as_the_rest():
    found, counts = np.unique(drawn(varied(2, 1, 4, whole=True)), return_counts=True)
    assert found.tolist() == [1, 2, 3, 4]
    assert counts == pytest.approx(N / 4, rel=1e-3)


def test_a_triangle_of_whole_numbers_peaks_at_its_value():
    found, counts = np.unique(drawn(varied(2, 1, 4, "triangular", whole=True)), return_counts=True)
    assert found[np.argmax(counts)] == 2


def test_a_measured_rate_is_never_0_or_less_however_wide_its_interval():
    assert drawn(varied(1, -3, 5, "normal")).min() > 0


def test_its_interval_holds_95_percent_of_the_draws():
    numbers = drawn(varied(100, 90, 110, "normal"))
    assert np.mean((numbers > 90) & (numbers < 110)) == pytest.approx(0.95, abs=1e-4)


def test_a_seed_gives_the_same_draws_and_another_seed_others():
    one = varied(3, 1, 6)
    assert np.array_equal(drawn(one), drawn(one))
    assert not np.array_equal(drawn(one), drawn(one, seed=2))


def test_another_range_changes_no_draw_and_is_independent():
    one, other = varied(3, 1, 6), varied(3, 1, 6, key="b")
    both = draws_of([other, one], N, 1)
    assert np.array_equal(both["a"], drawn(one))
    assert abs(np.corrcoef(both["a"], both["b"])[0, 1]) < 5 / math.sqrt(N)


def test_the_worked_example_comes_out_for_several_seeds():
    case = next(case for case in CASES if case["id"] == "econ-s35")
    given_, expected = case["given"], case["expected"]
    kw, price = (given_[name] for name in ("power_kw_uniform", "usd_per_kwh_uniform"))
    for seed in range(3):
        numbers = draws_of(
            [varied(kw[0], *kw, key="kw"), varied(price[0], *price, key="price")],
            given_["samples"],
            seed,
        )
        watts = numbers["kw"] * W_PER_KW
        usd = power_usd_per_hour(watts, watts, 1.0, 1.0, numbers["price"]) * HOURS_PER_YEAR
        limits = case["tolerance"]["per_key"]
        for key, got in (("mean_usd_per_year", usd.mean()), ("std_usd_per_year", usd.std())):
            assert got == pytest.approx(expected[key], abs=limits[key]["abs"])
