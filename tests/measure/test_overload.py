"""Growth of requests in flight: seen where there is one, and rarely where there is none."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from simulated_server import Engine, arrivals, serve

from tco.measure.findings import not_steady
from tco.measure.overload import growth, growth_over, in_flight
from tco.measure.steady import steadiness
from tco.measure.watch import _grows

ENGINE = Engine(gap_s=0.005, output=40, most_running=16)
CAPACITY = 16 / (0.05 + 40 * (0.005 + 0.0001 * 16))  # requests/s
WARM_S = 5.0


def ns(times_s):
    return (np.minimum(times_s, 1e6) * 1e9).astype(np.int64)


def share_called_overload(load, window_s, runs, engine=ENGINE):
    called = 0
    for seed in range(runs):
        random = np.random.default_rng([seed, 3])
        parts = [arrivals(load * CAPACITY, length, random) for length in (WARM_S, window_s)]
        got = serve(engine, np.concatenate([parts[0], WARM_S + parts[1]]))
        window = (int(WARM_S * 1e9), int((WARM_S + window_s) * 1e9))
        called += growth_over(ns(got.arrived), ns(got.last), window).is_overload
    return called / runs


@pytest.mark.parametrize("load", [0.5, 0.8, 0.9])
def test_a_server_that_keeps_up_is_rarely_called_overloaded(load):
    assert share_called_overload(load, 60, 60) <= 0.1


@pytest.mark.parametrize(("load", "window_s"), [(1.3, 20), (1.1, 60)])
def test_a_server_that_cannot_keep_up_is_called_so(load, window_s):
    assert share_called_overload(load, window_s, 20) >= 0.9


SLOWING = replace(ENGINE, slowing_per_s=0.05 / 60)


def test_a_server_that_slows_by_5_percent_a_minute_is_overloaded_near_its_capacity():
    assert share_called_overload(0.98, 120, 20, SLOWING) >= 0.7


def test_a_server_that_slows_by_5_percent_a_minute_is_not_steady_under_a_closed_loop():
    got = serve(SLOWING, [], streams=16, until=130)
    ended = ns(got.last[got.last < np.inf])
    tokens = np.full(len(ended), ENGINE.output)
    seen = steadiness(ended, tokens, 10_000_000_000, 130_000_000_000, 0.3)
    assert seen.drift_share == pytest.approx(-0.1, abs=0.02)
    finding = not_steady(seen, warmed_up=True)
    assert finding.severity == "invalid"


def states(load, length_s, seed):
    """What the client says of itself, every half second of an open loop."""
    random = np.random.default_rng([seed, 4])
    got = serve(ENGINE, arrivals(load * CAPACITY, length_s, random))
    times = np.arange(0, length_s, 0.5)
    flying = [int(((got.arrived <= t) & (got.last > t)).sum()) for t in times]
    return [
        SimpleNamespace(time_ns=int(t * 1e9), in_flight=n)
        for t, n in zip(times, flying, strict=True)
    ]


def stopped_after_s(load, length_s, seed):
    history = states(load, length_s, seed)
    for count in range(10, len(history)):
        if _grows(history[:count], int(WARM_S * 1e9)):
            return history[count - 1].time_ns / 1e9 - WARM_S
    return None


def test_a_clear_overload_is_stopped_in_seconds_and_a_load_that_is_kept_up_with_is_not():
    stops = [stopped_after_s(1.5, 40, seed) for seed in range(10)]
    assert max(stops) < 12
    assert [stopped_after_s(load, 60, seed) for load in (0.6, 0.9) for seed in range(10)] == (
        [None] * 20
    )


def test_requests_in_flight_are_means_between_the_edges():
    start, end = ns(np.array([0.0, 0.5])), ns(np.array([1.5, 9.0]))
    numbers = in_flight(start, end, np.array([0.0, 1.0, 2.0]) * 1e9)
    assert numbers == pytest.approx([1.5, 1.5])


def test_the_slope_of_a_line_is_its_own():
    found = growth(2.0 + 3.0 * np.arange(10), 0.5)
    assert found.slope_per_s == pytest.approx(6.0)
    assert found.is_overload
    assert found.interval.low == pytest.approx(6.0)
