"""Replay: the requests of a trace, over and over for a closed loop, or once at their own times."""

from __future__ import annotations

import dataclasses
import math
from functools import lru_cache
from pathlib import Path

import numpy as np

from tco.errors import InputError
from tco.scenario import Scenario, Shape, Trace
from tco.traffic import Traffic, load_traffic
from tco.workload import Workload, plain_workload


def trace_workload(shape: Shape, rows: int, random: np.random.Generator) -> Workload:
    """Return the trace's requests as often as it takes for `rows`, without arrivals.

    Where requests of different sessions share prefixes the trace's order is kept, else every
    pass takes the sessions in a random order of its own.

    Raises:
        InputError: the trace is not the one that the scenario was read with.
    """
    workload = _requests(shape)
    has_order = bool((workload.block_id >= 0).any())
    sessions = workload.sessions()
    laps = max(1, math.ceil(rows / len(workload)))
    places = np.arange(sessions, dtype=np.int64)
    order = [places if has_order else random.permutation(places) for _ in range(laps)]
    lap = np.repeat(np.arange(laps, dtype=np.int64), sessions)
    taken = workload.taken(np.concatenate(order), lap)
    return dataclasses.replace(taken, at_s=np.full(len(taken), np.nan))


def replay_for(scenario: Scenario) -> Workload | None:
    """Return a trace's requests once, at its own arrival times (s after the start) and speed.

    None where the scenario has no trace, or replays no arrivals.

    Raises:
        InputError: the trace is not the one that the scenario was read with.
    """
    shape = scenario.traffic.shape
    if shape.trace is None or not shape.trace.arrivals:
        return None
    workload = _requests(shape)
    return dataclasses.replace(workload, at_s=workload.at_s / shape.trace.speed_up.value)


def _requests(shape: Shape) -> Workload:
    """Return the trace's requests, with the shared prefix that is stated where it tells none."""
    trace = shape.trace
    assert trace is not None  # noqa: S101  both callers have looked
    traffic = _traffic(trace, trace.path())
    if traffic.knows_prefixes:
        return traffic.workload
    workload = traffic.workload
    input_tokens = workload.input_tokens()
    shared = np.rint(input_tokens * shape.cached_input_share.value).astype(np.int64)
    return plain_workload(
        input_tokens,
        workload.output_tokens,
        at_s=workload.at_s,
        shared_tokens=np.minimum(shared, input_tokens - 1),
    )


@lru_cache(maxsize=1)
def _read(path: Path, sha256: str | None) -> Traffic:
    """Read the file once for all points of a bench; its hash says that it is the same."""
    del sha256
    return load_traffic(path)


def _traffic(trace: Trace, path: Path) -> Traffic:
    traffic = _read(path, trace.sha256)
    if trace.sha256 is not None and traffic.sha256 != trace.sha256:
        raise InputError(
            "the trace has changed since the scenario was read",
            file=str(path),
            key="traffic.shape.trace",
            remedy="run the command again",
        )
    return traffic
