"""Summaries of AIPerf (0.13 and near it): `profile_export_aiperf.json`.

Its `inter_token_latency` is (e2e − TTFT) ÷ (n − 1), one a request: TPOT, with n as AIPerf
counted it. `inter_chunk_latency` holds the gaps. Every metric names its unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from tco.importers.aiperf_unit import to_ms
from tco.importers.latency import COUNTS_ALIKE, Names, in_flight, summarised
from tco.importers.node import Node, check_alike, number_at, text_at
from tco.importers.run import Lag, Result, Run
from tco.measurement import Latency, Quantiles, TokenCounts
from tco.quantiles import needed
from tco.units import MS_PER_S

TOOL: Final = "AIPerf"
_LACKS: Final = (
    "the version of the server",
    "the seed of its prompts",
    "the time zone of its times",
)
_NAMES: Final = Names(mean="avg", p50="p50")
_LONGER: Final = 1.01
_MUCH_SHORTER: Final = 0.1
_OTHER_TOKENS = (
    "inter_token_latency: it divides by tokens that AIPerf counted itself, and the server's "
    "usage says another number"
)


def is_aiperf(document: Node) -> bool:
    """Say whether a document is of this format."""
    value = document.value
    return isinstance(value, dict) and {"aiperf_version", "request_throughput"} <= value.keys()


def read_aiperf(documents: Sequence[Node]) -> Result:
    """Return the one run of a summary.

    Raises:
        InputError: a figure is missing, no number, of an unknown unit, or does not fit.
    """
    document = documents[0]
    models = document.maybe("input_config", "models", "items")
    names = [] if models is None else [model.at("name").text() for model in models.items()]
    return Result(
        tool=TOOL,
        version=text_at(document, "aiperf_version"),
        recorded=text_at(document, "start_time"),
        model=", ".join(names) or None,
        runs=(_run(document),),
        lacks=_LACKS,
    )


def _run(document: Node) -> Run:
    completed_node = document.maybe("request_count", "avg")
    completed = 0 if completed_node is None else completed_node.whole()
    if completed == 0:
        raise (completed_node or document).without_answers()
    duration_s = _duration_s(document, completed)
    tokens = _tokens(document, completed)
    output, used_input = tokens.usage_output, tokens.usage_input
    total = tokens.client_output if output is None else output
    for kind, count in (("output", tokens.client_output), ("input", tokens.client_input)):
        stated = document.maybe(f"{kind}_token_throughput", "avg")
        what = f"the sum of {kind}_sequence_length x request_throughput ÷ request_count"
        check_alike(stated, (count or 0) / duration_s, what)
    latency, left_out = _latency(document, tokens, duration_s)
    failures = _failures(document)
    loop, asked, offered = _load(document)
    is_cancelled = document.maybe("was_cancelled")
    return Run(
        loop=loop,
        window_s=duration_s,
        run_s=duration_s,
        sent=completed + sum(failures.values()),
        completed=completed,
        output_tok_per_s=total / duration_s,
        input_tokens=(tokens.client_input if used_input is None else used_input) / completed,
        output_tokens=total / completed,
        concurrency_asked=asked,
        concurrency_delivered=in_flight(latency.e2e, duration_s),
        offered_requests_per_s=offered,
        failures=failures,
        latency=latency,
        tokens=tokens,
        tokens_per_event=_tokens_per_event(latency, total),
        counted_by_usage=output is not None,
        lag=_lag(document),
        left_out=left_out,
        warnings=("the run was cancelled before its end",)
        if is_cancelled is not None and is_cancelled.value is True
        else (),
    )


def _duration_s(document: Node, completed: int) -> float:
    """Return the time its rates are over: a little more than from first send to last answer."""
    rate = document.at("request_throughput", "avg")
    duration_s = completed / rate.positive()
    busy = document.at("benchmark_duration")
    busy_s = busy.at("avg").positive() * to_ms(busy) / MS_PER_S
    if busy_s > duration_s * _LONGER or busy_s < duration_s * _MUCH_SHORTER:
        raise rate.fault(
            f"is {rate.number():g}, which does not fit {completed} requests in {busy_s:g} s",
            "see the units; give the file as the tool wrote it",
        )
    return duration_s


def _tokens(document: Node, completed: int) -> TokenCounts:
    """Return the tokens as AIPerf's tokenizer and as the server's usage counted them."""

    def total(name: str) -> int:
        return round(document.at(name, "sum").positive())

    def by_usage(name: str) -> int | None:
        found = document.maybe(name)
        # Usage of only some requests is no count of all.
        if found is None or found.at("count").whole() != completed:
            return None
        return round(found.at("sum").number())

    return TokenCounts(
        client_output=total("output_sequence_length"),
        usage_output=by_usage("usage_completion_tokens"),
        metrics_output=None,
        client_input=total("input_sequence_length"),
        usage_input=by_usage("usage_prompt_tokens"),
        metrics_input=None,
        cached_input=None,
    )


def _latency(
    document: Node, tokens: TokenCounts, duration_s: float
) -> tuple[Latency, tuple[str, ...]]:
    """Return the latencies, and what was left out of them."""

    def of(name: str) -> Quantiles | None:
        found = document.maybe(name)
        if found is None:
            return None
        count = found.at("count").whole()
        return summarised(found, _NAMES, count=count, to_ms=to_ms(found), longest_s=duration_s)

    own, usage = tokens.client_output, tokens.usage_output
    is_other = usage is not None and abs(own - usage) > COUNTS_ALIKE * usage
    latency = Latency(
        ttft=of("time_to_first_token"),
        tpot=None if is_other else of("inter_token_latency"),
        itl=of("inter_chunk_latency"),
        e2e=of("request_latency"),
    )
    return latency, (_OTHER_TOKENS,) if is_other else ()


def _tokens_per_event(latency: Latency, tokens: int) -> float | None:
    if latency.itl is None or latency.ttft is None:
        return None
    return tokens / (latency.itl.count + latency.ttft.count)


def _load(
    document: Node,
) -> tuple[Literal["closed", "open"] | None, int | None, float | None]:
    """Return the loop, the streams asked, and the arrivals asked for a second."""
    phases = document.maybe("input_config", "phases")
    measured = [p for p in phases.items() if _is_measured(p)] if phases is not None else []
    if len(measured) != 1:
        return None, None, None
    phase = measured[0]
    if text_at(phase, "type") == "concurrency":
        return "closed", int(number_at(phase, "concurrency") or 1), None
    return "open", None, number_at(phase, "rate")


def _is_measured(phase: Node) -> bool:
    return (text_at(phase, "kind") or text_at(phase, "name")) == "profiling"


def _failures(document: Node) -> dict[str, int]:
    count = int(number_at(document, "error_request_count", "avg") or 0)
    found: dict[str, int] = {}
    listed = document.maybe("error_summary")
    for each in [] if listed is None else listed.items():
        details = each.at("error_details")
        name = error_name(details)
        found[name] = found.get(name, 0) + each.at("count").whole()
    rest = count - sum(found.values())
    return found | ({"not said": found.get("not said", 0) + rest} if rest > 0 else {})


def error_name(details: Node) -> str:
    """Return an error's type and its code, as far as it has them."""
    kind, code = text_at(details, "type") or "not said", number_at(details, "code")
    return kind if code is None else f"{kind} {code:g}"


def _lag(document: Node) -> Lag | None:
    found = document.maybe("credit_to_start_latency")
    if found is None:
        return None
    is_enough = found.at("count").whole() >= needed(0.99)
    value = found.at("p99" if is_enough else "avg").number() * to_ms(found)
    return Lag(value, "p99" if is_enough else "mean", "credit_to_start_latency")
