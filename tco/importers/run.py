"""A Run is what a result file tells of one load, in our units; None where it tells nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from tco.measurement import Latency, TokenCounts

NO_LATENCY = Latency(ttft=None, tpot=None, itl=None, e2e=None)


@dataclass(frozen=True, slots=True)
class Lag:
    """How late the tool itself was, in ms: `mean` or `p99`, and the tool's name for it."""

    ms: float
    which: Literal["mean", "p99"]
    name: str


@dataclass(frozen=True, slots=True)
class Run:
    """One load and what was seen.

    Attributes:
        loop: None where the file does not say how requests were let in.
        window_s: the time that the rates are over, of `run_s` in all.
        is_whole_run: the rates include the ramp at the start and the tail at the end.
        output_tok_per_s: output tokens of completed requests ÷ window.
        input_tokens, output_tokens: means of a completed request.
        failures: failed requests by kind.
        left_out: figures of the file that are not imported, each with the reason.
        warnings: what the tool itself warned of.
    """

    loop: Literal["closed", "open"] | None
    window_s: float
    run_s: float
    sent: int
    completed: int
    output_tok_per_s: float
    input_tokens: float
    output_tokens: float
    warm_up_s: float = 0.0
    is_whole_run: bool = True
    unfinished: int = 0
    concurrency_asked: int | None = None
    concurrency_delivered: float | None = None
    offered_requests_per_s: float | None = None
    started_at: dt.datetime | None = None
    seed: int | None = None
    failures: Mapping[str, int] = field(default_factory=dict)
    latency: Latency = NO_LATENCY
    tokens: TokenCounts | None = None
    tokens_per_event: float | None = None
    counted_by_usage: bool = False
    lag: Lag | None = None
    left_out: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """What a result file tells in all: the tool, its runs, and what it does not tell.

    Attributes:
        recorded: when, in the file's own words.
    """

    tool: str
    version: str | None
    recorded: str | None
    model: str | None
    runs: tuple[Run, ...]
    lacks: tuple[str, ...]
