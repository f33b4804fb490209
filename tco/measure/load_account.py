"""What client and server say of a point: tokens counted three ways, cache, lag and CPU."""

from __future__ import annotations

import os

import numpy as np

from tco.measure import point
from tco.measure.hold import Held
from tco.measure.load import ClientState
from tco.measure.point import Window
from tco.measure.telemetry import growth
from tco.measure.trace import Trace
from tco.measurement import ClientHealth, ServerLoad, TokenCounts
from tco.units import MS_PER_S, NS_PER_S

_NS_PER_MS = NS_PER_S / MS_PER_S


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


def client_health(trace: Trace, held: Held, round_trip_ms: float) -> ClientHealth:
    """Return the client's lag (ms) in the window, its CPU over the run and its share then."""
    window = held.window
    inside = window.holds(trace.sent_ns)
    sends = (trace.sent_ns - trace.intended_ns)[inside] / _NS_PER_MS
    stamps = trace.event_slack_ns[window.holds(trace.event_ns)] / _NS_PER_MS
    wakes = trace.pulse_late_ns[window.holds(trace.pulse_ns)] / _NS_PER_MS
    processes = held.history[-1].processes
    return ClientHealth(
        send_lag_p50_ms=_quantile(sends, 0.5),
        send_lag_p99_ms=_quantile(sends, 0.99),
        stamp_lag_p50_ms=_quantile(stamps, 0.5),
        stamp_lag_p99_ms=_quantile(stamps, 0.99),
        wake_lag_p50_ms=_quantile(wakes, 0.5),
        wake_lag_p99_ms=_quantile(wakes, 0.99),
        cpu_s=held.history[-1].cpu_s,
        cpu_share=(_share(held.history, window, "cpu_s") or 0.0) / processes,
        cpu_wait_share=_share(held.history, window, "waited_s"),
        cpu_throttled_share=_share(held.history, window, "throttled_s"),
        is_real_time=held.history[-1].real_time_processes == processes,
        cpu_stolen_share=_share(held.history, window, "stolen_s", of=os.cpu_count() or 1),
        events=int(trace.events.sum()),
        round_trip_ms=round_trip_ms,
    )


def _quantile(values: point.Floats, share: float) -> float | None:
    return float(np.quantile(values, share)) if len(values) else None


def _share(history: list[ClientState], window: Window, name: str, of: int = 1) -> float | None:
    """Return how many of a counter's seconds fell into each second of the window."""
    known = [(s.time_ns, value) for s in history if (value := getattr(s, name)) is not None]
    if not known:
        return None
    times, values = np.array(known, dtype=np.float64).T
    start, stop = np.interp([window.start_ns, window.stop_ns], times, values)
    return float(stop - start) / window.length_s / of
