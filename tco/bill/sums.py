"""Sums of a bill's rows by hour (or by its longer buckets) and model."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from tco.bill.row import Row
from tco.units import SECONDS_PER_HOUR

_ZERO = Decimal(0)


class Cell(NamedTuple):
    """A bucket of time and a model; the times are seconds since 1970."""

    start_s: int
    end_s: int
    model: str | None


@dataclass(slots=True)
class Sums:
    """Exact sums; what no row tells is 0 here and untold in the file."""

    requests: Decimal = _ZERO
    input_tokens: Decimal = _ZERO
    cached_tokens: Decimal = _ZERO
    cache_write_tokens: Decimal = _ZERO
    output_tokens: Decimal = _ZERO
    usd: Decimal = _ZERO
    effective_usd: Decimal = _ZERO
    unclear_tokens: Decimal = _ZERO
    credits_usd: Decimal = _ZERO
    credits: int = 0
    untold_requests: int = 0
    untold_cached: int = 0
    untold_usd: int = 0
    other_usd: Decimal = _ZERO
    unclear_usd: Decimal = _ZERO
    cost_rows: int = 0
    usage_rows: int = 0

    def add_row(self, row: Row) -> None:
        """Add one row."""
        for name in _SUMMED:
            value = getattr(row, name)
            if value is not None:
                setattr(self, name, getattr(self, name) + value)
        if row.usd is not None and row.usd < 0:
            self.credits += 1
            self.credits_usd += row.usd
        self.cost_rows += row.usd is not None
        if row.is_usage():
            self.usage_rows += 1
            self.untold_requests += row.requests is None
            self.untold_cached += row.cached_tokens is None and bool(row.input_tokens)
            self.untold_usd += row.usd is None

    def add(self, other: Sums) -> None:
        """Add other sums."""
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


_SUMMED = (
    "requests", "input_tokens", "cached_tokens", "cache_write_tokens", "output_tokens", "usd",
    "effective_usd", "unclear_tokens", "other_usd", "unclear_usd",
)  # fmt: skip


def cell_of(row: Row) -> Cell:
    """Return where a row's sums go: the hour of a request, or the row's own bucket."""
    if row.end_s - row.start_s > SECONDS_PER_HOUR:
        return Cell(row.start_s, row.end_s, row.model)
    hour = row.start_s // SECONDS_PER_HOUR * SECONDS_PER_HOUR
    return Cell(hour, hour + SECONDS_PER_HOUR, row.model)
