"""A Length is how many tokens: a mean, or a mean and a 95th percentile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Self

from pydantic import Discriminator, Tag, model_validator

from tco.errors import InputError
from tco.lognormal import fitted_lognormal
from tco.quantity import Model, Quantity, Tokens, fault


class LengthSpread(Model):
    """A length in tokens by its mean and 95th percentile."""

    mean: Tokens
    p95: Tokens

    @model_validator(mode="before")
    @classmethod
    def _one_way(cls, raw: object) -> object:
        """See this before the keys themselves, of which `value` is none."""
        if isinstance(raw, Mapping) and "value" in raw:
            raise fault(
                "must be a number with its range or a mean with its 95th percentile, got both",
                "write {value, low, high}, or {mean: {value, low, high}, p95}",
            )
        return raw

    @model_validator(mode="after")
    def _p95_above_mean(self) -> Self:
        if self.p95.value < self.mean.value:
            raise fault(
                f"must not be below mean ({self.mean.value:g}), got {self.p95.value:g}", key="p95"
            )
        try:
            fitted_lognormal(self.mean.value, self.p95.value, key="p95")
        except InputError as error:
            raise fault(error.message, error.remedy, key="p95") from None
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


def mean_tokens(length: Quantity | LengthSpread) -> float:
    """Return a length's mean in tokens."""
    return length.mean.value if isinstance(length, LengthSpread) else length.value
