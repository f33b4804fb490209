"""How long agent sessions took: from their start to the final answer, with and without waits."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tco.measure.point import Tokens, Window
from tco.measure.trace import Trace
from tco.measurement import Sessions
from tco.quantiles import quantiles_of
from tco.units import MS_PER_S, NS_PER_S

Ints = npt.NDArray[np.int64]
_NS_PER_MS = NS_PER_S / MS_PER_S


def sessions_of(trace: Trace, tokens: Tokens, window: Window, concurrent: int) -> Sessions:
    """Return the figures of the sessions whose final answer ended in the window.

    A stream takes a next session when its last one is through, so a session is complete where
    its stream went on to another. Left out are those with a failed request, and each stream's
    first one, which began in the middle.

    Args:
        trace: of a closed loop.
        tokens: of its requests.
        window: the steady one.
        concurrent: sessions asked for at a time.
    """
    order = np.lexsort((trace.turn, trace.sent_ns, trace.session))
    session = trace.session[order]
    starts = np.flatnonzero(np.concatenate([[True], session[1:] != session[:-1]])[: len(order)])
    ends = np.append(starts[1:], len(order))[: len(starts)] - 1
    first, last = order[starts], order[ends]

    def summed(values: Ints) -> Ints:
        return np.add.reduceat(values[order], starts) if len(starts) else starts

    is_bad = summed(((trace.failure != "") | (trace.is_first != 0)).astype(np.int64)) > 0
    is_through = trace.sent_ns[last] < _last_start(trace, first)
    chosen = is_through & ~is_bad & window.holds(tokens.last_ns[last])
    job = (tokens.last_ns[last] - trace.intended_ns[first])[chosen]
    busy = summed(tokens.last_ns - trace.intended_ns)[chosen]
    counts = (ends - starts + 1)[chosen]
    return Sessions(
        concurrent_asked=concurrent,
        completed=int(chosen.sum()),
        requests_mean=float(counts.mean()) if len(counts) else 0.0,
        job=quantiles_of(job / _NS_PER_MS),
        busy=quantiles_of(busy / _NS_PER_MS),
    )


def _last_start(trace: Trace, first: Ints) -> Ints:
    """Return, for each session, when its stream's last session began (ns)."""
    streams = trace.stream[first]
    latest = np.zeros(int(streams.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(latest, streams, trace.sent_ns[first])
    return np.asarray(latest[streams])
