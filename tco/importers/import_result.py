"""Another tool's result file as a Measurement: recognised by its content, `origin: imported`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError

from tco import __version__
from tco.errors import InputError
from tco.importers.aiperf import is_aiperf, read_aiperf
from tco.importers.aiperf_requests import is_aiperf_requests, read_aiperf_requests
from tco.importers.findings import result_findings, run_findings
from tco.importers.guidellm import is_guidellm, read_guidellm
from tco.importers.inference_perf import is_inference_perf, read_inference_perf
from tco.importers.node import Node
from tco.importers.result_file import ResultFile, read_result_file
from tco.importers.run import Result, Run
from tco.importers.vllm_bench import is_vllm_bench, read_vllm_bench
from tco.measurement import (
    Failures,
    ImportedFrom,
    LoadPoint,
    MeasuredShape,
    Measurement,
    Rates,
    rates_of,
)

_TOO_MANY_STREAMS: Final = 1.1
_LATER: Final = 1.001  # rounding of the file
_ALWAYS_LACKS: Final = (
    "the cached share of its prompts",
    "power",
    "the server's own counters",
    "the engine's settings and start",
    "the machine",
    "an interval",
)
_KNOWN = (
    "known are the JSON results of `vllm bench serve`, GuideLLM, AIPerf (also its jsonl) "
    "and inference-perf"
)


class _Format(NamedTuple):
    recognises: Callable[[Node], bool]
    read: Callable[[Sequence[Node]], Result]
    has_several: bool


_FORMATS: Final = (
    _Format(is_vllm_bench, read_vllm_bench, has_several=True),
    _Format(is_guidellm, read_guidellm, has_several=False),
    _Format(is_aiperf, read_aiperf, has_several=False),
    _Format(is_aiperf_requests, read_aiperf_requests, has_several=True),
    _Format(is_inference_perf, read_inference_perf, has_several=False),
)


def import_result(path: Path, *, created_at: dt.datetime) -> Measurement:
    """Read another tool's result file.

    The capacity is the run of the best output rate among those that were no open loop; without
    such a run there is none. Rates: output tokens of completed requests ÷ the run (or the
    window the tool cut), requests/s = that ÷ mean output, input = requests/s x mean input.

    Raises:
        InputError: the file cannot be read, is of no known tool, or cannot be trusted.
    """
    file = read_result_file(path)
    result = _format_of(file).read(file.documents)
    for run in result.runs:
        _check_answers(run, file)
        _check_streams(run, file)
    try:
        return _measurement(result, file, created_at)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise InputError(
            f"its figures give a {where} that cannot be",
            file=str(path),
            remedy="see the units; give the file as the tool wrote it",
        ) from None


def _measurement(result: Result, file: ResultFile, created_at: dt.datetime) -> Measurement:
    capacity = _capacity_run(result.runs)
    shape = _shape(result.runs[capacity or 0])
    steady = () if any(run.is_whole_run for run in result.runs) is False else ("a steady window",)
    lacks = (*steady, *result.lacks, *_ALWAYS_LACKS)
    return Measurement(
        tool_version=__version__,
        created_at=created_at,
        origin="imported",
        shape=shape,
        points=tuple(_point(run, number) for number, run in enumerate(result.runs)),
        capacity_point=capacity,
        imported=ImportedFrom(
            tool=result.tool,
            tool_version=result.version,
            recorded=result.recorded,
            model=result.model,
            file_name=file.path.name,
            file_sha256=file.sha256,
            lacks=lacks,
        ),
        findings=tuple(result_findings(result, lacks, file.path.name)),
    )


def _format_of(file: ResultFile) -> _Format:
    first = file.documents[0] if file.documents else None
    found = next((f for f in _FORMATS if first is not None and f.recognises(first)), None)
    if found is None or (len(file.documents) > 1 and not found.has_several):
        is_ours = first is not None and isinstance(first.value, dict) and "schema" in first.value
        raise InputError(
            "is no result file of a known tool",
            file=str(file.path),
            remedy="it may be tco's own: give a measurement with -m" if is_ours else _KNOWN,
        )
    stranger = next((each for each in file.documents if not found.recognises(each)), None)
    if stranger is not None:
        raise stranger.fault("is of another kind than the lines before it")
    return found


def _check_answers(run: Run, file: ResultFile) -> None:
    """Refuse answers without a token, and first tokens that came after the last ones."""
    ttft, e2e = run.latency.ttft, run.latency.e2e
    if min(run.output_tokens, run.output_tok_per_s) <= 0:
        problem = "no answer of it has a token, so there is no rate"
    elif ttft and e2e and ttft.count == e2e.count and ttft.mean_ms > _LATER * e2e.mean_ms:
        problem = (
            f"its requests took {e2e.mean_ms:g} ms, and {ttft.mean_ms:g} ms to their first token"
        )
    else:
        return
    raise InputError(
        problem, file=str(file.path), remedy="see the units; give the file as the tool wrote it"
    )


def _check_streams(run: Run, file: ResultFile) -> None:
    """Refuse latencies and a duration by which more streams ran than there were."""
    if run.loop != "closed" or not run.concurrency_asked or run.concurrency_delivered is None:
        return
    if run.concurrency_delivered > _TOO_MANY_STREAMS * run.concurrency_asked:
        raise InputError(
            f"its latencies and its duration say that {run.concurrency_delivered:.1f} requests ran "
            f"at once, where it says that at most {run.concurrency_asked} did",
            file=str(file.path),
            remedy="see the units; give the file as the tool wrote it",
        )


def _capacity_run(runs: Sequence[Run]) -> int | None:
    able = [number for number, run in enumerate(runs) if run.loop != "open"]
    return max(able, key=lambda number: runs[number].output_tok_per_s, default=None)


def _shape(run: Run) -> MeasuredShape:
    return MeasuredShape(
        input_tokens=run.input_tokens, cached_input_share=None, output_tokens=run.output_tokens
    )


def _rates(run: Run) -> Rates:
    return rates_of(run.output_tok_per_s / run.output_tokens, _shape(run))


def _point(run: Run, number: int) -> LoadPoint:
    failed = sum(run.failures.values())
    rates = _rates(run)
    return LoadPoint(
        loop=run.loop,
        concurrency_asked=run.concurrency_asked,
        concurrency_delivered=run.concurrency_delivered,
        offered_requests_per_s=run.offered_requests_per_s,
        started_at=run.started_at,
        warm_up_s=run.warm_up_s,
        window_s=run.window_s,
        run_s=run.run_s,
        seed=run.seed,
        engine_start_id=None,
        requests_sent=run.sent,
        requests_in_window=run.completed,
        requests_unfinished=run.unfinished,
        rates=rates,
        whole_run_rates=rates if run.is_whole_run else None,
        latency=run.latency,
        failures=Failures(
            count=failed, share=failed / (run.completed + failed), by_kind=dict(run.failures)
        ),
        tokens=run.tokens,
        tokens_per_event_mean=run.tokens_per_event,
        token_count_source="usage" if run.counted_by_usage else None,
        client=None,
        server=None,
        power=None,
        load_average_1m=None,
        findings=tuple(run_findings(run, f"points.{number}")),
    )
