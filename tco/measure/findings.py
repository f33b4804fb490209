"""What a reader must know about a point before using it, each with its number and limit.

`invalid` means the figures must not be used; each function looks at one thing and
returns a finding or None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tco.finding import Finding
from tco.measure.on_measurement import on_measurement
from tco.measure.steady import DRIFT_LIMIT, LEAST_BATCHES, Steadiness
from tco.measurement import Failures, MeasuredShape, ServerLoad, TokenCounts
from tco.quantiles import needed

FAILED_SHARE: Final = 0.01
LENGTH_CHANGE: Final = 0.01
STREAMS_SHARE: Final = 0.98
FEW_STREAMS_SHARE: Final = 0.9
CACHE_CHANGE: Final = 0.02
CACHE_GROSS_CHANGE: Final = 0.1
COUNT_CHANGE: Final = 0.001
REQUESTS_FOR_P95: Final = needed(0.95)


def not_steady(steadiness: Steadiness, *, warmed_up: bool) -> Finding | None:
    """Look for a drift of the rate beyond chance, or a warm-up that found no steady rate.

    A drift of up to `DRIFT_LIMIT` is said; beyond it the rate must not be used.

    After such a warm-up only a narrow interval shows that the window was steady after all.
    """
    if steadiness.drifts:
        return on_measurement(
            "not_steady",
            "invalid" if abs(steadiness.drift_share) > DRIFT_LIMIT else "warn",
            f"the output rate changed by {steadiness.drift_share:+.1%} over the window",
            "measure longer (bench.window_s), and see what else runs on the machine",
            value=abs(steadiness.drift_share),
            limit=DRIFT_LIMIT,
        )
    if not warmed_up:
        return on_measurement(
            "not_steady",
            "warn" if steadiness.is_narrow else "invalid",
            "the warm-up ended at its time limit before the rate was stable",
            "allow more time (bench.max_minutes)",
            value=abs(steadiness.drift_share),
            limit=DRIFT_LIMIT,
        )
    return None


def stalled(gap_s: float, limit_s: float) -> Finding | None:
    """Look for a time without any token that is longer than a whole request takes."""
    if gap_s <= limit_s:
        return None
    return on_measurement(
        "stalled",
        "warn",
        f"no token at all arrived for {gap_s:.1f} s of the window; the rate includes that time",
        "see the engine's log, and what else ran on the machine; measure again",
        value=gap_s,
        limit=limit_s,
    )


def few_batches(steadiness: Steadiness) -> Finding | None:
    """Look for a window too short for an interval."""
    if steadiness.interval is not None:
        return None
    seen = f"the window holds {steadiness.batches} batches of twice the median latency, "
    return on_measurement(
        "no_interval",
        "info",
        seen + "too few for a confidence interval"
        if steadiness.batches < LEAST_BATCHES
        else seen + "and their rates wander too slowly for a confidence interval",
        "measure longer (bench.window_s)",
        value=steadiness.batches,
        limit=LEAST_BATCHES,
    )


def too_few_requests(completed: int) -> Finding | None:
    """Look for too few completed requests for the quantiles a service level is stated in."""
    if completed >= REQUESTS_FOR_P95:
        return None
    return on_measurement(
        "too_few_requests",
        "invalid" if completed == 0 else "warn",
        f"{completed} requests were completed in the window; quantiles that need more are left out",
        "measure longer (bench.window_s)",
        value=completed,
        limit=REQUESTS_FOR_P95,
    )


def failed_requests(failures: Failures) -> Finding | None:
    """Look for failed requests, by kind."""
    if failures.count == 0:
        return None
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(failures.by_kind.items()))
    return on_measurement(
        "failures",
        "invalid" if failures.share > FAILED_SHARE else "warn",
        f"{failures.share:.1%} of the requests failed ({kinds}); no figure includes them",
        "see the engine's log",
        value=failures.share,
        limit=FAILED_SHARE,
    )


def lengths_not_as_asked(asked: MeasuredShape, seen: MeasuredShape) -> Finding | None:
    """Look for prompts or answers of other mean lengths than asked (tokens)."""
    changes = {
        "input": (seen.input_tokens, asked.input_tokens),
        "output": (seen.output_tokens, asked.output_tokens),
    }
    name, (got, wanted) = max(changes.items(), key=lambda item: abs(item[1][0] / item[1][1] - 1))
    change = abs(got / wanted - 1)
    if change <= LENGTH_CHANGE:
        return None
    return on_measurement(
        "lengths_not_as_asked",
        "invalid",
        f"the mean {name} was {got:.1f} tokens where {wanted:g} were asked for",
        "use a server that takes token ids, min_tokens and ignore_eos",
        value=change,
        limit=LENGTH_CHANGE,
    )


def fewer_streams(asked: int, delivered: float, server: ServerLoad | None) -> Finding | None:
    """Look for fewer requests in flight, or running on the server, than asked for."""
    share = delivered / asked
    if share < STREAMS_SHARE:
        return on_measurement(
            "fewer_streams_than_asked",
            "invalid" if share < FEW_STREAMS_SHARE else "warn",
            f"{delivered:.1f} requests were in flight where {asked} were asked for",
            "see failures, reconnects and any connection limit on the way",
            value=share,
            limit=STREAMS_SHARE,
        )
    running = server.running_mean if server is not None else None
    waiting = server.waiting_mean if server is not None else None
    if running is None or not waiting or running / asked >= FEW_STREAMS_SHARE:
        return None
    return on_measurement(
        "fewer_streams_than_asked",
        "warn",
        f"the server ran {running:.0f} requests at once and let {waiting:.0f} wait, where "
        f"{asked} were asked for",
        "raise the engine's own limit (vLLM: max-num-seqs) or lower engine.concurrency",
        value=running / asked,
        limit=FEW_STREAMS_SHARE,
    )


def cache_share(asked_share: float | None, seen: float | None) -> Finding | None:
    """Look for another share of prompt tokens out of the prefix cache than asked for."""
    if asked_share is None:
        return None
    if seen is None and asked_share > 0:
        return on_measurement(
            "cache_share_unseen",
            "warn",
            f"{asked_share:.1%} of the prompt tokens were to come from the prefix cache, and the "
            "server does not say how many did",
            "see whether prefix caching is on; vLLM: --enable-prompt-tokens-details",
            value=None,
            limit=asked_share,
        )
    if seen is None or abs(seen - asked_share) <= CACHE_CHANGE:
        return None
    return on_measurement(
        "cache_share_not_as_asked",
        "invalid" if abs(seen - asked_share) > CACHE_GROSS_CHANGE else "warn",
        f"{seen:.1%} of the prompt tokens came from the prefix cache where {asked_share:.1%} "
        "were asked for",
        "see whether prefix caching is on, and whether other requests reach the server",
        value=seen,
        limit=asked_share,
    )


@dataclass(frozen=True, slots=True)
class _Difference:
    what: str
    client: int
    server: int


def counts_differ(tokens: TokenCounts) -> Finding | None:
    """Look for token counts of client, usage and /metrics that are not the same."""
    pairs = (
        ("output, usage", tokens.client_output, tokens.usage_output),
        ("output, /metrics", tokens.client_output, tokens.metrics_output),
        ("input, usage", tokens.client_input, tokens.usage_input),
        ("input, /metrics", tokens.client_input, tokens.metrics_input),
    )
    known = [_Difference(what, mine, theirs) for what, mine, theirs in pairs if theirs is not None]
    worst = max(known, key=lambda d: abs(d.client - d.server), default=None)
    if worst is None or worst.client == worst.server:
        return None
    share = abs(worst.client - worst.server) / max(worst.client, worst.server)
    return on_measurement(
        "counts_differ",
        "invalid" if share > COUNT_CHANGE else "warn",
        f"the client counted {worst.client} tokens ({worst.what}: {worst.server})",
        "see whether other requests reach the server, and failed requests",
        value=share,
        limit=0.0,
    )
