"""Summaries of inference-perf (0.7 and near it): seconds everywhere, failures apart.

`time_per_output_token` is (last − first token) ÷ (n − 1), ours; `normalized_…` is e2e ÷ n and
is nobody else's. Its `inter_token_latency` gives every token of an event a time of its own, so
several tokens in one event make gaps of 0; only without such is it a gap between events.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tco.importers.latency import COUNTS_ALIKE, Names, in_flight, summarised
from tco.importers.node import Node, check_alike, number_at
from tco.importers.run import Lag, Result, Run
from tco.measurement import Latency, Quantiles, TokenCounts
from tco.quantiles import needed
from tco.units import MS_PER_S

TOOL: Final = "inference-perf"
_LACKS: Final = (
    "the version of the tool",
    "when the run was",
    "the model and the server",
    "the seed of its prompts",
)
_UNSTATED_LOAD: Final = ("how requests were let in, and how many at once",)
_SEVERAL_TOKENS = (
    "inter_token_latency: some events held several tokens, which it counts as gaps of 0"
)


_OTHER_TOKENS: Final = (
    "time_per_output_token: it divides by tokens that inference-perf counted itself, and the "
    "server's usage says another number"
)


def is_inference_perf(document: Node) -> bool:
    """Say whether a document is of this format."""
    value = document.value
    return isinstance(value, dict) and {"load_summary", "successes", "failures"} <= value.keys()


def read_inference_perf(documents: Sequence[Node]) -> Result:
    """Return a run of each document: the whole summary, or one of a stage.

    Raises:
        InputError: a figure is missing, no number, or does not fit the others.
    """
    runs = tuple(_run(document) for document in documents)
    unstated = _UNSTATED_LOAD if any(run.loop is None for run in runs) else ()
    return Result(
        tool=TOOL, version=None, recorded=None, model=None, runs=runs, lacks=unstated + _LACKS
    )


def _run(document: Node) -> Run:
    good = document.at("successes")
    completed = good.at("count").whole()
    if completed == 0:
        raise good.at("count").without_answers()
    run_s = document.at("benchmark_time_seconds").positive()
    check_alike(
        good.at("throughput", "requests_per_sec"),
        completed / run_s,
        "successes.count ÷ benchmark_time_seconds",
    )
    tokens = _tokens(good, run_s)
    output, inputs = tokens.usage_output, tokens.usage_input
    total = tokens.client_output if output is None else output
    latency, left_out = _latency(good, tokens, completed, run_s)
    asked = number_at(document, "load_summary", "concurrency")
    offered = number_at(document, "load_summary", "requested_rate")
    is_open = asked is None and offered is not None
    return Run(
        loop="closed" if asked is not None else "open" if is_open else None,
        window_s=run_s,
        run_s=run_s,
        sent=document.at("load_summary", "count").whole(),
        completed=completed,
        output_tok_per_s=total / run_s,
        input_tokens=(tokens.client_input if inputs is None else inputs) / completed,
        output_tokens=total / completed,
        concurrency_asked=None if asked is None else int(asked),
        concurrency_delivered=in_flight(latency.e2e, run_s),
        offered_requests_per_s=offered if is_open else None,
        failures=_failures(document.at("failures")),
        latency=latency,
        tokens=tokens,
        counted_by_usage=output is not None,
        # Under a fixed concurrency a request waits for a stream, and nothing is late.
        lag=_lag(document, completed) if is_open else None,
        left_out=left_out,
    )


def _tokens(good: Node, run_s: float) -> TokenCounts:
    """Return the tokens as the tool's tokenizer and as the server's usage counted them.

    Its own rates are of its tokenizer's count unless it was told to use the server's.
    """

    def by_usage(name: str, what: str) -> int | None:
        found = number_at(good, name, "total")
        mean = number_at(good, name, "mean")
        if mean is not None:
            requests = good.at("count").number()
            check_alike(good.maybe(name, "total"), mean * requests, "mean x successes.count")
        is_mixed = bool(number_at(good, "client_fallback_requests", what))
        return None if found is None or is_mixed else round(found)

    rates = good.at("throughput")
    return TokenCounts(
        client_output=round(rates.at("output_tokens_per_sec").positive() * run_s),
        usage_output=by_usage("output_tokens", "output"),
        metrics_output=None,
        client_input=round(rates.at("input_tokens_per_sec").positive() * run_s),
        usage_input=by_usage("prompt_tokens", "prompt"),
        metrics_input=None,
        # 0 is also what it writes where the server reports nothing.
        cached_input=round(number_at(good, "prompt_tokens", "cached") or 0) or None,
    )


def _latency(
    good: Node, tokens: TokenCounts, completed: int, run_s: float
) -> tuple[Latency, tuple[str, ...]]:
    """Return the latencies, and what was left out of them."""
    own, usage = tokens.client_output, tokens.usage_output
    # Requests of one token have no TTFT and no TPOT here, and are not counted anywhere.
    shortest_answer = good.at("output_len" if usage is None else "output_tokens", "min")
    several = completed if shortest_answer.number() > 1 else 0
    is_other = usage is not None and abs(own - usage) > COUNTS_ALIKE * usage

    def of(name: str, count: int) -> Quantiles | None:
        found = good.maybe("latency", name)
        if found is None:
            return None
        return summarised(found, Names(), count=count, to_ms=MS_PER_S, longest_s=run_s)

    gaps, left_out = 0, list[str]()
    shortest = number_at(good, "latency", "inter_token_latency", "min")
    if shortest:
        gaps = (own if usage is None else usage) - completed
    elif shortest is not None:
        left_out.append(_SEVERAL_TOKENS)
    if is_other:
        left_out.append(_OTHER_TOKENS)
    if several == 0:
        left_out.append("TTFT and TPOT: answers of one token are left out of them, uncounted")
    latency = Latency(
        ttft=of("time_to_first_token", several),
        tpot=None if is_other else of("time_per_output_token", several),
        itl=of("inter_token_latency", gaps if several else 0),
        e2e=of("request_latency", completed),
    )
    return latency, tuple(left_out)


def _failures(failures: Node) -> dict[str, int]:
    """Return failed requests by the tool's label, those without one as `not said`."""
    count = failures.at("count").whole()
    labels = failures.maybe("by_label")
    found: dict[str, int] = {}
    if labels is not None and isinstance(labels.value, dict):
        for name in labels.value:
            below = labels.at(name)
            found[name] = (below.at("count") if isinstance(below.value, dict) else below).whole()
    rest = count - sum(found.values())
    return found | ({"not said": rest} if rest > 0 else {})


def _lag(document: Node, completed: int) -> Lag | None:
    delay = document.maybe("load_summary", "schedule_delay")
    if delay is None:
        return None
    if completed >= needed(0.99) and (p99 := delay.maybe("p99")) is not None:
        return Lag(p99.number() * MS_PER_S, "p99", "schedule_delay")
    mean = delay.maybe("mean")
    return None if mean is None else Lag(mean.number() * MS_PER_S, "mean", "schedule_delay")
