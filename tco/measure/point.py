"""From a Trace and a window to figures: rates by token arrival, latencies by completion.

Rates count every token that arrived in the window, of finished and unfinished requests
alike, without those of failed ones. Latencies are of the good requests whose last token
arrived in the window, a stream's discarded first request excepted.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tco.measure.trace import Trace
from tco.measurement import Failures, Latency, MeasuredShape, Rates, rates_of
from tco.quantiles import quantiles_of
from tco.units import MS_PER_S, NS_PER_S

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
_NS_PER_MS = NS_PER_S / MS_PER_S
_UNFINISHED = "aborted"


@dataclass(frozen=True, slots=True)
class Window:
    """The steady window, in ns of the monotonic clock."""

    start_ns: int
    stop_ns: int

    @property
    def length_s(self) -> float:
        """Its length."""
        return (self.stop_ns - self.start_ns) / NS_PER_S

    def holds(self, times_ns: Ints) -> npt.NDArray[np.bool_]:
        """Say which times lie in it."""
        return np.asarray((times_ns >= self.start_ns) & (times_ns < self.stop_ns))


@dataclass(frozen=True, slots=True)
class Tokens:
    """Per request (NaN or 0 where it has none): first and last token's time, token counts."""

    first_ns: Ints
    last_ns: Ints
    total: Ints
    in_first: Ints


def tokens_of(trace: Trace) -> Tokens:
    """Return each request's token times and counts."""
    count = len(trace)
    order = np.arange(len(trace.event_request))
    first, last = np.full(count, -1), np.full(count, -1)
    # The last assignment to an index wins, so first goes through the events backwards.
    first[trace.event_request[::-1]] = order[::-1]
    last[trace.event_request] = order
    total = np.bincount(trace.event_request, weights=trace.event_tokens, minlength=count)
    has = first >= 0
    padded_ns = np.append(trace.event_ns, 0)
    padded_tokens = np.append(trace.event_tokens, 0)
    return Tokens(
        first_ns=np.where(has, padded_ns[first], 0),
        last_ns=np.where(has, padded_ns[last], 0),
        total=total.astype(np.int64),
        in_first=np.where(has, padded_tokens[first], 0),
    )


def completed_in(trace: Trace, tokens: Tokens, window: Window) -> npt.NDArray[np.bool_]:
    """Say which requests' latencies count."""
    is_asked = (trace.failure == "") & (trace.is_first == 0)
    return np.asarray(is_asked & window.holds(tokens.last_ns))


def is_chosen(
    trace: Trace, tokens: Tokens, window: Window, *, is_open: bool
) -> npt.NDArray[np.bool_]:
    """Say which requests' latencies count: of an open loop the good ones that arrived in time.

    By arrival, because near an overload those that end in a window are the lucky ones.
    """
    if not is_open:
        return completed_in(trace, tokens, window)
    return np.asarray((trace.failure == "") & window.holds(trace.intended_ns))


def is_unfinished_arrival(trace: Trace, window: Window) -> npt.NDArray[np.bool_]:
    """Say which requests arrived in the window and had not ended when the run did."""
    return np.asarray((trace.failure == _UNFINISHED) & window.holds(trace.intended_ns))


def counting_events(trace: Trace) -> npt.NDArray[np.bool_]:
    """Say which events count for rates: all but those of failed requests."""
    is_good = (trace.failure == "") | (trace.failure == _UNFINISHED)
    return np.asarray(is_good[trace.event_request])


def window_rates(trace: Trace, window: Window, shape: MeasuredShape) -> Rates:
    """Return the four rates over the window (tok/s, requests/s) of requests of that shape."""
    counted = counting_events(trace) & window.holds(trace.event_ns)
    output_tok_per_s = float(trace.event_tokens[counted].sum()) / window.length_s
    return _exact(output_tok_per_s, shape)


def _exact(output_tok_per_s: float, shape: MeasuredShape) -> Rates:
    rates = rates_of(output_tok_per_s / shape.output_tokens, shape)
    return rates.model_copy(
        update={
            "output_tok_per_s": output_tok_per_s,
            "total_tok_per_s": rates.input_tok_per_s + output_tok_per_s,
        }
    )


