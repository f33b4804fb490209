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
        wait_s: from the end of the session's answer before to this request (tool, thinking); of
            a first turn, from the end of a stream's session before (a closed loop's user).
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

    def sessions(self) -> int:
        """Return how many sessions there are."""
        return int(np.count_nonzero(self.is_first_turn()))

    def taken(self, order: Ints, lap: Ints) -> Workload:
        """Return whole sessions by their place (0 is the first), each under an id of its own.

        Args:
            order: places of sessions, in the order wanted; one may come again.
            lap: for each, a number from 0; blocks with ids from 0 on are shared within a lap
                only. Ids below 0 are kept.
        """
        starts = np.flatnonzero(self.is_first_turn())
        lengths = np.diff(np.append(starts, len(self)))[order]
        rows = _ranges(starts[order], lengths)
        counts = np.diff(self.block_offsets)[rows]
        blocks = _ranges(self.block_offsets[rows], counts)
        block_id = self.block_id[blocks]
        step = int(self.block_id.max(initial=-1)) + 1
        shift = np.repeat(np.repeat(lap, lengths), counts) * step
        return Workload(
            at_s=self.at_s[rows],
            session=np.repeat(np.arange(len(order), dtype=np.int64), lengths),
            wait_s=self.wait_s[rows],
            fresh_tokens=self.fresh_tokens[rows],
            output_tokens=self.output_tokens[rows],
            block_offsets=_offsets(counts),
            block_id=np.where(block_id < 0, block_id, block_id + shift),
            block_tokens=self.block_tokens[blocks],
        )

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
    shared_tokens: int | Ints = 0,
) -> Workload:
    """Return requests that are sessions of their own, with one prefix that all have alike.

    Args:
        input_tokens: whole prompts.
        output_tokens: of the same length.
        at_s: arrivals; none: as streams become free.
        shared_tokens: length of the prefix, of all or of each; a row's is cut to its prompt.
    """
    rows = len(input_tokens)
    shared = np.minimum(input_tokens, shared_tokens).astype(np.int64)
    block_tokens = shared[shared > 0]
    return Workload(
        at_s=np.full(rows, np.nan) if at_s is None else at_s,
        session=np.arange(rows, dtype=np.int64),
        wait_s=np.zeros(rows),
        fresh_tokens=np.asarray(input_tokens - shared, dtype=np.int64),
        output_tokens=np.asarray(output_tokens, dtype=np.int64),
        block_offsets=_offsets((shared > 0).astype(np.int64)),
        block_id=np.full(len(block_tokens), -1, dtype=np.int64),
        block_tokens=block_tokens,
    )


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return the indices from each start on, so many as its length, one range after another."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    first = np.repeat(starts - (ends - lengths), lengths)
    return np.asarray(np.arange(total, dtype=np.int64) + first)


def _offsets(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
