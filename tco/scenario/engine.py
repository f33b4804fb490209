"""The engine that serves a replica, how to measure it, or a figure in place of that."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Field, StrictInt, field_validator, model_validator

from tco.quantity import (
    Date,
    Model,
    Positive,
    PositiveCount,
    Quantity,
    Streams,
    at_most_one,
    exactly_one,
    fault,
    shown,
)
from tco.scenario.argument import Argument
from tco.scenario.http_url import http_url
from tco.scenario.meter import MeterKey, PowerMeter
from tco.scenario.tuned import Tuned

_API_KEY_NAME = re.compile(r"[A-Z0-9_]*_API_KEY|TCO_[A-Z0-9_]+")


class Launch(Model):
    """An engine to start: a command as a list, never a shell string.

    A variable that is null in `env` is not set, as an argument that is null in `args`.
    """

    command: tuple[str, ...] = Field(default=("vllm", "serve"), min_length=1)
    model: str = Field(min_length=1)
    args: dict[str, Argument] = Field(default_factory=dict)
    env: dict[str, str] = Field(default_factory=dict)

    @field_validator("env", mode="before")
    @classmethod
    def _set(cls, env: object) -> object:
        if not isinstance(env, Mapping):
            return env
        return {name: value for name, value in env.items() if value is not None}


class Attach(Model):
    """A server that already runs."""

    url: str
    model: str = Field(min_length=1)
    api_key_env: str | None = None

    @field_validator("url")
    @classmethod
    def _http(cls, url: str) -> str:
        return http_url(
            url,
            example="write for example http://127.0.0.1:8000",
            in_place_of_the_rest="name the key's variable in api_key_env",
        )

    @field_validator("api_key_env")
    @classmethod
    def _key_name(cls, name: str | None) -> str | None:
        if name is not None and not _API_KEY_NAME.fullmatch(name):
            raise fault(
                f"must be a name that ends in _API_KEY or starts with TCO_, got {shown(name)}",
                "rename the variable; no other is ever read",
            )
        return name


class Engine(Model):
    """The engine that serves one replica.

    Attributes:
        tuned: where its settings come from; says nothing of what is measured or costed.
    """

    launch: Launch | None = None
    attach: Attach | None = None
    accelerators: PositiveCount | None = None
    concurrency: Streams | None = None
    tuned: Tuned | None = None

    @model_validator(mode="after")
    def _launch_or_attach(self) -> Self:
        at_most_one(self, "launch", "attach")
        return self


class Bench(Model):
    """How long and how often to measure, and with which power meter."""

    seed: Annotated[StrictInt, Field(ge=0)] = 1
    window_s: Positive = Quantity(value=60.0)
    max_minutes: Positive = Quantity(value=20.0)
    repeats: PositiveCount = Quantity(value=1.0)
    meter: MeterKey = PowerMeter()


class Published(Model):
    """Somebody's figure for one replica at capacity; exactly one rate."""

    output_tok_per_s: Positive | None = None
    total_tok_per_s: Positive | None = None
    requests_per_s: Positive | None = None
    source: str = Field(min_length=1)
    date: Date

    @model_validator(mode="after")
    def _one_rate(self) -> Self:
        exactly_one(self, "output_tok_per_s", "total_tok_per_s", "requests_per_s")
        return self


class MeasurementSource(Model):
    """Figures used instead of a bench."""

    published: Published