def mean_shape(
    trace: Trace, tokens: Tokens, chosen: npt.NDArray[np.bool_], asked: MeasuredShape
) -> MeasuredShape:
    """Return the mean lengths of the chosen requests; what was asked where none is chosen."""
    if not chosen.any():
        return asked
    return asked.model_copy(
        update={
            "input_tokens": float(input_tokens(trace)[chosen].mean()),
            "output_tokens": float(tokens.total[chosen].mean()),
        }
    )


def input_tokens(trace: Trace) -> Ints:
    """Return each prompt's length: as the server counted it, else as it was sent."""
    return np.where(trace.usage_input >= 0, trace.usage_input, trace.asked_input)


def whole_run_rates(trace: Trace, tokens: Tokens, asked: MeasuredShape) -> Rates:
    """Return completed tokens ÷ (first send to last token), warm-up and drain included.

    This is how a client that runs a fixed number of requests reports; it is for
    comparing with one, and is below the steady rate.
    """
    good = trace.failure == ""
    if not good.any():
        return _exact(0.0, asked)
    length_s = float(tokens.last_ns[good].max() - trace.sent_ns.min()) / NS_PER_S
    shape = mean_shape(trace, tokens, good, asked)
    return _exact(float(tokens.total[good].sum()) / length_s, shape)


def latencies(trace: Trace, tokens: Tokens, chosen: npt.NDArray[np.bool_]) -> Latency:
    """Return the quantiles of the chosen requests' TTFT, TPOT, ITL and e2e (ms).

    TTFT and e2e run from the intended send time to the first and last token; TPOT is
    (last − first token event) ÷ (tokens − those in the first event), where that is above
    0; ITL pools every gap between token events.
    """
    intended, first, last = (
        a[chosen] for a in (trace.intended_ns, tokens.first_ns, tokens.last_ns)
    )
    later = (tokens.total - tokens.in_first)[chosen]
    has_later = later > 0
    tpot = (last - first)[has_later] / later[has_later] / _NS_PER_MS
    same = trace.event_request[1:] == trace.event_request[:-1]
    gaps = np.diff(trace.event_ns)[same & chosen[trace.event_request[1:]]]
    return Latency(
        ttft=quantiles_of((first - intended) / _NS_PER_MS),
        tpot=quantiles_of(tpot),
        itl=quantiles_of(gaps / _NS_PER_MS),
        e2e=quantiles_of((last - intended) / _NS_PER_MS),
    )


def median_e2e_s(trace: Trace, tokens: Tokens, chosen: npt.NDArray[np.bool_]) -> float | None:
    """Return the median end-to-end latency of the chosen requests."""
    if not chosen.any():
        return None
    return float(np.median((tokens.last_ns - trace.intended_ns)[chosen])) / NS_PER_S


def delivered_concurrency(trace: Trace, window: Window) -> float:
    """Return the mean number of requests in flight over the window (sent to ended)."""
    start = np.maximum(trace.sent_ns, window.start_ns)
    stop = np.minimum(trace.end_ns, window.stop_ns)
    return float(np.maximum(stop - start, 0).sum()) / (window.stop_ns - window.start_ns)


def failures_of(trace: Trace) -> Failures:
    """Return the failed requests of the whole run by kind; unfinished ones are none."""
    kinds, counts = np.unique(trace.failure, return_counts=True)
    by_kind = {
        str(kind): int(count)
        for kind, count in zip(kinds, counts, strict=True)
        if kind not in ("", _UNFINISHED)
    }
    count = sum(by_kind.values())
    ended = len(trace) - int((trace.failure == _UNFINISHED).sum())
    return Failures(count=count, share=count / ended if ended else 0.0, by_kind=by_kind)


def unfinished_at(trace: Trace, window: Window) -> int:
    """Return how many requests were in flight when the window ended."""
    return int(((trace.sent_ns < window.stop_ns) & (trace.end_ns >= window.stop_ns)).sum())


def longest_silence_s(trace: Trace, window: Window) -> float:
    """Return the longest time of the window in which no token of any request arrived."""
    inside = np.sort(trace.event_ns[window.holds(trace.event_ns)])
    edges = np.concatenate([[window.start_ns], inside, [window.stop_ns]])
    return float(np.diff(edges).max()) / NS_PER_S
