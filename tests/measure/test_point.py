"""Rates by token arrival, latencies by request: on traces made by hand, with the sums beside."""

import numpy as np
import pytest

from tco.measure import point
from tco.measure.point import Window
from tco.measure.trace import Trace
from tco.measurement import MeasuredShape

MS = 1_000_000
ASKED = MeasuredShape(input_tokens=10, cached_input_share=0, output_tokens=4)
WINDOW = Window(1000 * MS, 2000 * MS)


def trace(*requests):
    """Make a trace of requests: events as (ms, tokens), and what else differs from a good one."""
    count = len(requests)
    events = [(row, at, n) for row, each in enumerate(requests) for at, n in each["events"]]

    def column(name, default):
        return np.array([each.get(name, default(each)) for each in requests], dtype=np.int64)

    def first_ms(each):
        return each["events"][0][0] - 100 if each["events"] else 0

    zeros = np.zeros(count, dtype=np.int64)
    return Trace(
        stream=np.arange(count),
        is_first=column("is_first", lambda _: 0),
        intended_ns=column("intended_ms", first_ms) * MS,
        sent_ns=column("sent_ms", first_ms) * MS,
        end_ns=column("end_ms", lambda each: each["events"][-1][0] if each["events"] else 0) * MS,
        connect_ns=zeros,
        asked_input=np.full(count, 10),
        asked_output=np.full(count, 4),
        failure=np.array([each.get("failure", "") for each in requests], dtype=np.str_),
        status=np.full(count, 200),
        usage_input=zeros - 1,
        usage_output=zeros - 1,
        usage_cached=zeros - 1,
        events=np.array([len(each["events"]) for each in requests]),
        event_request=np.array([row for row, _, _ in events], dtype=np.int64),
        event_ns=np.array([at * MS for _, at, _ in events], dtype=np.int64),
        event_tokens=np.array([n for _, _, n in events], dtype=np.int64),
        event_slack_ns=np.zeros(len(events), dtype=np.int64),
        pulse_ns=zeros,
        pulse_late_ns=zeros,
        row=zeros,
        session=np.arange(count),
        turn=zeros,
    )


def latencies(made):
    tokens = point.tokens_of(made)
    return point.latencies(made, tokens, point.completed_in(made, tokens, WINDOW))


SHORT = {"events": [(1100, 1), (1110, 1)]}
LONG = {"events": [(1200 + 30 * n, 1) for n in range(11)]}
BURSTS = {"events": [(1100, 2), (1140, 4), (1180, 4)]}


def test_tpot_is_one_a_request_and_short_answers_weigh_as_much_as_long_ones():
    tpot = latencies(trace(SHORT, LONG)).tpot
    assert tpot.count == 2
    assert tpot.mean_ms == pytest.approx((10 + 30) / 2)
    # Not by tokens, (1 x 10 + 10 x 30) / 11, nor e2e ÷ tokens.
    assert tpot.mean_ms != pytest.approx(310 / 11)


def test_tpot_and_gaps_part_where_events_hold_several_tokens():
    latency = latencies(trace(BURSTS))
    assert latency.itl.mean_ms == 40
    assert latency.tpot.mean_ms == (1180 - 1100) / (10 - 2)


def test_every_gap_is_kept_so_a_stall_shows():
    stalled = {"events": [(1100, 1), (1110, 1), (1900, 1)]}
    itl = latencies(trace(stalled, *[LONG] * 3)).itl
    assert itl.count == 2 + 3 * 10
    assert itl.max_ms == 790


def test_latency_starts_when_a_request_should_have_been_sent():
    waited = {"events": [(1500, 1), (1600, 1)], "intended_ms": 1000, "sent_ms": 1400}
    latency = latencies(trace(waited))
    assert latency.ttft.mean_ms == 500
    assert latency.e2e.mean_ms == 600


def test_rates_count_tokens_by_arrival_of_requests_that_cross_the_windows_edges():
    into = {"events": [(900, 1), (1000, 1), (1100, 1)]}
    out = {"events": [(1900, 1), (1999, 1), (2000, 1)]}
    unfinished = {"events": [(1500, 3)], "failure": "aborted", "end_ms": 2500}
    failed = {"events": [(1500, 50)], "failure": "error_event"}
    made = trace(into, out, unfinished, failed)
    rates = point.window_rates(made, WINDOW, ASKED)
    assert rates.output_tok_per_s == 2 + 2 + 3
    assert rates.requests_per_s == 7 / 4
    assert rates.total_tok_per_s == rates.input_tok_per_s + rates.output_tok_per_s
    # Latencies are of the one that ended inside; the number in flight at the end is said.
    assert latencies(made).e2e.count == 1
    assert point.unfinished_at(made, WINDOW) == 2


def test_failed_requests_are_in_no_latency_and_no_zero_is_averaged_in():
    empty = {"events": [], "failure": "zero_tokens", "end_ms": 1500}
    assert latencies(trace(SHORT, empty)) == latencies(trace(SHORT))
    failures = point.failures_of(trace(SHORT, empty))
    assert (failures.count, failures.share, failures.by_kind) == (1, 0.5, {"zero_tokens": 1})


def test_a_streams_first_request_of_random_length_is_in_no_latency():
    assert latencies(trace(SHORT, LONG | {"is_first": 1})) == latencies(trace(SHORT))


def test_delivered_concurrency_is_counted_from_what_was_in_flight():
    half = {"events": [(1250, 1), (1500, 1)], "sent_ms": 1000}
    whole = {"events": [(1250, 1), (2250, 1)], "sent_ms": 500}
    assert point.delivered_concurrency(trace(half, whole), WINDOW) == pytest.approx(1.5)
