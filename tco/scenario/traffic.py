"""Traffic: the shape of a request, and how much of it there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import (
    BeforeValidator,
    Field,
    PrivateAttr,
    StrictBool,
    field_validator,
    model_validator,
)

from tco.quantity import (
    Amount,
    AtLeastOne,
    Count,
    Model,
    Positive,
    PositiveShare,
    Quantity,
    Share,
    Tokens,
    at_most_one,
    exactly_one,
    fault,
)
from tco.request_mix import RequestMix
from tco.scenario.bill import BillSource, as_bill
from tco.scenario.length import Length, LengthSpread, mean_tokens
from tco.scenario.mix import Mix, check_mix
from tco.scenario.session import SessionShape

PROFILE_LENGTHS = (24, 168)


class Trace(Model):
    """A file of real requests.

    Attributes:
        file: relative to the scenario's folder.
        speed_up: its arrivals are replayed this many times as fast.
        arrivals: whether its own arrival times are replayed, in an open loop; else only its
            lengths, sessions and prefixes are used. Left out: whether it states times.
        sha256: of the file; found when it is read, or stated to be sure that it is the one.
        requests_per_session: found when it is read; None where it has no sessions.
        longest_input_tokens: found when it is read.
    """

    file: str = Field(min_length=1)
    speed_up: Positive = Quantity(value=1.0)
    arrivals: StrictBool | None = None
    sha256: str | None = Field(default=None, pattern="^[0-9a-f]{64}$")
    requests_per_session: AtLeastOne | None = None
    longest_input_tokens: Tokens | None = None
    _folder: Path = PrivateAttr(default=Path())
    _requests: RequestMix | None = PrivateAttr(default=None)

    def model_post_init(self, context: object) -> None:
        """Keep the folder of the scenario's file, which is no part of what the scenario states."""
        if isinstance(context, Mapping):
            self._folder = context["folder"]

    def path(self) -> Path:
        """Return where the file lies."""
        return self._folder / self.file

    def hold(self, requests: RequestMix) -> None:
        """Keep the requests that were read from the file, which are no part of what is stated."""
        self._requests = requests

    def requests(self) -> RequestMix | None:
        """Return the file's requests; None where it was not read."""
        return self._requests


def _as_trace(raw: object) -> object:
    return {"file": raw} if isinstance(raw, str) else raw


class Shape(Model):
    """The tokens of one request; means, which may be fractional.

    With a trace, a session or a mix the means are theirs, filled in when the scenario is read.
    """

    trace: (
        Annotated[Trace, BeforeValidator(_as_trace, json_schema_input_type=str | Trace)] | None
    ) = None
    session: SessionShape | None = None
    mix: Mix | None = Field(default=None, json_schema_extra={"minItems": 1})
    input_tokens: Length
    cached_input_share: Share = Quantity(value=0.0)
    output_tokens: Length

    @field_validator("mix")
    @classmethod
    def _mix_fits(cls, mix: Mix | None) -> Mix | None:
        if mix is not None:
            check_mix(mix)
        return mix

    def requests_per_session(self) -> float | None:
        """Return the mean; None where requests belong to no sessions."""
        if self.session is not None:
            return self.session.turns.value
        seen = self.trace.requests_per_session if self.trace is not None else None
        return seen.value if seen is not None else None

    def longest_input_tokens(self) -> float | None:
        """Return the longest prompt, as far as it is known (else infinity); None: all are alike.

        Of a session it is the last call's, by the means.
        """
        if self.session is not None:
            return self.session.longest_input_tokens()
        if self.trace is not None:
            longest = self.trace.longest_input_tokens
            return math.inf if longest is None else longest.value
        lengths = [entry.input_tokens for entry in self.mix or ()] or [self.input_tokens]
        if any(isinstance(length, LengthSpread) for length in lengths):
            return math.inf
        return max(map(mean_tokens, lengths)) if self.mix else None


class Demand(Model):
    """How much traffic there is; exactly one of the three averages.

    Of a trace, average, peak and (of a day or more) profile are filled in when it is read.

    Attributes:
        from_trace: the demand is that of the shape's trace, `scale` times.
        scale: of a trace's demand; the trace's own average and peak stay as they are told.
        availability: share of the time that a paid replica is up.
    """

    from_trace: StrictBool | None = None
    scale: Positive | None = None
    requests_per_day: Positive | None = None
    average_requests_per_s: Positive | None = None
    average_output_tok_per_s: Positive | None = None
    peak_to_average: AtLeastOne | None = None
    peak_output_tok_per_s: Positive | None = None
    profile: tuple[Amount, ...] | None = None
    target_peak_utilisation: PositiveShare = Quantity(value=1.0)
    availability: PositiveShare = Quantity(value=1.0)
    spares: Count = Quantity(value=0.0)

    @model_validator(mode="after")
    def _one_average_one_peak(self) -> Self:
        exactly_one(self, "requests_per_day", "average_requests_per_s", "average_output_tok_per_s")
        if not self.from_trace:
            at_most_one(self, "peak_to_average", "profile", "peak_output_tok_per_s")
        if self.scale is not None and not self.from_trace:
            raise fault(
                "needs `from_trace: true` beside it", "state the demand itself", key="scale"
            )
        average, peak = self.average_output_tok_per_s, self.peak_output_tok_per_s
        if average and peak and peak.value < average.value:
            raise fault(
                f"must not be below average_output_tok_per_s ({average.value:g}), "
                f"got {peak.value:g}",
                key="peak_output_tok_per_s",
            )
        return self

    @field_validator("profile")
    @classmethod
    def _whole_days(cls, profile: tuple[Quantity, ...] | None) -> tuple[Quantity, ...] | None:
        if profile is not None and len(profile) not in PROFILE_LENGTHS:
            raise fault(f"must have 24 or 168 hourly weights, got {len(profile)}")
        if profile is not None and not any(weight.value > 0 for weight in profile):
            raise fault("must have a weight above 0, got only zeros")
        return profile


class Traffic(Model):
    """The shape of a request, and either a utilisation or a demand.

    With a bill, shape and demand are its own, filled in when the scenario is read.

    Attributes:
        by_year: factors on the demand, year by year; the last one repeats.
    """

    bill: (
        Annotated[
            BillSource,
            BeforeValidator(as_bill, json_schema_input_type=str | tuple[str, ...] | BillSource),
        ]
        | None
    ) = None
    shape: Shape
    target_utilisation: PositiveShare | None = None
    demand: Demand | None = None
    by_year: tuple[Positive, ...] | None = Field(default=None, min_length=1, max_length=100)

    @model_validator(mode="after")
    def _utilisation_or_demand(self) -> Self:
        at_most_one(self, "target_utilisation", "demand")
        if self.by_year is not None and self.demand is None:
            raise fault("needs `demand`", "state the first year's traffic.demand", key="by_year")
        if self.by_year is not None and self.by_year[0].value != 1:
            raise fault(
                f"must begin with 1, got {self.by_year[0].value:g}",
                "traffic.demand is the first year's, and each factor is of that",
                key="by_year",
            )
        return self
