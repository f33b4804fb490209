"""A schedule is what a load sends and when: a Workload drawn from the scenario, and arrivals."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from tco.measure.lengths import drawn_lengths
from tco.measure.replay import trace_workload
from tco.measure.session import session_workload
from tco.scenario import MixEntry, Scenario, Shape, mix_shares
from tco.workload import Floats, Ints, Workload, plain_workload

_KEY = "traffic.shape"


def workload_for(scenario: Scenario, *, seed: int, rows: int) -> Workload:
    """Return at least `rows` requests of the scenario's traffic, without arrivals.

    The same seed gives the same requests. Of a trace that tells of shared prefixes they keep
    its order, of another each pass through it is in an order of its own.

    Raises:
        InputError: lengths that cannot be drawn as stated, or a trace that has changed.
    """
    shape, random = scenario.traffic.shape, np.random.default_rng(seed)
    if shape.trace is not None:
        return trace_workload(shape, rows, random)
    if shape.session is not None:
        return session_workload(shape.session, rows, random, key=f"{_KEY}.session")
    if shape.mix is not None:
        return _mixed(shape.mix, rows, random)
    return _plain(shape, rows, random)


def poisson_arrivals(rate_per_s: float, parts_s: Sequence[float], seed: int) -> Floats:
    """Return arrival times (s after the start) of a Poisson process given its counts.

    Each part of the run has round(rate x length) arrivals at sorted uniform times in it, so
    that the rate is exact and the gaps are those of a Poisson process with that count.

    Args:
        rate_per_s: arrivals a second.
        parts_s: lengths of the parts (warm-up, window, …) that follow one another.
        seed: draws the times.
    """
    random = np.random.default_rng(seed)
    ends_s = np.cumsum(np.asarray(parts_s, dtype=float))
    times = [
        np.sort(random.uniform(end_s - length_s, end_s, round(rate_per_s * length_s)))
        for end_s, length_s in zip(ends_s.tolist(), parts_s, strict=True)
    ]
    return np.concatenate([np.empty(0), *times])


def with_arrivals(workload: Workload, at_s: Floats) -> Workload:
    """Return as many sessions as there are arrivals (s, sorted), each starting at its own.

    Where there are more arrivals than sessions, the sessions come again in their order, with
    new contents in every block whose id is not below 0.
    """
    numbers = np.arange(len(at_s), dtype=np.int64)
    sessions = workload.sessions()
    if sessions == 0 and len(at_s):
        raise ValueError("a workload without requests has none to send at an arrival")
    taken = workload.taken(numbers % max(1, sessions), numbers // max(1, sessions))
    arrivals = np.full(len(taken), np.nan)
    arrivals[taken.is_first_turn()] = at_s
    return dataclasses.replace(taken, at_s=arrivals)


def _mixed(mix: Sequence[MixEntry], rows: int, random: np.random.Generator) -> Workload:
    """Return the shapes' requests by their weights, to within one of each, in random order."""
    ends = np.floor(np.cumsum(mix_shares(mix))[:-1] * rows + random.random()).astype(int)
    counts = np.diff([0, *np.minimum(ends, rows), rows]).tolist()
    parts = []
    for place, (entry, count) in enumerate(zip(mix, counts, strict=True)):
        if count:
            key = f"{_KEY}.mix.{place}"
            drawn = _lengths(entry, count, random, key=key)
            parts.append(np.stack([*drawn, _shared(drawn[0], entry.cached_input_share.value)]))
    together = np.concatenate(parts, axis=1)
    input_tokens, output_tokens, shared = together[:, random.permutation(rows)]
    return plain_workload(input_tokens, output_tokens, shared_tokens=shared)


def _lengths(
    of: Shape | MixEntry, rows: int, random: np.random.Generator, *, key: str
) -> tuple[Ints, Ints]:
    input_tokens = drawn_lengths(of.input_tokens, rows, random, key=f"{key}.input_tokens")
    return input_tokens, drawn_lengths(of.output_tokens, rows, random, key=f"{key}.output_tokens")


def _shared(input_tokens: Ints, cached_input_share: float) -> Ints:
    # At least the last token is each prompt's own: an engine must compute it in any case.
    shared = np.rint(input_tokens * cached_input_share).astype(np.int64)
    return np.asarray(np.minimum(shared, input_tokens - 1))


def _plain(shape: Shape, rows: int, random: np.random.Generator) -> Workload:
    input_tokens, output_tokens = _lengths(shape, rows, random, key=_KEY)
    shared = _shared(input_tokens, shape.cached_input_share.value)
    return plain_workload(input_tokens, output_tokens, shared_tokens=shared)
