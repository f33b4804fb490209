"""A Workload is the requests of some traffic in order: when, how long, and what they share.

A row is one request. Rows of one session stand together in the order of its turns; a request
that belongs to none is a session of one row. A prompt is, in this order: the session's context
(the whole prompt and answer of the turn before; nothing for a first turn), the row's blocks,
its fresh tokens. A block is the first `block_tokens` tokens of its id's own sequence, so equal
leading blocks are a prefix that a cache can answer; fresh tokens are like no other request's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Self

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests, a row each; tokens are counts, times in seconds.

    Attributes:
        at_s: when each request arrives after the start, in order; NaN for a later turn of a
            session (it comes `wait_s` after the answer before it) and where nothing states it.
        session: an id that the rows of one session have alike, and no other row.
        wait_s: from the end of the session's answer before to this request (tool, thinking).
        fresh_tokens: new tokens at the end of the prompt.
        output_tokens: tokens of the answer.
        block_offsets: of length rows + 1; row i has blocks block_offsets[i] to
            block_offsets[i + 1] of the next two.
        block_id: ids; one below 0 holds the same tokens every time the rows are gone through
            (a system prompt), any other only within one pass.
        block_tokens: tokens in each.
    """

    at_s: Floats
    session: Ints
    wait_s: Floats
    fresh_tokens: Ints
    output_tokens: Ints
    block_offsets: Ints
    block_id: Ints
    block_tokens: Ints

    def __len__(self) -> int:
        return len(self.session)

    def own_tokens(self) -> Ints:
        """Return each row's own part of its prompt: blocks and fresh tokens, without context."""
        sums = np.concatenate([[0], np.cumsum(self.block_tokens)]).astype(np.int64)
        return np.asarray(np.diff(sums[self.block_offsets]) + self.fresh_tokens)

    def is_first_turn(self) -> npt.NDArray[np.bool_]:
        """Say which rows begin a session."""
        return np.concatenate([[True], self.session[1:] != self.session[:-1]])[: len(self)]

    def context_tokens(self) -> Ints:
        """Return the tokens of each row's context: all of its session before it."""
        grown = np.cumsum(self.own_tokens() + self.output_tokens)
        before = np.concatenate([[0], grown[:-1]])[: len(self)].astype(np.int64)
        starts = np.flatnonzero(self.is_first_turn())
        lengths = np.diff(np.append(starts, len(self)))
        return np.asarray(before - np.repeat(before[starts], lengths))

    def input_tokens(self) -> Ints:
        """Return the length of each row's whole prompt."""
        return np.asarray(self.context_tokens() + self.own_tokens())

    def save(self, path: Path) -> None:
        """Write the arrays (NumPy, compressed)."""
        np.savez_compressed(path, **{f.name: getattr(self, f.name) for f in fields(self)})

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read what `save` wrote."""
        with np.load(path, allow_pickle=False) as arrays:
            return cls(**{f.name: arrays[f.name] for f in fields(cls)})


def plain_workload(
    input_tokens: Ints,
    output_tokens: Ints,
    *,
    at_s: Floats | None = None,
    shared_tokens: int = 0,
) -> Workload:
    """Return requests that are sessions of their own, with one prefix that all have alike.

    Args:
        input_tokens: whole prompts, each above `shared_tokens` or cut to it.
        output_tokens: of the same length.
        at_s: arrivals; none: as streams become free.
        shared_tokens: length of the prefix.
    """
    rows = len(input_tokens)
    blocks = int(shared_tokens > 0)
    shared = np.minimum(input_tokens, shared_tokens)
    return Workload(
        at_s=np.full(rows, np.nan) if at_s is None else at_s,
        session=np.arange(rows, dtype=np.int64),
        wait_s=np.zeros(rows),
        fresh_tokens=np.asarray(input_tokens - shared, dtype=np.int64),
        output_tokens=np.asarray(output_tokens, dtype=np.int64),
        block_offsets=np.arange(rows + 1, dtype=np.int64) * blocks,
        block_id=np.full(rows * blocks, -1, dtype=np.int64),
        block_tokens=np.asarray(shared, dtype=np.int64) if blocks else np.empty(0, dtype=np.int64),
    )
