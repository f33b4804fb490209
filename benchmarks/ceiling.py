"""The event rate at which tco's client stops being exact: more and more streams."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.client import Client
from benchmarks.load import NOTHING, Load, Pace
from benchmarks.trial import FailedTrialError, Trial, run_trial

STREAMS = (256, 512, 768, 1024, 1280, 1536, 2048, 3072)
_EXACT_P99_MS = 1.0
_DELIVERED = 0.98
_TOKENS = 256


@dataclass(frozen=True, slots=True)
class Step:
    """One number of streams, each with one answer.

    Attributes:
        events_per_s: while all streams run.
        lag_p99_ms: the client's time of an event − the server's send.
        server_late_p99_ms: the server against its own schedule.
        served_share: events a second ÷ those of a client that loses no time.
        cpu_share: of one core, while it ran.
    """

    streams: int
    events_per_s: float
    lag_p50_ms: float | None
    lag_p99_ms: float | None
    server_late_p99_ms: float | None
    served_share: float
    cpu_share: float
    load_average: float

    @property
    def is_exact(self) -> bool:
        """Say whether stamps are right within a millisecond and nothing was held back."""
        lag = self.lag_p99_ms
        return lag is not None and lag < _EXACT_P99_MS and self.served_share > _DELIVERED

    @property
    def is_server_late(self) -> bool:
        """Say whether the server, not the client, was at its limit."""
        late = self.server_late_p99_ms
        return late is None or late >= _EXACT_P99_MS


def ceiling(
    client: Client,
    load: Load,
    pace: Pace,
    say: Callable[[str], None],
    *,
    streams: Sequence[int] = STREAMS,
) -> Iterator[Step]:
    """Yield steps of rising streams until the client is exact no more, or the server is late."""
    for count in streams:
        asked = replace(load, streams=count, requests=count, output_tokens=_TOKENS)
        shutil.rmtree(load.folder, ignore_errors=True)
        load.folder.mkdir(parents=True)
        try:
            trial = run_trial(client, client.find(), asked, pace.options())
        except FailedTrialError as error:
            say(f"{count} streams: {error}")
            return
        step = step_of(trial, asked, pace)
        yield step
        if not step.is_exact:
            return


def step_of(trial: Trial, load: Load, pace: Pace) -> Step:
    """Return the figures of one run."""
    served = trial.truth.served_tok_per_s
    lag = trial.lag or NOTHING
    return Step(
        streams=load.streams,
        events_per_s=load.streams * pace.events_per_s,
        lag_p50_ms=lag.p50_ms,
        lag_p99_ms=lag.p99_ms,
        server_late_p99_ms=trial.truth.late.p99_ms,
        served_share=served / pace.possible_tok_per_s(load),
        cpu_share=trial.cpu_run_s / (trial.truth.events / served),
        load_average=trial.load_average,
    )
