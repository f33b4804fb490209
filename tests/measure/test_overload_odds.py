"""How often the growth of requests in flight is called overload, by many simulated queues.

Sixteen requests are answered at once, each in a time by chance around one latency; the others
wait in order. What is in flight depends on itself for many latencies near full load.
"""

import numpy as np
import pytest

from tco.measure.overload import growth_over
from tco.units import NS_PER_S

RUNS, PLACES, WARM_S, SPREAD = 400, 16, 20, 0.5


def queues(load, window_s, *, by_chance):
    """Return arrivals and ends (s) of each run; without chance their number is exact."""
    random, rate = np.random.default_rng(8), load * PLACES
    if by_chance:
        count = int(1.3 * rate * (WARM_S + window_s)) + 50
        arrived = np.cumsum(random.exponential(1 / rate, (RUNS, count)), axis=1)
    else:
        parts = ((0, WARM_S), (WARM_S, WARM_S + window_s))
        arrived = np.concatenate(
            [
                np.sort(random.uniform(a, b, (RUNS, round(rate * (b - a)))), axis=1)
                for a, b in parts
            ],
            axis=1,
        )
    shape = np.log(1 + SPREAD**2)
    taken = random.lognormal(-shape / 2, shape**0.5, arrived.shape)
    free, ended, rows = np.zeros((RUNS, PLACES)), np.empty_like(arrived), np.arange(RUNS)
    for i in range(arrived.shape[1]):
        place = free.argmin(axis=1)
        ended[:, i] = np.maximum(arrived[:, i], free[rows, place]) + taken[:, i]
        free[rows, place] = ended[:, i]
    return arrived, ended


def share_called(load, window_s, *, by_chance):
    window = (WARM_S * NS_PER_S, (WARM_S + window_s) * NS_PER_S)
    runs = zip(*queues(load, window_s, by_chance=by_chance), strict=True)
    ns = ((np.int64(a * NS_PER_S), np.int64(e * NS_PER_S)) for a, e in runs)
    return np.mean([growth_over(a, e, window).is_overload for a, e in ns])


@pytest.mark.parametrize("by_chance", [True, False])
@pytest.mark.parametrize(("load", "most"), [(0.5, 0.05), (0.8, 0.05), (0.9, 0.08), (0.95, 0.10)])
def test_a_queue_that_keeps_up_is_rarely_called_overloaded(load, most, by_chance):
    assert share_called(load, 60, by_chance=by_chance) <= most


@pytest.mark.parametrize(
    ("load", "window_s", "least"),
    [(1.05, 60, 0.5), (1.1, 60, 0.85), (1.1, 30, 0.7), (1.2, 30, 0.95)],
)
def test_a_queue_that_cannot_keep_up_is_mostly_called_so(load, window_s, least):
    assert share_called(load, window_s, by_chance=False) >= least
