"""Watches a load while time passes: the client's word, the server's /metrics, signs of trouble."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

import numpy as np

from tco.errors import EngineError
from tco.measure.engine_handle import EngineHandle
from tco.measure.engine_http import EngineClient
from tco.measure.load import ClientState, LoadClient
from tco.measure.overload import growth
from tco.measure.progress import Progress
from tco.measure.steady import is_stable
from tco.measure.telemetry import MetricsSample, parse_metrics
from tco.units import NS_PER_S

_SAMPLE_S: Final = 1.0
_POLL_S: Final = 0.2
_LEAST_SPAN_S: Final = 2.0
_HOPELESS_FAILURES: Final = 3  # a stream
_HOPELESS_S: Final = 20.0
_LEAST_WATCHED_S: Final = 5.0
_LEAST_WATCHED_SHARE: Final = 0.2  # of a window, before it may be cut short
_CLEAR_GROWTH: Final = 1.0  # of what was in flight when the window began
_LEAST_GROWTH: Final = 16.0  # requests
_WATCHED_PARTS: Final = 10


class Watch:
    """Follows the client and samples the server while time passes."""

    def __init__(
        self,
        *,
        streams: int,
        handle: EngineHandle,
        http: EngineClient,
        client: LoadClient,
        samples: list[MetricsSample],
        progress: Callable[[Progress], None],
    ) -> None:
        self._streams, self._handle, self._http = streams, handle, http
        self._client, self._samples, self._progress = client, samples, progress
        self._begun_ns = client.history[0].time_ns
        self._next_sample = 0.0
        self._good = client.history[0]  # as it was when a request was last completed

    def warm_up(self, limit_s: float) -> bool:
        """Wait until every stream is past its first request and the byte rate is stable.

        Bytes stand for tokens here: their number an event hardly changes, and the client
        parses nothing while it runs.
        """
        begun = time.monotonic()
        while (gone := time.monotonic() - begun) < limit_s:
            self._tick("warm-up", limit_s - gone)
            last = self._client.history[-1]
            if last.streams_warm < self._streams:
                continue
            totals = [(s.time_ns / NS_PER_S, float(s.bytes)) for s in self._client.history]
            if is_stable(totals, max(_LEAST_SPAN_S, gone / 4)):
                return True
        return False

    def until(self, phase: str, end_ns: int) -> None:
        """Let time pass until a moment of the monotonic clock."""
        while (left_ns := end_ns - time.monotonic_ns()) > 0:
            self._tick(phase, left_ns / NS_PER_S)

    def unless_growing(self, phase: str, end_ns: int) -> bool:
        """Let time pass, but return False as soon as requests in flight clearly grow.

        Clearly: by the low end of their slope's interval, to twice what they were and more. It
        is looked at again and again, so that chance has many turns.
        """
        start_ns = time.monotonic_ns()
        length_s = (end_ns - start_ns) / NS_PER_S
        least_s = max(_LEAST_WATCHED_S, _LEAST_WATCHED_SHARE * length_s)
        while (left_ns := end_ns - time.monotonic_ns()) > 0:
            self._tick(phase, left_ns / NS_PER_S)
            gone_s = (time.monotonic_ns() - start_ns) / NS_PER_S
            if gone_s >= least_s and _grows(self._client.history, start_ns):
                return False
        return True

    def drain(self, limit_s: float) -> None:
        """Wait until the client has ended."""
        end = time.monotonic() + limit_s
        while not self._client.has_ended and time.monotonic() < end:
            self._tick("drain", max(0.0, end - time.monotonic()))

    def _tick(self, phase: str, left_s: float) -> None:
        self._client.wait(min(_POLL_S, max(0.0, left_s)))
        now = time.monotonic()
        if now < self._next_sample:
            return
        self._next_sample = now + _SAMPLE_S
        text = self._http.metrics()
        self._samples.append(parse_metrics(text, time.monotonic_ns()))
        self._check(phase)
        state = self._client.history[-1]
        self._progress(Progress(phase, _words(phase, state), self._rate(), left_s))

    def _check(self, phase: str) -> None:
        state = self._client.history[-1]
        if phase != "drain" and self._client.has_ended:
            raise EngineError(f"the load client ended early: {state.reason}")
        if not self._handle.is_alive():
            raise EngineError("the engine died under load", remedy="see its log")
        if self._is_hopeless(state, phase):
            raise EngineError(
                f"every request fails ({state.failed - self._good.failed} in a row)",
                remedy="see the engine's log, and whether the shape fits its context length",
            )

    def _is_hopeless(self, state: ClientState, phase: str) -> bool:
        """Say whether to give up: none was ever good, or none for long in the warm-up.

        Once the window has begun the failures are for the findings to tell.
        """
        if state.completed > self._good.completed:
            self._good = state
        for_s = (state.time_ns - self._good.time_ns) / NS_PER_S
        is_long = phase == "warm-up" and for_s >= _HOPELESS_S
        failed = state.failed - self._good.failed
        is_many = failed >= _HOPELESS_FAILURES * self._streams
        return is_many and (state.completed == 0 or is_long)

    def _rate(self) -> float | None:
        """Estimate the output rate (tok/s) from /metrics, else from completed requests."""
        samples = [s for s in self._samples[-4:] if s.output_tokens is not None]
        if len(samples) > 1:
            first, last = samples[0], samples[-1]
            tokens = (last.output_tokens or 0.0) - (first.output_tokens or 0.0)
            return tokens / ((last.time_ns - first.time_ns) / NS_PER_S)
        last_state = self._client.history[-1]
        length_s = (last_state.time_ns - self._begun_ns) / NS_PER_S
        return last_state.asked_of_completed / length_s if length_s > 0 else None


def _grows(history: list[ClientState], start_ns: int) -> bool:
    """Say whether requests in flight clearly grow since a moment, by the client's half seconds."""
    inside = [state for state in history if state.time_ns >= start_ns]
    if len(inside) < _WATCHED_PARTS:
        return False
    numbers = np.array([float(state.in_flight) for state in inside])
    gone_s = (inside[-1].time_ns - inside[0].time_ns) / NS_PER_S
    parts = np.array([part.mean() for part in np.array_split(numbers, _WATCHED_PARTS)])
    grown = growth(parts, gone_s / (_WATCHED_PARTS - 1)).low * gone_s
    return bool(grown >= max(_LEAST_GROWTH, _CLEAR_GROWTH * float(parts[0])))


def _words(phase: str, state: ClientState) -> str:
    words = f"{state.in_flight} in flight, {state.completed} requests done"
    words += f", {state.failed} failed" if state.failed else ""
    return words + (", until the rate is steady" if phase == "warm-up" else "")
