"""Whether a short run first saves time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.tune.search.short_run import SHORT_SHARE, short_share

TIMES = st.floats(0, 1e4)


@pytest.mark.parametrize(
    ("start_s", "run_s", "windows_s", "share"),
    [
        (2, 110, 100, SHORT_SHARE),
        (60, 110, 100, SHORT_SHARE),
        (68, 110, 100, None),  # 178 s: 75 s are saved of each, and 59 s go to one in three
        (400, 110, 100, None),
        (0, 110, 0, None),
    ],
)
def test_it_pays_where_the_window_is_most_of_the_time(start_s, run_s, windows_s, share):
    assert short_share(start_s, run_s, windows_s) == share


@given(TIMES, TIMES, st.floats(0, 1))
def test_where_it_pays_a_tenth_is_saved_with_one_in_three_run_in_full(start_s, rest_s, part):
    windows_s = rest_s * part
    full_s = start_s + rest_s
    saved_s = full_s - (full_s - (1 - SHORT_SHARE) * windows_s + full_s / 3)
    pays = short_share(start_s, rest_s, windows_s) is not None
    assert not pays or saved_s >= 0.1 * full_s * (1 - 1e-9)
    assert pays or saved_s <= 0.1 * full_s * (1 + 1e-9)


@given(TIMES, TIMES, TIMES)
def test_a_longer_start_never_makes_it_pay(start_s, more_s, windows_s):
    if short_share(start_s, windows_s, windows_s) is None:
        assert short_share(start_s + more_s, windows_s, windows_s) is None
