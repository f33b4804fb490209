"""A row of a bill: a time, a model, and what of traffic and money the export says of it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Row:
    """One record, in our words; None where it does not tell.

    Attributes:
        start_s: since 1970, UTC.
        end_s: of its bucket; equal to `start_s` for a single request.
        input_tokens: cached ones and those written to a cache included.
        cached_tokens: read from a cache.
        cache_write_tokens: written to a cache.
        usd: what it cost; below 0 for a credit.
        effective_usd: the same with commitments spread over what they cover, where told.
        id: of the request, by which it is known when it comes twice.
        unclear_tokens: of which nothing says whether they are input or output.
        other_usd: what was paid for something else than text tokens; not in `usd`.
        unclear_usd: the part of `usd` whose name does not tell what it was paid for.
    """

    start_s: int
    end_s: int
    model: str | None = None
    requests: Decimal | None = None
    input_tokens: Decimal | None = None
    cached_tokens: Decimal | None = None
    cache_write_tokens: Decimal | None = None
    output_tokens: Decimal | None = None
    usd: Decimal | None = None
    effective_usd: Decimal | None = None
    id: str | None = None
    unclear_tokens: Decimal | None = None
    other_usd: Decimal | None = None
    unclear_usd: Decimal | None = None

    def is_usage(self) -> bool:
        """Say whether it tells of tokens."""
        return self.input_tokens is not None or self.output_tokens is not None
