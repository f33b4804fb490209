"""What a run really was, from the server's log."""

import numpy as np
import pytest

from benchmarks.load import Stamps
from benchmarks.paced_log import ServerLog
from benchmarks.truth import run_rows, stamp_lag, truth_of

MS = 1_000_000


def log(requests, events):
    """Requests as (number, received, end) and events as (request, due, sent), in ms."""
    rows = [(number, 1, received * MS, end * MS, 4, 2) for number, received, end in requests]
    sends = [(number, due * MS, int(sent * MS)) for number, due, sent in events]
    return ServerLog(np.array(rows, dtype=np.int64), np.array(sends, dtype=np.int64))


TWO = log(
    [(0, 0, 30), (1, 5, 40), (2, 32, 60)],
    [(0, 10, 10), (1, 15, 15.5), (0, 30, 30), (1, 40, 40), (2, 42, 42), (2, 60, 60)],
)


def test_times_and_rate_are_those_of_the_log():
    truth = truth_of(TWO, streams=2)
    assert truth.events == 6
    assert truth.served_tok_per_s == pytest.approx(6 / 0.060)
    assert truth.ttft.p50_ms == pytest.approx(10)
    assert truth.ttft.max_ms == pytest.approx(10.5)
    assert truth.gaps.max_ms == pytest.approx(24.5)
    assert truth.late.max_ms == pytest.approx(0.5)


def test_the_next_request_is_late_by_what_passed_since_an_answer_ended():
    assert truth_of(TWO, streams=2).turnaround.p50_ms == pytest.approx(2)


def test_a_client_that_fills_no_stream_twice_has_no_next_request():
    assert truth_of(TWO, streams=3).turnaround.p50_ms is None


def test_requests_that_ended_before_the_run_are_no_part_of_it():
    rows = run_rows(TWO, run_ns=35 * MS)
    assert rows.requests[:, 0].tolist() == [1, 2]
    assert set(rows.events[:, 0].tolist()) == {1, 2}


def test_stamps_are_compared_event_by_event_whatever_the_order_of_requests():
    # The client numbers the requests 7, 3, 5 and is 1 ms late, once 4 ms.
    seen = [(7, 11), (3, 16.5), (7, 31), (3, 41), (5, 43), (5, 64)]
    stamps = Stamps(
        np.array([request for request, _ in seen]),
        np.array([int(time * MS) for _, time in seen]),
    )
    lag = stamp_lag(TWO, stamps)
    assert lag.p50_ms == pytest.approx(1)
    assert lag.max_ms == pytest.approx(4)


def test_requests_that_begin_at_the_same_stamp_are_not_mixed():
    server = log([(0, 0, 30), (1, 0, 31)], [(n, t, t) for n in (0, 1) for t in (10 + n, 30 + n)])
    seen = Stamps(np.array([4, 5, 4, 5]), np.array([12, 12, 31, 31]) * MS)
    assert stamp_lag(server, seen).max_ms == pytest.approx(2)


def test_stamps_of_another_number_of_events_are_not_compared():
    assert stamp_lag(TWO, Stamps(np.array([0]), np.array([1]))) is None
