"""Sessions are timed from their start to the final answer, whole ones only."""

import numpy as np
import pytest

from tco.measure.point import Window, tokens_of
from tco.measure.session_times import sessions_of
from tco.measure.trace import Trace

MS = 1_000_000


def trace_of(rows):
    """Make a trace of (stream, session, turn, intended ms, last token ms, is_first, failure)."""
    count = len(rows)
    columns = list(zip(*rows, strict=True))
    known = {
        "stream": columns[0], "session": columns[1], "turn": columns[2],
        "is_first": columns[5],
    }  # fmt: skip
    intended, last = (np.array(columns[i], dtype=np.int64) * MS for i in (3, 4))
    arrays = {name: np.array(value, dtype=np.int64) for name, value in known.items()}
    arrays |= {"intended_ns": intended, "sent_ns": intended, "end_ns": last}
    arrays |= {"event_request": np.arange(count), "event_ns": last}
    arrays |= {"event_tokens": np.ones(count, dtype=np.int64)}
    arrays |= {"failure": np.array(columns[6], dtype=np.str_)}
    names = Trace.__dataclass_fields__
    return Trace(**{name: arrays.get(name, np.zeros(count, dtype=np.int64)) for name in names})


def figures(rows, window=Window(0, 10_000 * MS)):  # noqa: B008  frozen
    trace = trace_of(rows)
    return sessions_of(trace, tokens_of(trace), window, 2)


WHOLE = [
    (0, 7, 0, 1000, 1400, 0, ""),
    (0, 7, 1, 1900, 2200, 0, ""),  # after a tool of 500 ms
    (0, 8, 0, 2200, 2300, 0, ""),  # the next one, by which 7 is through
]


def test_a_job_is_from_the_start_to_the_final_answer_and_busy_is_without_waits():
    found = figures(WHOLE * 1)
    assert (found.completed, found.requests_mean, found.concurrent_asked) == (1, 2.0, 2)
    assert found.job.mean_ms == pytest.approx(1200)
    assert found.busy.mean_ms == pytest.approx(700)


def test_a_session_whose_stream_has_not_gone_on_may_not_be_whole():
    assert figures(WHOLE[:2]).completed == 0


def test_a_session_begun_in_the_middle_or_with_a_failed_call_is_left_out():
    begun = [(*WHOLE[0][:5], 1, ""), *WHOLE[1:]]
    failed = [WHOLE[0], (*WHOLE[1][:6], "stream_cut"), WHOLE[2]]
    assert figures(begun).completed == figures(failed).completed == 0


def test_only_sessions_that_ended_in_the_window_count():
    assert figures(WHOLE, Window(2100 * MS, 9000 * MS)).completed == 1
    assert figures(WHOLE, Window(2300 * MS, 9000 * MS)).completed == 0
