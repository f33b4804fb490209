"""The internal rate of return: found where there is one, counted where there are several."""

import time

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from tco.cost.finance import CashFlow, present_value_usd
from tco.cost.rate_of_return import rate_of_return

GRID = 1 / np.geomspace(1e-12, 1e4, 8001) - 1


def flow_of(times, net):
    """The flow of those sums at those times, the first one paid at 0."""
    start = np.zeros(1)
    return CashFlow(times[1:], -net[..., 1:], 0 * net[..., 1:], start, -net[..., :1], start, start)


def counted(net):
    """Count where the value over all rates of the grid changes its sign, or is nothing."""
    values = present_value_usd(np.array(net), np.arange(len(net), dtype=float), GRID)
    return int((values[:-1] * values[1:] < 0).sum() + (values == 0).sum())


@example([-3.1, 1.3, 2.9, 2.9, -3.1, 1.3, -2.2])  # worth nothing at a rate of the grid
@given(st.lists(st.sampled_from([-3.1, -2.2, -0.4, 0.7, 1.3, 2.9]), min_size=2, max_size=12))
def test_as_many_rates_are_counted_as_the_value_has_crossings(net):
    found = rate_of_return(flow_of(np.arange(len(net), dtype=float), np.array(net)))
    assert found.roots == counted(net)
    assert np.isnan(found.rate) == (found.roots != 1)


@given(
    st.lists(st.floats(0.01, 5), min_size=1, max_size=40),
    st.floats(0.1, 20),
    st.floats(1, 3),
)
def test_at_the_rate_the_flows_are_worth_nothing(gains, paid, gap_years):
    times = np.arange(len(gains) + 1) * gap_years
    net = np.array([-paid, *gains])
    rate = rate_of_return(flow_of(times, net)).rate
    # Where the value is nothing, both sides are worth the same.
    terms = net / (1 + rate) ** times
    assert abs(terms.sum()) <= 1e-9 * np.abs(terms).sum()


def test_points_of_one_array_have_the_rates_that_each_has_alone():
    rng = np.random.default_rng(7)
    net = rng.normal(0, 1, (300, 9))
    times = np.arange(9.0)
    together = rate_of_return(flow_of(times, net))
    for row in range(len(net)):
        alone = rate_of_return(flow_of(times, net[row]))
        assert alone.roots == together.roots[row]
        assert np.isclose(alone.rate, together.rate[row], rtol=1e-12, equal_nan=True)


def test_rates_of_renewed_hardware_cost_less_than_a_look_at_every_rate():
    rng = np.random.default_rng(1)
    net = rng.normal(0.5, 0.02, (8192, 11))
    net[:, 0] = -1
    net[:, 3::3] -= rng.uniform(0.8, 1, (8192, 1))
    powers = (1 / (1 + GRID))[:, None] ** np.arange(11.0)
    started = time.process_time()
    for first in range(0, len(net), 512):
        np.sign(net[first : first + 512] @ powers.T)
    every_s = time.process_time() - started
    started = time.process_time()
    found = rate_of_return(flow_of(np.arange(11.0), net))
    assert time.process_time() - started < every_s
    assert (found.roots >= 1).mean() > 0.9
