"""Puts one LoadPoint together from the trace, the server's account and the client's own."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from tco.finding import Finding
from tco.measure import findings as look
from tco.measure import point
from tco.measure.client_findings import client_findings
from tco.measure.hold import Held
from tco.measure.load_account import cached_share, client_health, token_counts
from tco.measure.load_findings import overloaded, rate_not_as_asked, too_few_for_slo
from tco.measure.overload import growth_over
from tco.measure.power.recorder import NO_POWER, PointPower
from tco.measure.service_level import judge, requests_needed
from tco.measure.session_times import sessions_of
from tco.measure.steady import Steadiness, steadiness
from tco.measure.stream import TokenSource
from tco.measure.telemetry import server_load
from tco.measure.trace import Trace
from tco.measurement import (
    LoadPoint,
    MeasuredShape,
    OpenLoop,
    ServerLoad,
    ServiceLevel,
)
from tco.units import NS_PER_S

_LEAST_STALL_S = 1.0
_LONG_GAPS = 10.0  # arrivals by chance leave such a gap once in e^10 times

Purpose = Literal["curve", "search", "target"]


@dataclass(frozen=True, slots=True)
class PointFacts:
    """What was decided before the point, and what is known of its surroundings.

    Attributes:
        number: the point's index in the measurement.
        concurrency: streams of a closed loop; None of an open one.
        offered_requests_per_s: of an open loop, over the window.
        starts: of an open loop's sessions, planned in the window.
        slo: limits in ms by key, such as `ttft_p95_ms`.
        has_sessions: whether the streams are agent sessions.
        lengths_vary: whether the lengths asked for are not the shape's alone.
        capacity_requests_per_s: what the load is a share of, if it is known.
        key_sha256: of all that makes the point reusable.
    """

    number: int
    shape: MeasuredShape
    concurrency: int | None
    seed: int
    started_at: dt.datetime
    engine_start_id: str
    source: TokenSource
    prompt_is_text: bool
    load_average_1m: float | None
    round_trip_ms: float
    purpose: Purpose = "curve"
    offered_requests_per_s: float | None = None
    starts: int = 0
    slo: dict[str, float] = field(default_factory=dict)
    has_sessions: bool = False
    lengths_vary: bool = False
    capacity_requests_per_s: float | None = None
    key_sha256: str | None = None

    @property
    def is_open(self) -> bool:
        """Say whether requests came at their own times."""
        return self.concurrency is None


def load_point(
    trace: Trace, held: Held, facts: PointFacts, meters: PointPower = NO_POWER
) -> LoadPoint:
    """Return the point with every finding on it; `meters` is what they said of its power."""
    window, tokens = held.window, point.tokens_of(trace)
    chosen = point.is_chosen(trace, tokens, window, is_open=facts.is_open)
    counted = point.counting_events(trace)
    e2e_s = point.median_e2e_s(trace, tokens, chosen)
    steady = steadiness(
        trace.event_ns[counted], trace.event_tokens[counted], window.start_ns, window.stop_ns, e2e_s
    )
    seen = point.mean_shape(trace, tokens, chosen, facts.shape)
    rates = point.window_rates(trace, window, seen)
    server = server_load(held.samples, window.start_ns, window.stop_ns)
    client = client_health(trace, held, facts.round_trip_ms)
    failures = point.failures_of(trace)
    delivered = point.delivered_concurrency(trace, window)
    counts = token_counts(trace, held, prompt_is_text=facts.prompt_is_text)
    level = judge(facts.slo, trace, tokens, window, is_open=facts.is_open)
    loop = open_loop(trace, held, facts)
    found = (
        *_loop_findings(facts, loop, delivered, server, held),
        _unsteady(steady, held, loop),
        None if held.stopped_early else look.few_batches(steady),
        look.stalled(point.longest_silence_s(trace, window), _longest_wait_s(facts, e2e_s)),
        *_too_few(int(chosen.sum()), level, facts, held),
        *client_findings(client),
        look.failed_requests(failures),
        look.lengths_not_as_asked(_asked(trace, chosen, facts), seen),
        look.cache_share(facts.shape.cached_input_share or 0.0, cached_share(counts, server)),
        look.counts_differ(counts),
        *meters.findings,
    )
    return LoadPoint(
        purpose=facts.purpose,
        loop="open" if facts.is_open else "closed",
        concurrency_asked=facts.concurrency,
        concurrency_delivered=delivered,
        offered_requests_per_s=facts.offered_requests_per_s,
        started_at=facts.started_at,
        warm_up_s=(window.start_ns - held.begun_ns) / NS_PER_S,
        window_s=window.length_s,
        run_s=(held.history[-1].time_ns - held.begun_ns) / NS_PER_S,
        seed=facts.seed,
        engine_start_id=facts.engine_start_id,
        requests_sent=len(trace),
        requests_in_window=int(chosen.sum()),
        requests_unfinished=point.unfinished_at(trace, window),
        rates=rates.model_copy(update={"output_tok_per_s_interval": steady.interval}),
        whole_run_rates=point.whole_run_rates(trace, tokens, facts.shape),
        latency=point.latencies(trace, tokens, chosen),
        failures=failures,
        tokens=counts,
        tokens_per_event_mean=_mean(trace.event_tokens),
        token_count_source=facts.source,
        client=client,
        server=server,
        power=meters.power,
        other_power=meters.other_power,
        load_average_1m=facts.load_average_1m,
        service_level=level,
        open_loop=loop,
        sessions=sessions_of(trace, tokens, window, facts.concurrency)
        if facts.has_sessions and facts.concurrency is not None
        else None,
        key_sha256=facts.key_sha256,
        findings=tuple(
            f.model_copy(update={"path": f"points.{facts.number}"})
            for f in found
            if isinstance(f, Finding)
        ),
    )


def open_loop(trace: Trace, held: Held, facts: PointFacts) -> OpenLoop | None:
    """Return what an open loop asked and did; None of a closed one."""
    offered = facts.offered_requests_per_s
    if offered is None:
        return None
    window = held.window
    begun = int((window.holds(trace.sent_ns) & (trace.turn == 0)).sum())
    flight = growth_over(trace.sent_ns, trace.end_ns, (window.start_ns, window.stop_ns))
    return OpenLoop(
        offered_requests_per_s=offered,
        # Later turns come when they are answered; their number is the engine's doing.
        sent_requests_per_s=offered * begun / facts.starts if facts.starts else 0.0,
        in_flight_slope_per_s=flight.slope_per_s,
        in_flight_slope_interval=flight.interval,
        is_overloaded=flight.is_overload or held.stopped_early,
        load=offered / facts.capacity_requests_per_s if facts.capacity_requests_per_s else None,
    )


def _loop_findings(
    facts: PointFacts,
    loop: OpenLoop | None,
    delivered: float,
    server: ServerLoad | None,
    held: Held,
) -> tuple[Finding | None, ...]:
    if loop is not None:
        is_search = facts.purpose == "search"
        off = None if held.stopped_early else rate_not_as_asked(loop, held.window.length_s)
        return overloaded(loop, is_search=is_search), off
    if facts.has_sessions or facts.concurrency is None:
        return ()  # a session that waits for its tool has no request in flight
    return (look.fewer_streams(facts.concurrency, delivered, server),)


def _too_few(
    completed: int, level: ServiceLevel | None, facts: PointFacts, held: Held
) -> tuple[Finding | None, ...]:
    """Look for too few requests; of a load broken off as an overload they are no news."""
    if held.stopped_early:
        return ()
    wanted = requests_needed(facts.slo)
    for_slo = None if level is None else too_few_for_slo(level, completed, wanted)
    return look.too_few_requests(completed), for_slo


def _unsteady(steady: Steadiness, held: Held, loop: OpenLoop | None) -> Finding | None:
    """Look for a rate that is not steady; of an overloaded open loop that is no news."""
    if loop is not None and loop.is_overloaded:
        return None
    return look.not_steady(steady, warmed_up=held.warmed_up)


def _longest_wait_s(facts: PointFacts, e2e_s: float | None) -> float:
    """Return how long no token may arrive: a request's time; a few gaps between arrivals, too."""
    rate = facts.offered_requests_per_s
    gap_s = _LONG_GAPS / rate if rate else 0.0
    return max(_LEAST_STALL_S, e2e_s or 0.0, gap_s)


def _asked(trace: Trace, chosen: npt.NDArray[np.bool_], facts: PointFacts) -> MeasuredShape:
    """Return the mean lengths asked for: of the very requests that count where lengths vary."""
    if not facts.lengths_vary or not chosen.any():
        return facts.shape
    return facts.shape.model_copy(
        update={
            "input_tokens": float(trace.asked_input[chosen].mean()),
            "output_tokens": float(trace.asked_output[chosen].mean()),
        }
    )


def _mean(values: point.Ints) -> float | None:
    return float(values.mean()) if len(values) else None
