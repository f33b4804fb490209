"""Places and ticks of a scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.report.scale import Scale


def test_a_value_lies_in_proportion_between_the_ends():
    assert Scale(0, 10, 100, 200).at(2.5) == 125
    assert Scale(0, 10, 200, 100).at(2.5) == 175


def test_a_logarithmic_scale_gives_each_decade_the_same_room():
    scale = Scale(1, 100, 0, 100, log=True)
    assert scale.at(10) == pytest.approx(50)
    assert scale.at(0) == 0


@pytest.mark.parametrize(
    ("low", "high", "log", "ticks"),
    [
        (0, 69, False, (0, 20, 40, 60)),
        (0.0, 0.61, False, (0, 0.2, 0.4, 0.6)),
        (9000, 10100, False, (9000, 9250, 9500, 9750, 10000)),
        (40, 5800, True, (50, 100, 200, 500, 1000, 2000, 5000)),
        (4, 58000, True, (10, 100, 1000, 10000)),
        (40, 900, True, (50, 100, 200, 500)),
        (1e-3, 1e5, True, (1e-3, 1e-1, 1e1, 1e3, 1e5)),
    ],
)
def test_ticks_are_round_and_few(low, high, log, ticks):
    assert Scale(low, high, 0, 1, log=log).ticks(5) == pytest.approx(ticks)


@given(
    low=st.floats(1e-6, 1e6),
    ratio=st.floats(1.0001, 1e9),
    log=st.booleans(),
    most=st.integers(3, 8),
)
def test_every_tick_lies_inside(low, ratio, log, most):
    scale = Scale(low, low * ratio, 0, 1, log=log)
    assert all(-1e-6 <= scale.share(tick) <= 1 + 1e-6 for tick in scale.ticks(most))
    assert len(scale.ticks(most)) <= 3 * most
