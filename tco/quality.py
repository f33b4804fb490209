"""A QualityProbe is what an engine made of a fixed set of prompts: `tco.quality/1`."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from pydantic import Field

from tco.measurement import Record

PromptKind = Literal["text", "random"]


class PromptProbe(Record):
    """What an engine made of one prompt.

    Attributes:
        kind: real text, or token ids drawn at random.
        tokens: the prompt as the engine read it.
        logprobs: of each token given those before it [nats]; the first has none.
        answer: token ids of the greedy answer.
    """

    kind: PromptKind
    tokens: tuple[int, ...]
    logprobs: tuple[float, ...]
    answer: tuple[int, ...]


class QualityProbe(Record):
    """The whole set, asked one request at a time of one engine start.

    Attributes:
        prompts: empty where the engine does not tell log-probabilities.
        again: the same once more, of the same start: how far it differs from itself.
        unprobed: why there are none.
        no_text: why only random tokens were asked for.
        score: what the scenario's command said of the endpoint; None without one.
        score_failure: why it said nothing.
    """

    schema_: Literal["tco.quality/1"] = Field(alias="schema", default="tco.quality/1")
    created_at: dt.datetime
    prompts: tuple[PromptProbe, ...]
    again: tuple[PromptProbe, ...] = ()
    unprobed: str | None = None
    no_text: str | None = None
    score: float | None = None
    score_failure: str | None = None
