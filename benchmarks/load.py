"""The load that every client is to make, and what a client says it saw of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Load:
    """A closed loop: `requests` at `streams` at a time, each of these lengths (tokens).

    Attributes:
        tokenizer: folder of a tokenizer for clients that need one.
        folder: where the client leaves what it writes.
    """

    url: str
    model: str
    streams: int
    requests: int
    input_tokens: int
    output_tokens: int
    seed: int
    tokenizer: Path
    folder: Path


@dataclass(frozen=True, slots=True)
class Pace:
    """How the server answers: events a second of a stream, and the time to the first one."""

    events_per_s: float
    ttft_s: float

    def options(self) -> tuple[str, ...]:
        """Return them as the server's options."""
        return ("--rate", str(self.events_per_s), "--ttft-s", str(self.ttft_s))

    def possible_tok_per_s(self, load: Load) -> float:
        """Return the rate of a closed loop whose client loses no time.

        Waves of `streams` requests follow each other, each TTFT + half a gap (the mean
        phase) + (output − 1) gaps long.
        """
        request_s = self.ttft_s + (load.output_tokens - 0.5) / self.events_per_s
        return load.streams * load.output_tokens / request_s


@dataclass(frozen=True, slots=True)
class Spread:
    """Quantiles of times (ms); None: not given."""

    p50_ms: float | None = None
    p99_ms: float | None = None
    max_ms: float | None = None


NOTHING = Spread()


@dataclass(frozen=True, slots=True)
class Stamps:
    """When a client says each event came, on the machine's monotonic clock.

    `event_request` is the row of the request of each event, requests in any order.
    """

    event_request: npt.NDArray[np.int64]
    event_ns: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Reported:
    """What a client reports of its run.

    Attributes:
        gaps: over all gaps between events, None where a client keeps only means.
        stamps: None where its result has no times of events.
    """

    completed: int
    output_tok_per_s: float
    ttft: Spread
    gaps: Spread
    stamps: Stamps | None = None


def spread_of(values_ms: Floats) -> Spread:
    """Return the quantiles of values (ms), linearly interpolated."""
    if not len(values_ms):
        return NOTHING
    p50, p99 = np.quantile(values_ms, [0.5, 0.99])
    return Spread(float(p50), float(p99), float(values_ms.max()))


def read_json(path: Path) -> Any:
    """Read a client's result file."""
    return json.loads(path.read_text(encoding="utf-8"))
