"""The shape of traffic: how long requests are, when they come, and what their prompts share."""

from __future__ import annotations

import itertools
import math
from typing import Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from tco.quantity import Model
from tco.traffic.reading import Traffic
from tco.units import SECONDS_PER_MINUTE
from tco.workload import Ints, Workload

_QUANTILES = (50, 90, 95, 99)


class TrafficShape(Model):
    """What `tco workload show --json` prints; lengths in tokens, percentiles interpolated.

    Attributes:
        format: what wrote such a file.
        left_out: requests without input or answer, not counted anywhere else.
        span_s: from the first arrival to the last; None where no time is stated.
        arrivals_per_minute: counts of whole minutes from the first arrival on, the last one as
            far as it goes.
        peak_to_average: the busiest minute over the mean rate; None under a minute.
        reusable_prefix_share: of all input tokens, those that a cache without bound would
            have, from earlier turns or equal leading blocks; None where the file does not tell.
        sessions: requests of no session are each one.
        wait_mean_s: between an answer and the next turn of its session; None without any.
    """

    schema_: Literal["tco.traffic_shape/1"] = Field(alias="schema", default="tco.traffic_shape/1")
    file: str
    sha256: str
    format: str
    requests: int
    left_out: int
    span_s: float | None
    input_mean: float
    input_p50: float
    input_p90: float
    input_p95: float
    input_p99: float
    input_max: int
    output_mean: float
    output_p50: float
    output_p90: float
    output_p95: float
    output_p99: float
    output_max: int
    requests_per_s: float | None
    arrivals_per_minute: tuple[int, ...]
    peak_to_average: float | None
    reusable_prefix_share: float | None
    sessions: int
    requests_per_session: float
    wait_mean_s: float | None

    @property
    def mean_per_minute(self) -> float | None:
        """Requests in a minute on the mean; None without times, or of an instant."""
        return None if self.requests_per_s is None else self.requests_per_s * SECONDS_PER_MINUTE

    def busiest(self, most: int) -> tuple[int, tuple[int, ...]]:
        """Return the arrivals by minute in at most `most` groups: their size, each one's most."""
        minutes = self.arrivals_per_minute
        size = max(1, math.ceil(len(minutes) / most))
        groups = range(0, len(minutes), size)
        return size, tuple(max(minutes[at : at + size]) for at in groups)


def traffic_shape(traffic: Traffic, file: str) -> TrafficShape:
    """Return the shape of a file's requests; `file` is its name, as the result shows it."""
    workload, arrivals_s = traffic.workload, traffic.arrivals_s
    input_tokens = workload.input_tokens()
    span_s = float(arrivals_s[-1]) if len(arrivals_s) else None
    sessions = workload.sessions()
    later = workload.wait_s[~workload.is_first_turn()]
    return TrafficShape(
        file=file,
        sha256=traffic.sha256,
        format=traffic.format,
        requests=len(workload),
        left_out=traffic.left_out,
        span_s=span_s,
        **_lengths("input", input_tokens),
        **_lengths("output", workload.output_tokens),
        requests_per_s=len(arrivals_s) / span_s if span_s else None,
        arrivals_per_minute=_per_minute(arrivals_s),
        peak_to_average=_peak_to_average(arrivals_s),
        reusable_prefix_share=reusable_share(workload) if traffic.knows_prefixes else None,
        sessions=sessions,
        requests_per_session=len(workload) / sessions,
        wait_mean_s=float(later.mean()) if len(later) else None,
    )


def reusable_share(workload: Workload) -> float:
    """Return the share (0 to 1) of input tokens that a prefix cache without bound would answer.

    These are the context of later turns, and the leading blocks of a session's first prompt as
    far as an earlier prompt began with the same. A block with an id below 0 is in the cache from
    the start: it is a system prompt, the same in every run.
    """
    return int(reusable_tokens(workload).sum()) / int(workload.input_tokens().sum())


def reusable_tokens(workload: Workload) -> Ints:
    """Return the tokens of each request that such a cache would answer."""
    return np.asarray(workload.context_tokens() + _reused_block_tokens(workload))


def _reused_block_tokens(workload: Workload) -> Ints:
    if not (workload.block_id >= 0).any():
        sums = np.concatenate([[0], np.cumsum(workload.block_tokens)]).astype(np.int64)
        return np.diff(sums[workload.block_offsets])
    ids, lengths = workload.block_id.tolist(), workload.block_tokens.tolist()
    offsets = workload.block_offsets.tolist()
    # A tree of prefixes: (node, block) to the next node, and how much of the block was seen.
    follows: dict[tuple[int, int], tuple[int, int]] = {}
    reused = np.zeros(len(workload), dtype=np.int64)
    for row, (begin, end) in enumerate(itertools.pairwise(offsets)):
        node, is_known, answered = 0, True, 0
        for place in range(begin, end):
            step, length = (node, ids[place]), lengths[place]
            node, seen = follows.get(step, (len(follows) + 1, 0))
            if length > seen:
                follows[step] = node, length
            if ids[place] < 0:
                seen = length
            if is_known:
                answered += min(length, seen)
            is_known &= length <= seen
        reused[row] = answered
    return reused


def _lengths(name: str, lengths: npt.NDArray[np.int64]) -> dict[str, float]:
    quantiles = np.percentile(lengths, _QUANTILES).tolist()
    named = {f"{name}_p{at}": found for at, found in zip(_QUANTILES, quantiles, strict=True)}
    return {f"{name}_mean": float(lengths.mean()), **named, f"{name}_max": int(lengths.max())}


def _per_minute(arrivals_s: npt.NDArray[np.float64]) -> tuple[int, ...]:
    if not len(arrivals_s):
        return ()
    return tuple(np.bincount((arrivals_s // SECONDS_PER_MINUTE).astype(np.int64)).tolist())


def _peak_to_average(arrivals_s: npt.NDArray[np.float64]) -> float | None:
    if not len(arrivals_s) or arrivals_s[-1] < SECONDS_PER_MINUTE:
        return None
    average = len(arrivals_s) / (arrivals_s[-1] / SECONDS_PER_MINUTE)
    # The last minute is cut short, so an even load may come out a little under its mean.
    return max(1.0, float(max(_per_minute(arrivals_s)) / average))
