"""A simulated engine of known capacity: continuous batching, event by event, in no real time.

At most `most_running` requests are answered at once, the others wait in order. All that run
make tokens at one pace, `gap_s(running)`; a request's first token comes `prefill_s` after its
admission. A closed or an open loop is held on it, and what a search needs is read off.
"""

import heapq
from dataclasses import dataclass

import numpy as np

from tco.measure.overload import growth_over
from tco.measure.tried import Load, Tried


@dataclass(frozen=True)
class Engine:
    """Times in s; a token takes gap_s + slope_s × running."""

    gap_s: float = 0.02
    slope_s: float = 0.0001
    most_running: int = 256
    prefill_s: float = 0.05
    output: int = 100
    slowing_per_s: float = 0.0  # tokens take so much of themselves longer with every second

    def pace(self, running, clock=0.0):
        return 1 / (self.gap_s + self.slope_s * running) / (1 + self.slowing_per_s * clock)


@dataclass(frozen=True)
class Answers:
    """A row a request, in order of arrival: times in s."""

    arrived: np.ndarray
    first: np.ndarray
    last: np.ndarray


def serve(engine, arrivals, *, streams=0, until=None, lengths=None):
    """Return the answers; with `streams` a closed loop, where each end is an arrival."""
    arrived, first, last, starts = [], [], [], []
    pending = list(arrivals)[::-1]
    waiting, running, clock, made = [], [], 0.0, 0.0  # made: tokens a running request has made

    def length(i):
        return engine.output if lengths is None else lengths[i % len(lengths)]

    if streams:
        pending = [0.0] * streams
    while pending or running:
        pace = engine.pace(len(running), clock)
        end = clock + (running[0][0] - made) / pace if running else np.inf
        come = pending[-1] if pending else np.inf
        if min(end, come) > (until or np.inf):
            break
        if come <= end:
            made, clock = made + (come - clock) * pace, come
            pending.pop()
            waiting.append(len(arrived))
            arrived.append(clock), first.append(np.inf), last.append(np.inf), starts.append(0)
        else:
            made, clock = running[0][0], end
            _, i = heapq.heappop(running)
            last[i] = clock
            if streams:
                pending.append(clock)
        while waiting and len(running) < engine.most_running:
            i = waiting.pop(0)
            first[i] = clock + engine.prefill_s
            # a closed loop's first answers have random lengths, as the bench's have
            share = (i + 1) / streams if i < streams else 1.0
            work = engine.prefill_s * engine.pace(len(running) + 1) + length(i) * share
            heapq.heappush(running, (made + work, i))
    return Answers(np.array(arrived), np.array(first), np.array(last))


def arrivals(rate, length_s, random):
    """Return round(rate × length) sorted uniform times."""
    return np.sort(random.uniform(0, length_s, round(rate * length_s)))


@dataclass(frozen=True)
class Bench:
    """Holds loads on an engine and judges them by limits {(latency, quantile): s}."""

    engine: Engine
    slo: dict
    window_s: float = 60.0
    warm_up_s: float = 10.0
    seed: int = 1
    spread: float = 0.0  # of the output lengths, lognormal
    hiccups: float = 0.0  # share of points whose every latency is up by half

    def lengths(self, random):
        if not self.spread:
            return None
        return self.engine.output * random.lognormal(-(self.spread**2) / 2, self.spread, 4096)

    def hold(self, load, number):
        random = np.random.default_rng([self.seed, number])
        got, chosen = self.window(load, random)
        rate = load.requests_per_s or chosen.sum() / self.window_s
        strain = self.strain(got, chosen) * (1.5 if random.random() < self.hiccups else 1.0)
        overloaded = load.is_open and _grows(got, self.warm_up_s, self.window_s)
        keeps = strain <= 1 and not overloaded if self.slo else None
        return Tried(load, float(rate), 0.01, keeps, None if overloaded else strain)

    def window(self, load, random):
        warm, end, lengths = self.warm_up_s, self.warm_up_s + self.window_s, self.lengths(random)
        if load.is_open:
            got = serve(self.engine, arrivals(load.requests_per_s, end, random), lengths=lengths)
            return got, got.arrived >= warm
        got = serve(self.engine, [], streams=load.streams, until=end, lengths=lengths)
        return got, (got.last >= warm) & (got.last < end)

    def strain(self, got, chosen):
        with np.errstate(invalid="ignore"):
            made_in = got.last - got.first
        values = {
            "ttft": got.first - got.arrived,
            "tpot": made_in / self.engine.output,
            "e2e": got.last - got.arrived,
        }
        seen = [np.quantile(values[n][chosen], q) / limit for (n, q), limit in self.slo.items()]
        return float(max(seen, default=0.0))

    def capacity(self, low, high, windows=5):
        """Return the rate (requests/s) that half of the windows keep: by halves, on new ones."""
        while high > low * 1.01:
            middle = (low * high) ** 0.5
            strains = [
                self.strain(
                    *self.window(Load(requests_per_s=middle), np.random.default_rng([9, i]))
                )
                for i in range(windows)
            ]
            low, high = (middle, high) if np.median(strains) <= 1 else (low, middle)
        return (low * high) ** 0.5


def _grows(got, warm, window):
    start, end = ((t * 1e9).astype(np.int64) for t in (got.arrived, np.minimum(got.last, 1e6)))
    return growth_over(start, end, (int(warm * 1e9), int((warm + window) * 1e9))).is_overload
