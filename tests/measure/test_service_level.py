"""The service level is judged by quantiles, and goodput by each request alone."""

import numpy as np
import pytest

from tco.measure.point import Window, tokens_of
from tco.measure.service_level import judge, requests_needed
from tco.measure.trace import Trace
from tco.service_limit import limits_of

WINDOW = Window(0, 10_000_000_000)
MS = 1_000_000


def trace_of(requests):
    """Make a trace of (intended ms, [event ms], failure), one token an event."""
    count = len(requests)
    ints = {
        name: np.zeros(count, dtype=np.int64)
        for name in (
            "row", "session", "turn", "stream", "is_first", "connect_ns", "asked_input",
            "asked_output", "status", "usage_input", "usage_output", "usage_cached", "events",
        )
    }  # fmt: skip
    intended = np.array([r[0] for r in requests], dtype=np.int64) * MS
    ends = np.array([max([r[0], *r[1]]) for r in requests], dtype=np.int64) * MS
    events = [(i, t) for i, r in enumerate(requests) for t in r[1]]
    known = {
        **ints,
        "intended_ns": intended,
        "sent_ns": intended,
        "end_ns": ends,
        "failure": np.array([r[2] for r in requests], dtype=np.str_),
        "event_request": np.array([i for i, _ in events], dtype=np.int64),
        "event_ns": np.array([t for _, t in events], dtype=np.int64) * MS,
        "event_tokens": np.ones(len(events), dtype=np.int64),
        "pulse_ns": np.empty(0, dtype=np.int64),
        "pulse_late_ns": np.empty(0, dtype=np.int64),
    }
    names = Trace.__dataclass_fields__
    return Trace(**{name: known.get(name, np.zeros(count, dtype=np.int64)) for name in names})


def judged(slo, requests, **given):
    trace = trace_of(requests)
    return judge(slo, trace, tokens_of(trace), WINDOW, **given)


def good(ttft, gaps, at=1000):
    first = at + ttft
    return (at, [first, *(first + int(s) for s in np.cumsum(gaps))], "")


def test_without_a_service_level_there_is_no_verdict():
    assert judged({}, [good(10, [5])]) is None


def test_a_limit_holds_by_its_quantile():
    requests = [good(10, [5])] * 95 + [good(90, [5])] * 5
    kept, broken = (judged({"ttft_p90_ms": limit}, requests) for limit in (10, 9))
    assert (kept.holds, broken.holds) == (True, False)
    assert kept.terms[0].seen_ms == pytest.approx(10)
    assert kept.goodput_share == pytest.approx(0.95)
    assert kept.goodput_requests_per_s == pytest.approx(9.5)


def test_with_too_few_requests_a_quantile_is_not_told():
    level = judged({"e2e_p95_ms": 1000}, [good(10, [5])] * 99)
    assert (level.holds, level.terms[0].seen_ms) == (None, None)
    assert level.goodput_share == 1.0


def test_one_broken_limit_breaks_the_level_though_another_cannot_be_told():
    level = judged({"e2e_p99_ms": 1000, "ttft_p50_ms": 1}, [good(10, [5])] * 50)
    assert level.holds is False


def test_a_request_keeps_an_itl_limit_by_its_own_quantile_of_gaps():
    stalled, smooth = good(10, [5, 5, 200]), good(10, [5, 5, 5])
    level = judged({"itl_p95_ms": 50}, [stalled] * 10 + [smooth] * 90)
    assert level.terms[0].seen_ms == pytest.approx(5)
    assert level.goodput_share == pytest.approx(0.9)


def test_failed_requests_keep_nothing():
    failed = (1000, [1010, 1015], "stream_cut")
    level = judged({"ttft_p50_ms": 100}, [good(10, [5])] * 30 + [failed] * 10)
    assert level.goodput_share == pytest.approx(0.75)
    assert level.holds


def test_an_open_loop_judges_by_arrival_and_counts_what_had_not_ended():
    """Half of the requests never ended: the median is theirs, by the time they took so far."""
    waiting = (1000, [], "aborted")
    requests = [good(10, [5])] * 20 + [waiting] * 30
    trace = trace_of(requests)
    trace.end_ns[20:] = 9000 * MS
    slo = {"ttft_p50_ms": 100}
    level = judge(slo, trace, tokens_of(trace), WINDOW, is_open=True)
    assert level.holds is False
    assert level.terms[0].seen_ms == pytest.approx(8000)
    assert level.goodput_share == pytest.approx(0.4)
    late = judged(slo, [good(10, [5], at=9_999)] * 20, is_open=True)
    assert late.holds


def test_the_limits_are_read_from_their_keys():
    limits = limits_of({"itl_p99_ms": 20.0, "ttft_p95_ms": 2000.0})
    assert [(one.latency, one.quantile, one.limit_ms) for one in limits] == [
        ("itl", 0.99, 20.0),
        ("ttft", 0.95, 2000.0),
    ]
    assert requests_needed({"itl_p99_ms": 20.0, "ttft_p95_ms": 2000.0}) == 100
    with pytest.raises(ValueError, match="ttft_p96"):
        limits_of({"ttft_p96": 1})
