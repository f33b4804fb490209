"""A Part is any piece of a comparison: frozen, no unknown keys, no NaN."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Part(BaseModel):
    """What every part of a comparison shares."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
