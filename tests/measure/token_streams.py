"""Simulated output of engines whose true rate is known: tokens in each twentieth of a latency.

Each returns an array, a row a run, and the true mean of a value. Times are in units of the e2e
latency, so a window of `length` is so many latencies long.
"""

import numpy as np
from scipy.signal import lfilter

FINE = 20
PREFILL = 0.1


def wander(random, runs, length, memory):
    """Gaussian noise of mean 0 and deviation 1, whose correlation time is `memory`."""
    kept = np.exp(-1 / (memory * FINE))
    pushes = random.standard_normal((runs, length * FINE)) * np.sqrt(1 - kept**2)
    pushes[:, 0] /= np.sqrt(1 - kept**2)
    return lfilter([1], [1, -kept], pushes, axis=1)


def wandering(random, runs, length, *, memory, by=0.1):
    """An engine whose pace wanders, for what else runs on the machine."""
    return random.poisson(50 * np.maximum(0, 1 + by * wander(random, runs, length, memory))), 50


def independent(random, runs, length, *, per_latency=4):
    """Requests that come by chance and are answered at one pace, however many there are."""
    begun = np.cumsum(random.poisson(per_latency / FINE, (runs, (length + 1) * FINE)), axis=1)
    return begun[:, FINE:] - begun[:, :-FINE], per_latency


def paused(random, runs, length, *, busy=3.0, pause=0.3):
    """An engine that stops now and then, for a time by chance."""
    cycles = int(3 * length / (busy + pause)) + 20
    spans = np.stack(
        [random.exponential(busy, (runs, cycles)), random.exponential(pause, (runs, cycles))], 2
    ).reshape(runs, -1)
    made = spans * 1000
    made[:, 1::2] = 0
    return _in_parts(spans, made, length), 1000 / FINE * busy / (busy + pause)


def closed_loop(random, runs, length, *, streams=4, spread=0.8):
    """Streams that send as soon as they are answered, with answers of random lengths."""
    cycles, shape = 4 * length + 60, np.log(1 + spread**2)
    total = np.zeros((runs, length * FINE))
    for _ in range(streams):
        lengths = np.exp(random.normal(-shape / 2, shape**0.5, (runs, cycles)))
        spans = np.empty((runs, 2 * cycles))
        spans[:, 0::2], spans[:, 1::2] = PREFILL, lengths * (1 - PREFILL)
        made = spans * 1000
        made[:, 0::2] = 0
        total += _in_parts(spans, made, length)
    return total, streams * 1000 / FINE * (1 - PREFILL)


def _in_parts(spans, made, length):
    """Cut what was made in spans into parts of the window, which begins ten latencies late."""
    edges = np.linspace(0, length, length * FINE + 1)
    rows = zip(np.cumsum(spans, axis=1) - 10, np.cumsum(made, axis=1), strict=True)
    return np.array([np.diff(np.interp(edges, ends, sums)) for ends, sums in rows])
