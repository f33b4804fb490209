"""A Tuning is what changes of an engine's settings did, each measured: `tco.tune/1`."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from tco.finding import Finding
from tco.measurement import Figure, Interval, Record, Share

Role = Literal["incumbent", "candidate"]
Decision = Literal["kept", "reverted", "undecided", "failed", "skipped", "not_reached"]
Setting = str | bool | int | float | None


class TuneTrial(Record):
    """One start of the engine, measured.

    Attributes:
        number: from 1, in order of time.
        step: of the ladder, from 1; 0 is the scenario's own settings.
        role: the best so far, or the step that is tried on it.
        scenario_sha256: of the scenario with the settings of this trial.
        took_s: start and end of the engine included.
        engine_start_s: until it was ready; None where it never was.
        output_tok_per_s: at the capacity point; None of a trial that failed.
        holds_service_level: at that point; None without a level, or where the window was too
            short to judge it.
        invalid: kinds of the findings for which its figures must not be used.
        load_average_1m: of the machine, at the capacity point.
        measurement: its file, seen from the folder of the tuning.
        failure: why there is none.
        quality: file of what its engine made of the fixed set of prompts, seen from that folder;
            None where it was not asked.
        retry_of: number of the trial that this one stands in for, which a busy machine spoilt.
    """

    number: Annotated[int, Field(ge=1)]
    step: Annotated[int, Field(ge=0)]
    role: Role
    scenario_sha256: str
    started_at: dt.datetime
    took_s: Figure
    engine_start_s: Figure | None = None
    output_tok_per_s: Figure | None = None
    requests_per_s: Figure | None = None
    holds_service_level: bool | None = None
    invalid: tuple[str, ...] = ()
    load_average_1m: Figure | None = None
    measurement: str | None = None
    failure: str | None = None
    quality: str | None = None
    retry_of: Annotated[int, Field(ge=1)] | None = None


class TuneFigures(Record):
    """What a configuration serves and costs, by its engine start of median output rate.

    Attributes:
        measurement: that start's file, seen from the folder of the tuning.
        alternative: the one that the saving is against; None where there is none.
        saving: 1 - own cost / that alternative's; None with no alternative.
    """

    output_tok_per_s: Figure
    requests_per_s: Figure
    measurement: str
    usd_per_million_output: float
    alternative: str | None = None
    saving: float | None = None


class TuneQuality(Record):
    """Whether the answers are as good as with the scenario's own settings.

    Attributes:
        passes: None where it could not be checked.
        why: what breaks which limit, or why it was not checked.
        is_allowed: whether a drop of this step is allowed by name.
        mean_logprob_drift: mean absolute change of a prompt token's log-probability [nats].
        worst_logprob_drift: the largest [nats].
        greedy_token_agreement: share of greedy answers' tokens before the first that differs.
        greedy_prompt_agreement: share of prompts with the same whole greedy answer.
        score: what the scenario's own command said; None without one.
        baseline_score: what it said of the scenario's own settings.
    """

    passes: bool | None = None
    why: str
    is_allowed: bool = False
    mean_logprob_drift: Figure | None = None
    worst_logprob_drift: Figure | None = None
    greedy_token_agreement: Share | None = None
    greedy_prompt_agreement: Share | None = None
    score: float | None = None
    baseline_score: float | None = None


class TuneStep(Record):
    """One step of the ladder, and what became of it.

    Attributes:
        args: arguments of the engine that it sets; null takes one out.
        env: environment that it sets; null takes a variable out.
        numerics: whether it may change what the model answers.
        quality: whether it does; None of a step that changes no numerics, or was not measured.
        accelerators: of a replica, where the step sets them.
        why: the decision in words.
        ratio: its output rate by that of the best before it, geometric means over engine starts;
            of the rates per accelerator, where the step sets those.
        interval: of that ratio, across engine starts.
        figures: None where no start of it gave a valid measurement.
    """

    number: Annotated[int, Field(ge=1)]
    name: str
    args: dict[str, Setting]
    env: dict[str, str | None]
    numerics: bool
    accelerators: Annotated[int, Field(ge=1)] | None = None
    decision: Decision
    why: str
    ratio: float | None = None
    interval: Interval | None = None
    figures: TuneFigures | None = None
    quality: TuneQuality | None = None


class TuneBest(Record):
    """The settings that came out best.

    Attributes:
        steps: numbers of the steps kept.
        sets: overrides that make the scenario this one, as `--set` takes them.
        serve: the command line that starts this engine.
        scenario_file: the scenario with these settings; None where no step was kept.
    """

    steps: tuple[int, ...]
    sets: tuple[str, ...]
    serve: str
    scenario_file: str | None = None


class Tuning(Record):
    """A ladder of steps tried on a scenario's engine, for its traffic."""

    schema_: Literal["tco.tune/1"] = Field(alias="schema", default="tco.tune/1")
    tool_version: str
    created_at: dt.datetime
    name: str
    scenario_sha256: str
    ladder: str
    ladder_sha256: str
    repeats: Annotated[int, Field(ge=1)]
    is_complete: bool
    took_s: Figure
    baseline: TuneFigures | None
    steps: tuple[TuneStep, ...]
    best: TuneBest
    trials: tuple[TuneTrial, ...]
    findings: tuple[Finding, ...] = ()
