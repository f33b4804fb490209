"""What a reader must know of an imported figure, each with its number and limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tco.finding import Finding, Severity
from tco.importers.run import Result, Run
from tco.quantiles import needed

LATE_MS: Final = 10.0
FAILED_SHARE: Final = 0.01
HALF: Final = 0.5
COUNT_CHANGE: Final = 0.001
LOAD_SHARE: Final = 0.95
REQUESTS_FOR_P95: Final = needed(0.95)
_AGAIN = "measure with `tco bench`, which cuts a steady window"


def result_findings(result: Result, lacks: tuple[str, ...], file_name: str) -> Iterator[Finding]:
    """Yield what must be said of the whole file."""
    version = f" {result.version}" if result.version else ""
    yield Finding.of(
        "imported_rate",
        "warn",
        "measurement.imported",
        f"this was measured by {result.tool}{version}, not by tco; {file_name} does not tell: "
        f"{', '.join(lacks)}",
        "measure with `tco bench` what a decision rests on",
    )
    if len(result.runs) > 1:
        yield Finding.of(
            "several_runs",
            "info",
            "measurement.points",
            f"the file holds {len(result.runs)} runs, a point each; the capacity is the best "
            "output rate of those that were no open loop",
            "see that the best of them kept your service level",
            value=len(result.runs),
        )
    if all(run.loop == "open" for run in result.runs):
        yield Finding.of(
            "no_capacity",
            "warn",
            "measurement.capacity_point",
            "the load was an open loop: its rate is what was offered, not what the server can do, "
            "so there is no capacity to reckon a cost with",
            "import a run with a fixed concurrency, or measure with `tco bench`",
        )


def run_findings(run: Run, path: str) -> Iterator[Finding]:
    """Yield what must be said of one run."""
    for look in (_whole_run, _load, _few, _failed, _late, _counts):
        yield from look(run, path)
    if run.left_out:
        yield Finding.of(
            "not_imported",
            "info",
            path,
            f"left out, because they would mislead: {'; '.join(run.left_out)}",
            "none is needed for the cost; for the latencies measure with `tco bench`",
            value=len(run.left_out),
        )
    for words in run.warnings:
        yield Finding.of("tool_warning", "warn", path, f"the tool itself warned: {words}", _AGAIN)


def _whole_run(run: Run, path: str) -> Iterator[Finding]:
    if not run.is_whole_run:
        return
    share = None
    text = "the rates are over the whole run, ramp and tail included: a steady rate is higher"
    if run.concurrency_asked and run.concurrency_delivered is not None:
        share = run.concurrency_delivered / run.concurrency_asked
        text += (
            f"; {run.concurrency_delivered:.1f} of {run.concurrency_asked} streams were busy "
            "on average"
        )
    is_far_off = share is not None and share < HALF
    severity: Severity = "invalid" if is_far_off else "warn"
    yield Finding.of("whole_run_rate", severity, path, text, _AGAIN, value=share, limit=HALF)


def _load(run: Run, path: str) -> Iterator[Finding]:
    if run.loop is None:
        yield Finding.of(
            "load_unknown",
            "warn",
            path,
            "the file does not say how requests were let in; if by a rate, this is the rate "
            "offered and not a capacity",
            "see the configuration of that run",
        )
    sent = run.completed / run.window_s
    if run.offered_requests_per_s and sent < LOAD_SHARE * run.offered_requests_per_s:
        yield Finding.of(
            "load_not_as_asked",
            "warn",
            path,
            f"{sent:.2f} requests/s were completed where {run.offered_requests_per_s:g} were asked "
            "for",
            "see failures, overload, and how short the run was",
            value=sent / run.offered_requests_per_s,
            limit=LOAD_SHARE,
        )


def _few(run: Run, path: str) -> Iterator[Finding]:
    if run.completed < REQUESTS_FOR_P95:
        yield Finding.of(
            "too_few_requests",
            "warn",
            path,
            f"{run.completed} requests were completed; quantiles that need more are left out",
            "run it with more requests",
            value=run.completed,
            limit=REQUESTS_FOR_P95,
        )


def _failed(run: Run, path: str) -> Iterator[Finding]:
    count = sum(run.failures.values())
    if not count:
        return
    share = count / (run.completed + count)
    kinds = ", ".join(f"{found} {kind}" for kind, found in sorted(run.failures.items()))
    yield Finding.of(
        "failures",
        "invalid" if share > FAILED_SHARE else "warn",
        path,
        f"{share:.1%} of the requests failed ({kinds}); no figure includes them",
        "see the log of that run",
        value=share,
        limit=FAILED_SHARE,
    )


def _late(run: Run, path: str) -> Iterator[Finding]:
    if run.lag is None or run.lag.ms <= LATE_MS:
        return
    which = "on average" if run.lag.which == "mean" else "at its 99th percentile"
    yield Finding.of(
        "client_late",
        "warn",
        path,
        f"the load client was {run.lag.ms:.1f} ms late {which} ({run.lag.name})",
        "run the client on a machine of its own, or measure with `tco bench`",
        value=run.lag.ms,
        limit=LATE_MS,
    )


def _counts(run: Run, path: str) -> Iterator[Finding]:
    if run.tokens is None:
        return
    tokens = run.tokens
    pairs = (
        ("input", tokens.client_input, tokens.usage_input),
        ("output", tokens.client_output, tokens.usage_output),
    )
    for name, own, usage in pairs:
        if usage is None or abs(own - usage) <= COUNT_CHANGE * max(own, usage):
            continue
        yield Finding.of(
            "counts_differ",
            "warn",
            path,
            f"the tool counted {own} {name} tokens itself and the server {usage}; the server's "
            "count is used",
            "see that the tool has the model's own tokenizer",
            value=abs(own - usage) / max(own, usage),
            limit=COUNT_CHANGE,
        )
