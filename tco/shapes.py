"""Shapes is one ladder tuned on several traffics, and where its winner changes: `tco.shapes/1`."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import Field

from tco.measurement import Figure, Interval, Record, Share
from tco.tuning import Decision

CrossDecision = Literal["same", "worse", "better", "undecided", "failed", "not_reached"]
Winner = Literal["same", "changes", "undecided", "not_reached"]


class ShapeTuned(Record):
    """One traffic and its best settings.

    Attributes:
        scenario_file: as it was named.
        record: its `tune.json`, seen from the folder of `shapes.json`.
        tuned_file: the scenario with the best settings; None where no step was kept.
        best_steps: the steps kept, by name.
        serve: the command line that starts the best engine.
    """

    name: str
    scenario_file: str
    scenario_sha256: str
    input_tokens: Figure
    cached_input_share: Share
    output_tokens: Figure
    requests_per_session: Figure | None = None
    concurrency: Figure | None = None
    slo: dict[str, Figure] = Field(default_factory=dict)
    record: str
    tuned_file: str | None = None
    best_steps: tuple[str, ...] = ()
    serve: str
    took_s: Figure


class ShapeGain(Record):
    """What a step did on one traffic, against that one's best before it."""

    shape: str
    decision: Decision
    ratio: float | None = None
    interval: Interval | None = None


class ShapesStep(Record):
    """A step of the ladder on every traffic.

    `differs` where the intervals of two gains do not overlap; None with fewer than two intervals.
    """

    number: Annotated[int, Field(ge=1)]
    name: str
    gains: tuple[ShapeGain, ...]
    differs: bool | None = None


class CrossCell(Record):
    """The best settings of another traffic on this one, against this one's own best.

    Attributes:
        ratio: their output rate by that of its own best settings; 1 where they are the same.
        record: the `tune.json` that holds the trials, seen from the folder of `shapes.json`.
        step: which of its steps.
    """

    shape: str
    best_of: str
    decision: CrossDecision
    why: str
    ratio: float | None = None
    interval: Interval | None = None
    record: str | None = None
    step: Annotated[int, Field(ge=1)] | None = None


class ShapePair(Record):
    """Whether the winner changes between two traffics."""

    shapes: tuple[str, str]
    winner: Winner
    why: str


class Shapes(Record):
    """A ladder tuned on each of several traffics, and each one's best settings on the others."""

    schema_: Literal["tco.shapes/1"] = Field(alias="schema", default="tco.shapes/1")
    tool_version: str
    created_at: dt.datetime
    ladder: str
    ladder_sha256: str
    repeats: Annotated[int, Field(ge=1)]
    is_complete: bool
    took_s: Figure
    shapes: tuple[ShapeTuned, ...]
    steps: tuple[ShapesStep, ...]
    cross: tuple[CrossCell, ...]
    pairs: tuple[ShapePair, ...]
