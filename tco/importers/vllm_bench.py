"""Results of `vllm bench serve`, plain and with --save-detailed (vLLM 0.32 and near it).

`output_throughput` is completed tokens ÷ the whole run. TPOT is (e2e − TTFT) ÷ (n − 1), one a
request, as ours where the first event holds one token. Summaries are in ms, lists in seconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from tco.importers.latency import Names, in_flight, summarised
from tco.importers.node import Floats, Node, check_alike, number_at, text_at
from tco.importers.run import Result, Run
from tco.measurement import Latency, Quantiles
from tco.quantiles import quantiles_of
from tco.units import MS_PER_S

TOOL: Final = "vllm bench serve"
_LACKS: Final = (
    "the version of vLLM",
    "whether every stream ended in order",
    "the seed of its prompts",
    "the time zone of its date",
)
_NO_E2E = "end-to-end latency (run with --percentile-metrics ttft,tpot,itl,e2el)"


@dataclass(frozen=True, slots=True)
class _Lists:
    """What --save-detailed adds, of the completed requests: seconds, tokens, gaps pooled."""

    ttft_s: Floats
    latency_s: Floats
    output_tokens: Floats
    gaps_s: Floats
    empty: int


def is_vllm_bench(document: Node) -> bool:
    """Say whether a document is of this format."""
    value = document.value
    return isinstance(value, dict) and {"request_throughput", "endpoint_type"} <= value.keys()


def read_vllm_bench(documents: Sequence[Node]) -> Result:
    """Return a run of each document (--append-result writes one a line).

    Raises:
        InputError: a figure is missing, no number, or does not fit the others.
    """
    runs = tuple(_run(document) for document in documents)
    first = documents[0]
    lacks = _LACKS if all(run.latency.e2e for run in runs) else (_NO_E2E, *_LACKS)
    return Result(
        tool=TOOL,
        version=None,
        recorded=text_at(first, "date"),
        model=text_at(first, "model_id"),
        runs=runs,
        lacks=lacks,
    )


def _run(document: Node) -> Run:
    completed = document.at("completed").whole()
    if completed == 0:
        raise document.at("completed").without_answers()
    duration_s = document.at("duration").positive()
    output_tokens = document.at("total_output_tokens").positive()
    rate = output_tokens / duration_s
    check_alike(document.at("output_throughput"), rate, "total_output_tokens ÷ duration")
    check_alike(document.at("request_throughput"), completed / duration_s, "completed ÷ duration")
    total = output_tokens + document.at("total_input_tokens").positive()
    check_alike(
        document.maybe("total_token_throughput"), total / duration_s, "all tokens ÷ duration"
    )
    lists, cut = _lists(document, completed)
    latency = _summaries(document, completed, output_tokens / completed, duration_s)
    if lists is not None:
        check_alike(
            document.at("mean_ttft_ms"), lists.ttft_s.mean() * MS_PER_S, "the mean of ttfts"
        )
        latency = _exact(lists)
    elif (latencies := _latencies(document, completed)) is not None:
        latency = latency.model_copy(update={"e2e": quantiles_of(latencies * MS_PER_S)})
    empty = lists.empty if lists is not None else 0
    rate_asked = _request_rate(document)
    asked = number_at(document, "max_concurrency")
    events = None if lists is None else len(lists.gaps_s) + len(lists.ttft_s)
    return Run(
        loop="closed" if rate_asked is None else "open",
        window_s=duration_s,
        run_s=duration_s,
        sent=_sent(document, completed),
        completed=completed - empty,
        output_tok_per_s=rate,
        input_tokens=document.at("total_input_tokens").positive() / completed,
        output_tokens=output_tokens / (completed - empty),
        concurrency_asked=None if asked is None else int(asked),
        concurrency_delivered=in_flight(latency.e2e, duration_s),
        offered_requests_per_s=rate_asked,
        failures=_failures(document, completed, empty),
        latency=latency,
        tokens_per_event=None if events is None else output_tokens / events,
        left_out=cut,
    )


def _request_rate(document: Node) -> float | None:
    """Return the arrivals asked for a second; None for "inf", all at once."""
    rate = document.maybe("request_rate")
    if rate is None or rate.value == "inf":
        return None
    return rate.positive()


def _sent(document: Node, completed: int) -> int:
    """Return the requests of the run; a dataset may have fewer than num_prompts."""
    failed = document.maybe("failed")
    return document.at("num_prompts").whole() if failed is None else completed + failed.whole()


def _failures(document: Node, completed: int, empty: int) -> dict[str, int]:
    found = {"not said": _sent(document, completed) - completed, "empty": empty}
    return {kind: count for kind, count in found.items() if count > 0}


def _names(latency: Literal["ttft", "tpot", "itl", "e2el"]) -> Names:
    return Names(
        mean=f"mean_{latency}_ms",
        p50=f"median_{latency}_ms",
        p90=f"p90_{latency}_ms",
        p95=f"p95_{latency}_ms",
        p99=f"p99_{latency}_ms",
        most="",
    )


def _summaries(document: Node, completed: int, mean_tokens: float, duration_s: float) -> Latency:
    """Return the latencies from the summaries (no maximum among them)."""

    def of(name: Literal["ttft", "tpot", "itl", "e2el"], count: int) -> Quantiles | None:
        return summarised(document, _names(name), count=count, to_ms=1.0, longest_s=duration_s)

    ttft, tpot, e2e = of("ttft", completed), of("tpot", completed), of("e2el", completed)
    gaps = _gaps(document, ttft, tpot, e2e, mean_tokens)
    return Latency(ttft=ttft, tpot=tpot, itl=of("itl", gaps), e2e=e2e)


def _gaps(
    document: Node,
    ttft: Quantiles | None,
    tpot: Quantiles | None,
    e2e: Quantiles | None,
    mean_tokens: float,
) -> int:
    """Return how many gaps its ITL is over: all time between first and last events ÷ mean gap.

    That time is e2e − TTFT, summed over requests; without e2e it is taken as TPOT x (n − 1),
    which is the same where all answers are of one length.
    """
    mean_ms = number_at(document, "mean_itl_ms")
    if not mean_ms or ttft is None:
        return 0
    if e2e is not None:
        return round(ttft.count * (e2e.mean_ms - ttft.mean_ms) / mean_ms)
    if tpot is None:
        return 0
    return round(tpot.count * tpot.mean_ms * (mean_tokens - 1) / mean_ms)


def _lists(document: Node, completed: int) -> tuple[_Lists | None, tuple[str, ...]]:
    """Return the detailed lists, or why they are not used."""
    if document.maybe("itls") is None or document.maybe("ttfts") is None:
        return None, ()
    lengths = document.at("output_lens").numbers()
    gaps = list(document.at("itls").items())
    ttft, latency = document.at("ttfts").numbers(), document.at("latencies").numbers()
    sent = _sent(document, completed)
    if not len(lengths) == len(gaps) == len(ttft) == len(latency) == sent:
        reason = f"the lists of single requests: {len(ttft)} of {sent} are in the file"
        return None, (reason,)
    good: npt.NDArray[np.bool_] = lengths > 0
    pooled = [gap.numbers() for gap, is_good in zip(gaps, good, strict=True) if is_good]
    if not good.any():
        raise document.at("output_lens").fault("no request has an answer, so there is no rate")
    lists = _Lists(
        ttft_s=ttft[good],
        latency_s=latency[good],
        output_tokens=lengths[good],
        gaps_s=np.concatenate(pooled),
        empty=completed - int(good.sum()),
    )
    return lists, ()


def _latencies(document: Node, completed: int) -> Floats | None:
    """Return the list of latencies, where it is whole and none of them is of a failure."""
    found = document.maybe("latencies")
    values = None if found is None else found.numbers()
    is_whole = values is not None and len(values) == completed == _sent(document, completed)
    return values if is_whole else None


def _exact(lists: _Lists) -> Latency:
    """Return the latencies from the lists; TPOT is (e2e − TTFT) ÷ (n − 1)."""
    several = lists.output_tokens > 1
    decode_s = (lists.latency_s - lists.ttft_s)[several]
    return Latency(
        ttft=quantiles_of(lists.ttft_s * MS_PER_S),
        tpot=quantiles_of(decode_s / (lists.output_tokens[several] - 1) * MS_PER_S),
        itl=quantiles_of(lists.gaps_s * MS_PER_S),
        e2e=quantiles_of(lists.latency_s * MS_PER_S),
    )
