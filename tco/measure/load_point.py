"""Puts one LoadPoint together from the trace, the server's account and the client's own."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

import numpy as np

from tco.finding import Finding
from tco.measure import findings as look
from tco.measure import point
from tco.measure.hold import Held
from tco.measure.load import ClientState
from tco.measure.point import Window
from tco.measure.steady import steadiness
from tco.measure.stream import TokenSource
from tco.measure.telemetry import growth, server_load
from tco.measure.trace import Trace
from tco.measurement import ClientHealth, LoadPoint, MeasuredShape, ServerLoad, TokenCounts
from tco.units import MS_PER_S, NS_PER_S

_NS_PER_MS = NS_PER_S / MS_PER_S
_LEAST_STALL_S = 1.0


@dataclass(frozen=True, slots=True)
class PointFacts:
    """What was decided before the point, and what is known of its surroundings.

    `number` is the point's index in the measurement.
    """

    number: int
    shape: MeasuredShape
    concurrency: int
    seed: int
    started_at: dt.datetime
    engine_start_id: str
    source: TokenSource
    prompt_is_text: bool
    load_average_1m: float | None
    round_trip_ms: float


def load_point(trace: Trace, held: Held, facts: PointFacts) -> LoadPoint:
    """Return the point with every finding on it."""
    window, tokens = held.window, point.tokens_of(trace)
    chosen = point.completed_in(trace, tokens, window)
    counted = point.counting_events(trace)
    e2e_s = point.median_e2e_s(trace, tokens, chosen)
    steady = steadiness(
        trace.event_ns[counted], trace.event_tokens[counted], window.start_ns, window.stop_ns, e2e_s
    )
    rates = point.window_rates(trace, tokens, window, facts.shape)
    server = server_load(held.samples, window.start_ns, window.stop_ns)
    client = client_health(trace, held, facts)
    failures = point.failures_of(trace)
    delivered = point.delivered_concurrency(trace, window)
    counts = token_counts(trace, held, prompt_is_text=facts.prompt_is_text)
    seen = point.mean_shape(trace, tokens, chosen, facts.shape)
    found = (
        look.not_steady(steady, warmed_up=held.warmed_up),
        look.few_batches(steady),
        look.stalled(point.longest_silence_s(trace, window), max(_LEAST_STALL_S, e2e_s or 0.0)),
        look.too_few_requests(int(chosen.sum())),
        look.client_late(client),
        look.client_starved(client),
        look.failed_requests(failures),
        look.lengths_not_as_asked(facts.shape, seen),
        look.fewer_streams(facts.concurrency, delivered, server),
        look.cache_share(facts.shape.cached_input_share, cached_share(counts, server)),
        look.counts_differ(counts),
    )
    return LoadPoint(
        loop="closed",
        concurrency_asked=facts.concurrency,
        concurrency_delivered=delivered,
        offered_requests_per_s=None,
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
        power=None,
        load_average_1m=facts.load_average_1m,
        findings=tuple(
            f.model_copy(update={"path": f"points.{facts.number}"})
            for f in found
            if isinstance(f, Finding)
        ),
    )


def _mean(values: point.Ints) -> float | None:
    return float(values.mean()) if len(values) else None


def token_counts(trace: Trace, held: Held, *, prompt_is_text: bool) -> TokenCounts:
    """Count the whole run's tokens by client, usage and /metrics.

    Usage is None unless every request reported it. The input that was sent is what the
    client built, in token ids; it counts for every request that reached the engine. Of a
    prompt in text only the server knows the length.
    """
    reached = trace.status == 200  # noqa: PLR2004  HTTP OK
    output, inputs = trace.usage_output[reached], trace.usage_input[reached]
    cached = trace.usage_cached[reached]
    before, after, sent = held.before, held.after, trace.asked_input
    return TokenCounts(
        client_output=int(trace.event_tokens.sum()),
        usage_output=_sum(output),
        metrics_output=growth(before, after, "output_tokens"),
        client_input=int((point.input_tokens(trace) if prompt_is_text else sent)[reached].sum()),
        usage_input=_sum(inputs),
        metrics_input=growth(before, after, "input_tokens"),
        cached_input=_first_known(_sum(cached), growth(before, after, "cached_tokens")),
    )


def cached_share(counts: TokenCounts, server: ServerLoad | None) -> float | None:
    """Return the share of prompt tokens out of the prefix cache; None: not reported.

    Of the window, by the server's counters; else of the whole run, by each usage.
    """
    if server is not None and server.prefix_cache_hit_share is not None:
        return server.prefix_cache_hit_share
    if counts.cached_input is None or not counts.client_input:
        return None
    return counts.cached_input / counts.client_input


def _sum(values: point.Ints) -> int | None:
    return int(values.sum()) if len(values) and (values >= 0).all() else None


def _first_known(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def client_health(trace: Trace, held: Held, facts: PointFacts) -> ClientHealth:
    """Return the client's lag (ms) in the window, its CPU over the run and its share then."""
    window = held.window
    inside = window.holds(trace.sent_ns)
    sends = (trace.sent_ns - trace.intended_ns)[inside] / _NS_PER_MS
    stamps = trace.pulse_late_ns[window.holds(trace.pulse_ns)] / _NS_PER_MS
    return ClientHealth(
        send_lag_p50_ms=_quantile(sends, 0.5),
        send_lag_p99_ms=_quantile(sends, 0.99),
        stamp_lag_p50_ms=_quantile(stamps, 0.5),
        stamp_lag_p99_ms=_quantile(stamps, 0.99),
        cpu_s=held.history[-1].cpu_s,
        cpu_share=_cpu_share(held.history, window),
        events=int(trace.events.sum()),
        round_trip_ms=facts.round_trip_ms,
    )


def _quantile(values: point.Floats, share: float) -> float | None:
    return float(np.quantile(values, share)) if len(values) else None


def _cpu_share(history: list[ClientState], window: Window) -> float:
    """Return the client's CPU seconds a second over the window."""
    times = np.array([state.time_ns for state in history], dtype=np.float64)
    cpu = np.array([state.cpu_s for state in history])
    start, stop = np.interp([window.start_ns, window.stop_ns], times, cpu)
    return float(stop - start) / window.length_s
