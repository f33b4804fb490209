"""A Search is what a search of an engine's settings measured and found: `tco.search/1`."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from tco.finding import Finding
from tco.measurement import Figure, Interval, Record
from tco.tuning import Decision, Role, Setting, TuneQuality

Aim = Literal["minimise", "maximise"]
Rung = Literal["short", "full"]
Purpose = Literal["start", "explore", "improve", "promote", "repeat", "confirm"]


class SearchTrial(Record):
    """One start of the engine with some settings, and what it showed.

    Attributes:
        number: from 1, over all workers.
        settings: by argument without dashes, or by `env.NAME`; null where it is left out.
        sets: overrides that make the scenario this one, as `--set` takes them.
        rung: a short run, or one of the whole window.
        purpose: `start` the scenario's own settings or a ladder's best; `explore` drawn;
            `improve` chosen by the model; `promote` in full what was well in short; `repeat`
            the best so far; `confirm` best and own by turns.
        role: of a trial that confirms.
        worker: who ran it, and on which host.
        expected_gain: of the objective, as a share, that the model expected.
        windows_s: of the run, that were measured.
        objective: in the objective's own unit; None where there is none.
        figures: the comparison's, and rates and latencies.
        pruned: a short run that was not run in full.
        failure: why it counts as a failure: no start, no memory, service level broken.
        quality: file of what its engine made of the fixed set of prompts, seen from the folder of
            the search; None where it was not asked.
    """

    number: Annotated[int, Field(ge=1)]
    settings: dict[str, Setting]
    sets: tuple[str, ...]
    rung: Rung
    purpose: Purpose
    role: Role | None = None
    worker: str
    host: str
    started_at: dt.datetime
    took_s: Figure
    engine_start_s: Figure | None = None
    windows_s: Figure | None = None
    expected_gain: float | None = None
    objective: float | None = None
    figures: dict[str, float] = Field(default_factory=dict)
    holds_service_level: bool | None = None
    invalid: tuple[str, ...] = ()
    measurement: str | None = None
    pruned: bool = False
    failure: str | None = None
    quality: str | None = None


class Confirmation(Record):
    """The best found against the scenario's own settings, by turns, on starts of their own.

    Attributes:
        trial: number of the trial that found the best.
        repeats: engine starts a side.
        ratio: how many times better the objective is than with the scenario's own settings;
            above 1 is better, whichever way the objective goes.
        best_trial: number of the best's trial of median objective, of those that are valid; None
            without one.
        own_trial: that of the scenario's own settings.
        numerics: parameters of the best by which the model may answer otherwise.
        quality: whether it does; None without such parameters.
        is_blocked: the best is better, and reverted for its answers alone.
    """

    trial: int
    repeats: int
    decision: Decision
    why: str
    ratio: float | None = None
    interval: Interval | None = None
    best_trial: int | None = None
    own_trial: int | None = None
    numerics: tuple[str, ...] = ()
    quality: TuneQuality | None = None
    is_blocked: bool = False


class FrontPoint(Record):
    """A trial that no other beats in both cost and latency."""

    trial: int
    usd_per_million_output: float
    latency_ms: float


class Front(Record):
    """The front of cost against one latency, the cheapest first."""

    latency: str
    points: tuple[FrontPoint, ...] = ()


class SearchBest(Record):
    """The settings to use: the best if it was shown to be better, else the scenario's own."""

    settings: dict[str, Setting]
    sets: tuple[str, ...]
    serve: str
    scenario_file: str | None = None


class Search(Record):
    """Settings searched for one scenario's traffic.

    Attributes:
        own: the scenario's own settings.
        skipped: parameters of the space that the engine does not take, and why.
        noise: standard deviation of the objective's logarithm across engine starts.
        stopped: why no further settings were tried; None while it goes on.
        engine_s: what all trials took.
        latency: the field that the front sets against the cost.
        slo: limits of the service level [ms], by field.
        further_fronts: against the other latencies of the service level; without one against
            `tpot_p95_ms`.
        alternative: the one that a saving is against; None where there is none.
        blocked: the best of all, whose answers keep it from being used, where `confirmation` is
            of another that was confirmed in its place.
    """

    schema_: Literal["tco.search/1"] = Field(alias="schema", default="tco.search/1")
    tool_version: str
    created_at: dt.datetime
    name: str
    scenario_sha256: str
    space: str
    space_sha256: str
    seed: int
    objective: str
    aim: Aim
    latency: str
    alternative: str | None = None
    slo: dict[str, Figure] = Field(default_factory=dict)
    own: dict[str, Setting]
    skipped: dict[str, str]
    noise: float | None = None
    stopped: str | None = None
    is_complete: bool
    engine_s: Figure
    trials: tuple[SearchTrial, ...]
    confirmation: Confirmation | None = None
    blocked: Confirmation | None = None
    best: SearchBest
    front: tuple[FrontPoint, ...] = ()
    further_fronts: tuple[Front, ...] = ()
    findings: tuple[Finding, ...] = ()
