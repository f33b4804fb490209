"""Where tuned settings of an engine come from: the traffic they were found on, and the record."""

from __future__ import annotations

from pydantic import Field

from tco.quantity import (
    AtLeastOne,
    Model,
    Positive,
    PositiveCount,
    Quantity,
    Share,
    Streams,
    Tokens,
)
from tco.scenario.argument import Argument


class TunedShape(Model):
    """The traffic that settings were found on: means, as `traffic.shape` gives them.

    Attributes:
        requests_per_session: None where requests belonged to no sessions.
        concurrency: streams at once; None where the capacity was searched.
        slo: the service level, in ms by key.
    """

    input_tokens: Tokens
    cached_input_share: Share = Quantity(value=0.0)
    output_tokens: Tokens
    requests_per_session: AtLeastOne | None = None
    concurrency: Streams | None = None
    slo: dict[str, Positive] = Field(default_factory=dict)


class TunedSettings(Model):
    """The engine's settings as they were found, so that a later change of them is seen."""

    model: str = Field(min_length=1)
    args: dict[str, Argument] = Field(default_factory=dict)
    env: dict[str, str] = Field(default_factory=dict)
    accelerators: PositiveCount | None = None


class Tuned(Model):
    """What `tco tune` writes beside the settings it found.

    Attributes:
        record: its `tune.json`, seen from the scenario's file.
        shape: the traffic it measured.
        settings: as found; left out: changes made since are not seen.
    """

    record: str | None = Field(default=None, min_length=1)
    shape: TunedShape
    settings: TunedSettings | None = None
