"""What a client's load really was, by the server's own record of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from benchmarks.load import Floats, Spread, Stamps, spread_of
from benchmarks.paced_log import EVENT_FIELDS, REQUEST_FIELDS, ServerLog
from tco.units import MS_PER_S, NS_PER_S

Ints = npt.NDArray[np.int64]
_NS_PER_MS = NS_PER_S // MS_PER_S


@dataclass(frozen=True, slots=True)
class Truth:
    """One run as the server saw it.

    Attributes:
        served_tok_per_s: events ÷ (first receipt to last event).
        ttft: receipt of a request to its first event.
        gaps: all gaps between the events of a request.
        turnaround: from the end of an answer to the request that takes its place; a client
            that is on time shows microseconds.
        late: of the server's sends, against its own schedule.
    """

    requests: int
    events: int
    served_tok_per_s: float
    ttft: Spread
    gaps: Spread
    turnaround: Spread
    late: Spread


def run_rows(log: ServerLog, run_ns: int) -> ServerLog:
    """Return the log without the requests that had ended when the run began (probes)."""
    ended = log.requests[:, REQUEST_FIELDS.index("end_ns")]
    kept = log.requests[(ended == 0) | (ended >= run_ns)]
    return ServerLog(kept, log.events[np.isin(log.events[:, 0], kept[:, 0])])


def truth_of(log: ServerLog, streams: int) -> Truth:
    """Return what the server did for a closed loop of so many streams."""
    received = log.requests[:, REQUEST_FIELDS.index("received_ns")]
    ended = np.sort(log.requests[:, REQUEST_FIELDS.index("end_ns")])
    sent = log.events[:, EVENT_FIELDS.index("sent_ns")]
    starts, gaps = by_request(log.events[:, 0], sent)
    length_s = (sent.max() - received.min()) / NS_PER_S
    later = np.sort(received)[streams:]
    return Truth(
        requests=len(log.requests),
        events=len(sent),
        served_tok_per_s=float(len(sent) / length_s),
        ttft=_ms(starts - received),
        gaps=_ms(gaps),
        turnaround=_ms(later - ended[: len(later)]),
        late=_ms(sent - log.events[:, EVENT_FIELDS.index("due_ns")]),
    )


def by_request(request: Ints, time_ns: Ints) -> tuple[Ints, Ints]:
    """Return each request's first time, and all gaps; requests in the order of their number."""
    order = np.lexsort((time_ns, request))
    request, time_ns = request[order], time_ns[order]
    is_later = request[1:] == request[:-1]
    firsts = np.concatenate([[True], ~is_later])[: len(time_ns)]
    return time_ns[firsts], np.diff(time_ns)[is_later]


def stamp_lag(log: ServerLog, stamps: Stamps) -> Spread | None:
    """Return how late events were stamped: the client's time − the server's send.

    Requests are paired in the order of their first events, which can only exchange those
    closer together than the lag itself. None where the counts of events differ.
    """
    sent = _in_order(log.events[:, 0], log.events[:, EVENT_FIELDS.index("sent_ns")])
    seen = _in_order(stamps.event_request, stamps.event_ns)
    if len(sent) != len(seen):
        return None
    return _ms(seen - sent)


def _in_order(request: Ints, time_ns: Ints) -> Ints:
    """Return times, request after request, the requests by their first event."""
    order = np.lexsort((time_ns, request))
    request, time_ns = request[order], time_ns[order]
    starts = np.flatnonzero(np.concatenate([[True], request[1:] != request[:-1]]))
    lengths = np.diff(np.append(starts, len(request)))
    firsts = np.repeat(time_ns[starts], lengths)
    # A client that stamps a whole wake-up alike has requests that begin at the same time.
    return np.asarray(time_ns[np.lexsort((time_ns, request, firsts))])


def _ms(times_ns: npt.NDArray[np.int64]) -> Spread:
    values: Floats = times_ns / _NS_PER_MS
    return spread_of(values)
