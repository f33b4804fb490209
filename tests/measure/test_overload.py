"""Growth of requests in flight: seen where there is one, and rarely where there is none."""

import numpy as np
import pytest
from simulated_server import Engine, arrivals, serve

from tco.measure.overload import growth, growth_over, in_flight

ENGINE = Engine(gap_s=0.005, output=40, most_running=16)
CAPACITY = 16 / (0.05 + 40 * (0.005 + 0.0001 * 16))  # requests/s
WARM_S = 5.0


def ns(times_s):
    return (np.minimum(times_s, 1e6) * 1e9).astype(np.int64)


def share_called_overload(load, window_s, runs):
    called = 0
    for seed in range(runs):
        random = np.random.default_rng([seed, 3])
        parts = [arrivals(load * CAPACITY, length, random) for length in (WARM_S, window_s)]
        got = serve(ENGINE, np.concatenate([parts[0], WARM_S + parts[1]]))
        window = (int(WARM_S * 1e9), int((WARM_S + window_s) * 1e9))
        called += growth_over(ns(got.arrived), ns(got.last), window).is_overload
    return called / runs


@pytest.mark.parametrize("load", [0.5, 0.8, 0.9])
def test_a_server_that_keeps_up_is_rarely_called_overloaded(load):
    assert share_called_overload(load, 60, 60) <= 0.1


@pytest.mark.parametrize(("load", "window_s"), [(1.3, 20), (1.1, 60)])
def test_a_server_that_cannot_keep_up_is_called_so(load, window_s):
    assert share_called_overload(load, window_s, 20) >= 0.9


def test_requests_in_flight_are_means_between_the_edges():
    start, end = ns(np.array([0.0, 0.5])), ns(np.array([1.5, 9.0]))
    numbers = in_flight(start, end, np.array([0.0, 1.0, 2.0]) * 1e9)
    assert numbers == pytest.approx([1.5, 1.5])


def test_the_slope_of_a_line_is_its_own():
    found = growth(2.0 + 3.0 * np.arange(10), 0.5)
    assert found.slope_per_s == pytest.approx(6.0)
    assert found.is_overload
    assert found.interval.low == pytest.approx(6.0)
