"""Draws by key: the same anywhere, evenly spread, and a longer sequence begins as a shorter."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tco.measure.token_draw import draws, key_of

KEYS = st.integers(0, 2**64 - 1)


@given(st.lists(st.tuples(KEYS, st.integers(0, 40)), min_size=1, max_size=8), st.integers(1, 1000))
def test_a_key_gives_the_same_draws_beside_any_others_and_cut_at_any_length(parts, below):
    keys, lengths = zip(*parts, strict=True)
    drawn = draws(keys, lengths, below)
    alone = [draws([key], [40], below)[:length] for key, length in parts]
    assert drawn.tolist() == np.concatenate(alone).tolist()
    assert all(0 <= n < below for n in drawn)


def test_every_value_is_drawn_about_as_often_as_any_other():
    counts = np.bincount(draws([key_of(5, n) for n in range(100)], [1000] * 100, 100))
    assert len(counts) == 100
    # 1,000 each with a standard deviation of 31.5; chi-squared of 99 degrees is below 160.
    assert ((counts - 1000) ** 2 / 1000).sum() < 160


def test_keys_depend_on_every_part_and_their_order():
    parts = [(1, 2, 3), (1, 3, 2), (1, 2), (1, 2, 0), (0, 1, 2, 3), (), (0,), (0, 0)]
    assert len({key_of(*each) for each in parts}) == len(parts)
