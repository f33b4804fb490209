"""Holds one load on an engine: warm-up, steady window, drain, with /metrics beside it."""

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
from tco.measure.telemetry import MetricsSample, parse_metrics
from tco.measure.watch import Watch
from tco.units import NS_PER_S

_IDLE_WAIT_S: Final = 15.0
_POLL_S: Final = 0.2
_CONNECT_S: Final = 60.0
_WARM_UP_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class HoldLimits:
    """How long the parts of a load are (s).

    Attributes:
        window_s: the steady window.
        limit_s: all of it; a closed loop's warm-up may take half.
        warm_up_s: of an open loop, whose schedule knows it; None of a closed one.
        tail_s: of an open loop: arrivals go on so long after the window, so that its last
            requests end under the load, too.
    """

    window_s: float
    limit_s: float
    warm_up_s: float | None = None
    tail_s: float = 0.0


@dataclass(slots=True)
class Held:
    """What was seen from outside while the load was held.

    `stopped_early` says that an open loop's requests in flight grew so clearly that the window
    was cut short.
    """

    before: MetricsSample
    round_trip_s: float
    samples: list[MetricsSample] = field(default_factory=list)
    history: list[ClientState] = field(default_factory=list)
    begun_ns: int = 0
    window: Window = field(default_factory=lambda: Window(0, 1))
    warmed_up: bool = False
    after: MetricsSample = field(default_factory=lambda: MetricsSample(0))
    stopped_early: bool = False


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
            held.begun_ns = client.history[0].begun_ns
            watch = Watch(
                streams=plan.streams,
                handle=handle,
                http=http,
                client=client,
                samples=held.samples,
                progress=progress,
            )
            if limits.warm_up_s is None:
                _closed(held, watch, limits)
            else:
                _open(held, watch, limits, limits.warm_up_s)
            client.stop()
            watch.drain(plan.drain_s + _CONNECT_S)
        # What died after the last look would else pass for a run with some failures.
        if not handle.is_alive():
            raise EngineError("the engine died under load", remedy="see its log")
        held.after = _idle_sample(http)
    return held


def _closed(held: Held, watch: Watch, limits: HoldLimits) -> None:
    held.warmed_up = watch.warm_up(limits.limit_s * _WARM_UP_SHARE)
    start_ns = time.monotonic_ns()
    watch.until("window", start_ns + round(limits.window_s * NS_PER_S))
    held.window = Window(start_ns, time.monotonic_ns())


def _open(held: Held, watch: Watch, limits: HoldLimits, warm_up_s: float) -> None:
    start_ns = held.begun_ns + round(warm_up_s * NS_PER_S)
    stop_ns = start_ns + round(limits.window_s * NS_PER_S)
    held.warmed_up = True
    watch.until("warm-up", start_ns)
    held.stopped_early = not watch.unless_growing("window", stop_ns)
    held.window = Window(start_ns, min(stop_ns, time.monotonic_ns()))
    if not held.stopped_early:
        watch.until("tail", stop_ns + round(limits.tail_s * NS_PER_S))


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
