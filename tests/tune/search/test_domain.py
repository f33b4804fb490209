"""What may be tried: places, their settings, and how far apart they are."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.tune.search.domain import Domain, number_of

SETTINGS = st.one_of(
    st.none(), st.booleans(), st.integers(-1000, 1000), st.floats(-1e6, 1e6),
    st.sampled_from(["1", "0", "inf", "nan", "auto", "1e3", "true"]),
)  # fmt: skip
LEVELS = st.lists(SETTINGS, min_size=1, max_size=5, unique_by=lambda each: (type(each), each))
DOMAINS = st.dictionaries(st.sampled_from("abcd"), LEVELS.map(tuple), min_size=1, max_size=3)


@given(DOMAINS)
def test_every_place_has_settings_that_lead_back_to_it(levels):
    domain = Domain(levels, lambda _: True)
    assert len(domain.listed) == domain.size
    for place in domain.listed:
        settings = domain.settings(place)
        assert settings.keys() == levels.keys()
        assert domain.place(settings) == place


@pytest.mark.parametrize("setting", [True, "1", 1.0, 3, None])
def test_true_text_and_fraction_are_not_the_number(setting):
    with pytest.raises(ValueError, match="is none of"):
        Domain({"a": (1, 2)}, lambda _: True).place({"a": setting})


@given(LEVELS)
def test_distances_are_a_metric_of_at_most_1_between_levels(levels):
    (gaps,) = Domain({"a": tuple(levels)}, lambda _: True).distances
    assert np.isfinite(gaps).all()
    assert np.allclose(gaps, gaps.T)
    assert np.allclose(np.diag(gaps), 0)
    assert gaps.max() <= 1 + 1e-9
    for i, j, k in itertools.product(range(len(levels)), repeat=3):
        assert gaps[i, j] <= gaps[i, k] + gaps[k, j] + 1e-9
    for i, j in itertools.combinations(range(len(levels)), 2):
        numbers = [number_of(levels[each]) for each in (i, j)]
        if None in numbers:
            assert gaps[i, j] > 0.5


@pytest.mark.parametrize(
    ("levels", "middle"), [((1, 2, 9), 0.3155), ((1, 2, 8), 1 / 7), ((0, 2, 100), 0.02)]
)
def test_levels_of_a_wide_span_above_0_are_placed_by_their_logarithm(levels, middle):
    (gaps,) = Domain({"a": levels}, lambda _: True).distances
    assert gaps[0] == pytest.approx([0, middle, 1], abs=1e-4)


def test_two_texts_are_as_far_apart_as_the_ends_of_a_range():
    (gaps,) = Domain({"a": (None, "x", False)}, lambda _: True).distances
    assert gaps == pytest.approx(1 - np.eye(3))


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "auto", "", None, True])
def test_what_has_no_place_on_a_line_is_no_number(text):
    assert number_of(text) is None


def test_of_a_domain_too_large_to_list_a_sample_and_all_near_a_place_are_looked_at():
    levels = {name: tuple(range(10)) for name in "abcdef"}
    domain = Domain(levels, lambda settings: settings["a"] != 3)
    near = (9, 9, 9, 9, 9, 9)
    found = domain.candidates(np.random.default_rng(0), [near])
    assert domain.listed is None
    assert len(found) == len(set(found)) > 1000
    assert all(place[0] != 3 for place in found)
    for axis, index in itertools.product(range(6), range(10)):
        one_change = (*near[:axis], index, *near[axis + 1 :])
        assert (one_change in found) is (one_change[0] != 3)


def test_the_same_draw_gives_the_same_candidates():
    domain = Domain({name: tuple(range(10)) for name in "abcdef"}, lambda _: True)
    drawn = [domain.candidates(np.random.default_rng(seed), []) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]
