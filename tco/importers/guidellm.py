"""Reports of GuideLLM (0.8 and near it): several benchmarks in one file.

Its `inter_token_latency_ms` of one request is TPOT, but its summary weighs it by tokens; with
the list of requests whole, or all answers of one length, TPOT is one a request. Its
`time_per_output_token_ms` is e2e ÷ tokens. It keeps no gaps between events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from tco.importers.latency import Names, in_flight, summarised
from tco.importers.node import Node, check_alike, number_at, text_at
from tco.importers.run import Lag, Result, Run
from tco.measurement import Latency, Quantiles
from tco.quantiles import quantiles_of
from tco.units import MS_PER_S

TOOL: Final = "GuideLLM"
_LACKS: Final = (
    "the gaps between tokens (ITL)",
    "the version of the server",
    "whether tokens were counted by the server's usage",
)
_E2E_BY_TOKENS = "time_per_output_token_ms: it is e2e ÷ tokens, not TPOT"
_WEIGHTED = (
    "inter_token_latency_ms: it is TPOT weighed by tokens; the answers are of several lengths, "
    "and the file does not hold every request"
)
_CLOSED: Final = ("synchronous", "concurrent", "throughput")
_NAMES: Final = Names(
    p90="percentiles.p90", p95="percentiles.p95", p99="percentiles.p99", p50="percentiles.p50"
)


def is_guidellm(document: Node) -> bool:
    """Say whether a document is of this format."""
    value = document.value
    if not isinstance(value, dict) or not isinstance(value.get("benchmarks"), list):
        return False
    first = next(iter(value["benchmarks"]), None)
    return isinstance(first, dict) and "metrics" in first and "scheduler_metrics" in first


def read_guidellm(documents: Sequence[Node]) -> Result:
    """Return a run of each benchmark of the report.

    Raises:
        InputError: a figure is missing, no number, or does not fit the others.
    """
    document = documents[0]
    seed = number_at(document, "config", "spec", "seed", "value")
    benchmarks = list(document.at("benchmarks").items())
    return Result(
        tool=TOOL,
        version=text_at(document, "metadata", "guidellm_version"),
        recorded=None,
        model=text_at(document, "config", "spec", "backend", "model"),
        runs=tuple(_run(each, None if seed is None else int(seed)) for each in benchmarks),
        lacks=_LACKS,
    )


def _run(benchmark: Node, seed: int | None) -> Run:
    metrics, times = benchmark.at("metrics"), benchmark.at("scheduler_metrics")
    totals = metrics.at("request_totals")
    completed = totals.at("successful").whole()
    if completed == 0:
        raise totals.at("successful").without_answers()
    start = times.at("request_start_time").positive()
    window_start = times.at("measure_start_time").positive()
    window_s = times.at("measure_end_time").positive() - window_start
    run_s = times.at("request_end_time").positive() - start
    if window_s <= 0 or run_s <= 0:
        raise times.fault("the run ends before it starts")
    warm_up = number_at(benchmark, "warmup_duration")
    cool_down = number_at(benchmark, "cooldown_duration")
    is_whole = not warm_up and not cool_down
    output_tokens = metrics.at("output_token_count", "successful", "mean").positive()
    rate_node = metrics.at("output_tokens_per_second", "successful", "mean")
    if is_whole:
        check_alike(rate_node, completed * output_tokens / window_s, "tokens ÷ duration")
    latency, left_out = _latency(benchmark, completed, run_s)
    loop, asked, offered = _load(benchmark.at("config", "strategy"))
    return Run(
        loop=loop,
        window_s=window_s,
        run_s=run_s,
        warm_up_s=max(window_start - start, 0.0),
        is_whole_run=is_whole,
        sent=totals.at("total").whole(),
        completed=completed,
        unfinished=totals.at("incomplete").whole(),
        output_tok_per_s=rate_node.positive(),
        input_tokens=metrics.at("prompt_token_count", "successful", "mean").positive(),
        output_tokens=output_tokens,
        concurrency_asked=asked,
        concurrency_delivered=in_flight(latency.e2e, window_s),
        offered_requests_per_s=offered,
        started_at=times.at("request_start_time").moment(),
        seed=seed,
        failures=_failures(totals),
        latency=latency,
        lag=_lag(times),
        left_out=left_out,
        warnings=tuple(_warnings(benchmark)),
    )


def _load(
    strategy: Node,
) -> tuple[Literal["closed", "open"] | None, int | None, float | None]:
    """Return the loop, the streams asked, and the arrivals asked for a second."""
    kind = strategy.at("type_").text()
    if kind == "synchronous":
        return "closed", 1, None
    if kind in _CLOSED:
        streams = number_at(strategy, "streams") or number_at(strategy, "max_concurrency")
        return "closed", None if streams is None else int(streams), None
    return "open", None, number_at(strategy, "rate")


def _latency(benchmark: Node, completed: int, run_s: float) -> tuple[Latency, tuple[str, ...]]:
    """Return the latencies, and what was left out of them."""
    metrics = benchmark.at("metrics")

    def of(name: str, to_ms: float) -> Quantiles | None:
        found = metrics.maybe(name, "successful")
        if found is None:
            return None
        count = found.at("count").whole()
        return summarised(found, _NAMES, count=count, to_ms=to_ms, longest_s=run_s)

    tpot = _tpot(benchmark, completed) or _tpot_of_one_length(metrics, completed, run_s)
    latency = Latency(
        ttft=of("time_to_first_token_ms", 1.0),
        tpot=tpot,
        itl=None,
        e2e=of("request_latency", MS_PER_S),
    )
    return latency, (_E2E_BY_TOKENS,) if tpot is not None else (_E2E_BY_TOKENS, _WEIGHTED)


def _tpot(benchmark: Node, completed: int) -> Quantiles | None:
    """Return TPOT from the single requests; None where the file holds only some of them."""
    listed = benchmark.maybe("requests", "successful")
    requests = [] if listed is None else list(listed.items())
    if len(requests) != completed:
        return None
    found = [number_at(request, "inter_token_latency_ms") for request in requests]
    return quantiles_of(np.array([ms for ms in found if ms is not None], dtype=np.float64))


def _tpot_of_one_length(metrics: Node, completed: int, run_s: float) -> Quantiles | None:
    """Return TPOT from the summary, whose weights are equal where all answers are of one length."""
    lengths = metrics.at("output_token_count", "successful")
    shortest, longest = lengths.at("min").number(), lengths.at("max").number()
    found = metrics.maybe("inter_token_latency_ms", "successful")
    weights = completed * (longest - 1)
    if found is None or shortest != longest or found.at("count").number() != weights:
        return None
    return summarised(found, _NAMES, count=completed, to_ms=1.0, longest_s=run_s)


def _failures(totals: Node) -> dict[str, int]:
    errored = totals.at("errored").whole()
    return {"not said": errored} if errored else {}


def _lag(times: Node) -> Lag | None:
    name = "request_targeted_start_delay_avg"
    delay_s = number_at(times, name)
    return None if delay_s is None else Lag(delay_s * MS_PER_S, "mean", name)


def _warnings(benchmark: Node) -> list[str]:
    listed = benchmark.maybe("warnings")
    found = [] if listed is None else list(listed.items())
    return [each.at("message").text().rstrip(".") for each in found]
