"""Traffic: the shape of a request, and how much of it there is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Discriminator, Tag, field_validator, model_validator

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

PROFILE_LENGTHS = (24, 168)


class LengthSpread(Model):
    """A length in tokens by its mean and 95th percentile."""

    mean: Tokens
    p95: Tokens

    @model_validator(mode="after")
    def _p95_above_mean(self) -> Self:
        if self.p95.value < self.mean.value:
            raise fault(
                f"must not be below mean ({self.mean.value:g}), got {self.p95.value:g}", key="p95"
            )
        return self


def _length_kind(raw: object) -> str:
    spread = isinstance(raw, LengthSpread) or (
        isinstance(raw, Mapping) and not raw.keys().isdisjoint(LengthSpread.model_fields)
    )
    return "(spread)" if spread else "(number)"


# The tags stand in brackets so that an error's key leaves them out.
Length = Annotated[
    Annotated[Tokens, Tag("(number)")] | Annotated[LengthSpread, Tag("(spread)")],
    Discriminator(_length_kind),
]


class Shape(Model):
    """The tokens of one request; means, which may be fractional."""

    input_tokens: Length
    cached_input_share: Share = Quantity(value=0.0)
    output_tokens: Length

    @model_validator(mode="before")
    @classmethod
    def _no_trace(cls, raw: object) -> object:
        if isinstance(raw, Mapping) and "trace" in raw:
            raise fault(
                "takes no trace file in this version",
                "state input_tokens, cached_input_share and output_tokens instead",
                key="trace",
            )
        return raw


class Demand(Model):
    """How much traffic there is; exactly one of the three averages."""

    requests_per_day: Positive | None = None
    average_requests_per_s: Positive | None = None
    average_output_tok_per_s: Positive | None = None
    peak_to_average: AtLeastOne | None = None
    peak_output_tok_per_s: Positive | None = None
    profile: tuple[Amount, ...] | None = None
    target_peak_utilisation: PositiveShare = Quantity(value=1.0)
    spares: Count = Quantity(value=0.0)

    @model_validator(mode="after")
    def _one_average_one_peak(self) -> Self:
        exactly_one(self, "requests_per_day", "average_requests_per_s", "average_output_tok_per_s")
        at_most_one(self, "peak_to_average", "profile", "peak_output_tok_per_s")
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
    """The shape of a request, and either a utilisation or a demand."""

    shape: Shape
    target_utilisation: PositiveShare | None = None
    demand: Demand | None = None

    @model_validator(mode="after")
    def _utilisation_or_demand(self) -> Self:
        at_most_one(self, "target_utilisation", "demand")
        return self
