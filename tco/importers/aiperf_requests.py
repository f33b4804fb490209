"""Single requests of AIPerf (`profile_export.jsonl`): one JSON document a request.

TPOT is (e2e − TTFT) ÷ (n − 1) with n by the server's usage where every request has it, and
the gaps are `inter_chunk_latency`. How requests were let in, this file does not say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from tco.importers.aiperf import TOOL, error_name
from tco.importers.aiperf_unit import to_ms
from tco.importers.latency import in_flight
from tco.importers.node import Floats, Node, number_at, text_at
from tco.importers.run import Lag, Result, Run
from tco.measurement import Latency, TokenCounts
from tco.quantiles import needed, quantiles_of
from tco.units import MS_PER_S, NS_PER_S

_LACKS: Final = (
    "the version of the tool",
    "how requests were let in, and how many at once",
    "the model and the server",
    "the seed of its prompts",
)
_MEASURED = "profiling"


def is_aiperf_requests(document: Node) -> bool:
    """Say whether a document is a request of this format."""
    value = document.value
    if not isinstance(value, dict) or not {"metadata", "metrics"} <= value.keys():
        return False
    return isinstance(value["metadata"], dict) and "request_start_ns" in value["metadata"]


def read_aiperf_requests(documents: Sequence[Node]) -> Result:
    """Return the one run that the requests were.

    Raises:
        InputError: a figure is missing, no number, or of an unknown unit.
    """
    return Result(
        tool=TOOL, version=None, recorded=None, model=None, runs=(_run(documents),), lacks=_LACKS
    )


def _run(documents: Sequence[Node]) -> Run:
    measured = [each for each in documents if _phase(each) in (None, _MEASURED)]
    ended = [each for each in measured if not _was_cancelled(each)]
    good = [each for each in ended if _is_good(each)]
    if not good:
        raise documents[0].without_answers()
    start_ns = np.array([each.at("metadata", "request_start_ns").number() for each in measured])
    first = measured[int(start_ns.argmin())]
    stop_ns = np.array([each.at("metadata", "request_end_ns").number() for each in good])
    window_s = float(stop_ns.max() - start_ns.min()) / NS_PER_S
    if window_s <= 0:
        raise documents[0].fault("the run ends before it starts")
    tokens = _tokens(good)
    by_usage = tokens.usage_output is not None
    output = tokens.client_output if tokens.usage_output is None else tokens.usage_output
    inputs = tokens.client_input if tokens.usage_input is None else tokens.usage_input
    latency = _latency(good, "usage_completion_tokens" if by_usage else "output_sequence_length")
    events = len(good) + (latency.itl.count if latency.itl else 0)
    return Run(
        loop=None,
        window_s=window_s,
        run_s=window_s,
        sent=len(measured),
        completed=len(good),
        unfinished=len(measured) - len(ended),
        output_tok_per_s=output / window_s,
        input_tokens=inputs / len(good),
        output_tokens=output / len(good),
        concurrency_delivered=in_flight(latency.e2e, window_s),
        started_at=first.at("metadata", "request_start_ns").moment(NS_PER_S),
        failures=dict(Counter(_kind(each) for each in ended if not _is_good(each))),
        latency=latency,
        tokens=tokens,
        tokens_per_event=output / events,
        counted_by_usage=by_usage,
        lag=_lag(good),
    )


def _phase(request: Node) -> str | None:
    return text_at(request, "metadata", "benchmark_phase")


def _was_cancelled(request: Node) -> bool:
    found = request.maybe("metadata", "was_cancelled")
    return found is not None and found.value is True


def _is_good(request: Node) -> bool:
    """Say whether a request ended well, with an answer."""
    if request.maybe("error") is not None:
        return False
    return bool(number_at(request, "metrics", "output_sequence_length", "value"))


def _kind(request: Node) -> str:
    error = request.maybe("error")
    return "empty" if error is None else error_name(error)


def _values(requests: Sequence[Node], name: str) -> Floats:
    return np.array([each.at("metrics", name, "value").number() for each in requests])


def _times_ms(requests: Sequence[Node], name: str) -> Floats:
    metrics = [each.at("metrics", name) for each in requests]
    return np.array([each.at("value").number() * to_ms(each) for each in metrics])


def _tokens(good: Sequence[Node]) -> TokenCounts:
    def by_usage(name: str) -> int | None:
        if any(each.maybe("metrics", name) is None for each in good):
            return None
        return int(_values(good, name).sum())

    return TokenCounts(
        client_output=int(_values(good, "output_sequence_length").sum()),
        usage_output=by_usage("usage_completion_tokens"),
        metrics_output=None,
        client_input=int(_values(good, "input_sequence_length").sum()),
        usage_input=by_usage("usage_prompt_tokens"),
        metrics_input=None,
        cached_input=None,
    )


def _latency(good: Sequence[Node], counted_by: str) -> Latency:
    ttft, e2e = _times_ms(good, "time_to_first_token"), _times_ms(good, "request_latency")
    tokens = _values(good, counted_by)
    several = tokens > 1
    gaps = [each.maybe("metrics", "inter_chunk_latency") for each in good]
    pooled = [gap.at("value").numbers() * to_ms(gap) for gap in gaps if gap is not None]
    return Latency(
        ttft=quantiles_of(ttft),
        tpot=quantiles_of((e2e - ttft)[several] / (tokens[several] - 1)),
        itl=quantiles_of(np.concatenate(pooled)) if pooled else None,
        e2e=quantiles_of(e2e),
    )


def _lag(good: Sequence[Node]) -> Lag | None:
    """Return how late requests were sent after AIPerf had decided to."""
    issued = [number_at(each, "metadata", "credit_issued_ns") for each in good]
    known = [(each, ns) for each, ns in zip(good, issued, strict=True) if ns is not None]
    if not known:
        return None
    starts = np.array([each.at("metadata", "request_start_ns").number() for each, _ in known])
    late_ms = (starts - np.array([ns for _, ns in known])) / NS_PER_S * MS_PER_S
    if len(late_ms) >= needed(0.99):
        return Lag(float(np.quantile(late_ms, 0.99)), "p99", "credit to start")
    return Lag(float(late_ms.mean()), "mean", "credit to start")
