"""Holds one closed loop on an engine: warm-up, steady window, drain, with /metrics beside it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from tco.errors import EngineError
from tco.measure.client_plan import ClientPlan
from tco.measure.engine_handle import EngineHandle
from tco.measure.engine_http import EngineClient
from tco.measure.load import ClientState, LoadClient, load_client
from tco.measure.point import Window
from tco.measure.progress import Progress
from tco.measure.steady import is_stable
from tco.measure.telemetry import MetricsSample, parse_metrics
from tco.units import NS_PER_S

_SAMPLE_S: Final = 1.0
_IDLE_WAIT_S: Final = 15.0
_POLL_S: Final = 0.2
_LEAST_SPAN_S: Final = 2.0
_CONNECT_S: Final = 60.0
_WARM_UP_SHARE: Final = 0.5
_HOPELESS_FAILURES: Final = 3  # a stream
_HOPELESS_S: Final = 20.0


@dataclass(frozen=True, slots=True)
class HoldLimits:
    """How long the window is, and how long all of it may take."""

    window_s: float
    limit_s: float


@dataclass(slots=True)
class Held:
    """What was seen from outside while the load was held."""

    before: MetricsSample
    round_trip_s: float
    samples: list[MetricsSample] = field(default_factory=list)
    history: list[ClientState] = field(default_factory=list)
    begun_ns: int = 0
    window: Window = field(default_factory=lambda: Window(0, 1))
    warmed_up: bool = False
    after: MetricsSample = field(default_factory=lambda: MetricsSample(0))


def hold(
    plan: ClientPlan,
    handle: EngineHandle,
    limits: HoldLimits,
    progress: Callable[[Progress], None],
) -> Held:
    """Run the plan: warm up until steady, hold the window, let what is in flight end.

    Raises:
        EngineError: the engine died, or fails every request.
    """
    with EngineClient(handle.url, handle.api_key) as http:
        begun = time.monotonic()
        http.ask("/health")
        held = Held(before=_idle_sample(http), round_trip_s=time.monotonic() - begun)
        begun = time.monotonic()
        http.ask("/health")
        held.round_trip_s = time.monotonic() - begun
        with load_client(plan) as client:
            _connect(client)
            held.history = client.history
            held.begun_ns = client.history[0].time_ns
            watch = _Watch(
                plan=plan, handle=handle, http=http, client=client, held=held, progress=progress
            )
            held.warmed_up = watch.warm_up(limits)
            start_ns = time.monotonic_ns()
            watch.keep("window", limits.window_s)
            held.window = Window(start_ns, time.monotonic_ns())
            client.stop()
            watch.drain(plan.drain_s)
        held.after = _idle_sample(http)
    return held


class _Watch:
    """Follows the client and samples the server while time passes."""

    def __init__(
        self,
        *,
        plan: ClientPlan,
        handle: EngineHandle,
        http: EngineClient,
        client: LoadClient,
        held: Held,
        progress: Callable[[Progress], None],
    ) -> None:
        self._plan, self._handle, self._http = plan, handle, http
        self._client, self._held, self._progress = client, held, progress
        self._next_sample = 0.0
        self._good = client.history[0]  # as it was when a request was last completed

    def warm_up(self, limits: HoldLimits) -> bool:
        """Wait until every stream is past its first request and the byte rate is stable.

        Bytes stand for tokens here: their number an event hardly changes, and the client
        parses nothing while it runs.
        """
        begun = time.monotonic()
        limit_s = limits.limit_s * _WARM_UP_SHARE
        while (gone := time.monotonic() - begun) < limit_s:
            self._tick("warm-up", limit_s - gone)
            last = self._client.history[-1]
            if last.streams_warm < self._plan.streams:
                continue
            totals = [(s.time_ns / NS_PER_S, float(s.bytes)) for s in self._client.history]
            if is_stable(totals, max(_LEAST_SPAN_S, gone / 4)):
                return True
        return False

    def keep(self, phase: str, length_s: float) -> None:
        """Let time pass."""
        end = time.monotonic() + length_s
        while (left := end - time.monotonic()) > 0:
            self._tick(phase, left)

    def drain(self, limit_s: float) -> None:
        """Wait until the client has ended."""
        end = time.monotonic() + limit_s
        while not self._client.has_ended and time.monotonic() < end + _CONNECT_S:
            self._tick("drain", max(0.0, end - time.monotonic()))

    def _tick(self, phase: str, left_s: float | None) -> None:
        wait_s = _POLL_S if left_s is None else min(_POLL_S, max(0.0, left_s))
        self._client.wait(wait_s)
        now = time.monotonic()
        if now < self._next_sample:
            return
        self._next_sample = now + _SAMPLE_S
        text = self._http.metrics()
        self._held.samples.append(parse_metrics(text, time.monotonic_ns()))
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
        is_many = failed >= _HOPELESS_FAILURES * self._plan.streams
        return is_many and (state.completed == 0 or is_long)

    def _rate(self) -> float | None:
        """Estimate the output rate (tok/s) from /metrics, else from completed requests."""
        samples = [s for s in self._held.samples[-4:] if s.output_tokens is not None]
        if len(samples) > 1:
            first, last = samples[0], samples[-1]
            tokens = (last.output_tokens or 0.0) - (first.output_tokens or 0.0)
            return tokens / ((last.time_ns - first.time_ns) / NS_PER_S)
        last_state = self._client.history[-1]
        length_s = (last_state.time_ns - self._held.begun_ns) / NS_PER_S
        return last_state.asked_of_completed / length_s if length_s > 0 else None


def _words(phase: str, state: ClientState) -> str:
    words = f"{state.in_flight} in flight, {state.completed} requests done"
    words += f", {state.failed} failed" if state.failed else ""
    return words + (", until the rate is steady" if phase == "warm-up" else "")


def _connect(client: LoadClient) -> None:
    end = time.monotonic() + _CONNECT_S
    while client.state is None:
        client.wait(_POLL_S)
        if time.monotonic() > end:
            raise EngineError("the load client did not connect to the engine")


def _idle_sample(http: EngineClient) -> MetricsSample:
    """Read /metrics once the server is idle and its counters rest, within a bound."""
    end = time.monotonic() + _IDLE_WAIT_S
    before = parse_metrics(http.metrics(), time.monotonic_ns())
    while time.monotonic() < end:
        time.sleep(_POLL_S)
        sample = parse_metrics(http.metrics(), time.monotonic_ns())
        if sample.is_idle and sample.output_tokens == before.output_tokens:
            return sample
        before = sample
    return before
