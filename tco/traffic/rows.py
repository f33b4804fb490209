"""Rows are the requests of a file as they are read, a column each; then they are a Workload."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tco.traffic.error import TrafficError
from tco.traffic.value import TICKS_PER_S

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

MOST_ROWS = 10_000_000
_MOST_BLOCKS = 100_000_000
_NONE = -1


def _ints() -> array[int]:
    return array("q")


@dataclass(slots=True)
class Rows:
    """Requests in the order of the file.

    Attributes:
        sorts: whether times may stand in any order (a log is written when answers end).
        left_out: requests with no input or no answer, which nobody can send again.
        ticks: arrivals in 100 ns; -1 where none is stated.
        input_tokens: whole prompts.
        cached_tokens: of the prompt, seen answered by a cache; -1 where it is not said.
        session: a number for each session; a request of no session has its own.
        wait_s: after the answer before, in the same session.
        block_counts: blocks of each row, with their ids and lengths in the next two.
    """

    sorts: bool = False
    left_out: int = 0
    ticks: array[int] = field(default_factory=_ints)
    input_tokens: array[int] = field(default_factory=_ints)
    output_tokens: array[int] = field(default_factory=_ints)
    cached_tokens: array[int] = field(default_factory=_ints)
    session: array[int] = field(default_factory=_ints)
    wait_s: array[float] = field(default_factory=lambda: array("d"))
    block_counts: array[int] = field(default_factory=_ints)
    block_id: array[int] = field(default_factory=_ints)
    block_tokens: array[int] = field(default_factory=_ints)
    _session_of: dict[str, int] = field(default_factory=dict)
    _sessions: int = 0
    _latest: int = _NONE

    def __len__(self) -> int:
        return len(self.ticks)

    def add(
        self,
        input_tokens: int,
        output_tokens: int,
        *,
        ticks: int | None = None,
        cached_tokens: int | None = None,
        session: str | None = None,
        wait_s: float = 0.0,
    ) -> bool:
        """Append a request, and say whether it was one to keep.

        Raises:
            TrafficError: too many of them, no time or one before the last one's, or more tokens
                from the cache than the prompt has.
        """
        if input_tokens == 0 or output_tokens == 0:
            self.left_out += 1
            return False
        if len(self.ticks) >= MOST_ROWS:
            raise TrafficError(
                f"has more than {MOST_ROWS:,} requests", remedy="cut it into files of a part each"
            )
        if cached_tokens is not None and cached_tokens > input_tokens:
            raise TrafficError(f"has {cached_tokens} cached of {input_tokens} input tokens")
        if ticks is None and self._latest != _NONE and self._is_new(session):
            raise TrafficError("states no time of arrival, and the requests above it do")
        self.ticks.append(_NONE if ticks is None else self._in_order(ticks))
        self.input_tokens.append(input_tokens)
        self.output_tokens.append(output_tokens)
        self.cached_tokens.append(_NONE if cached_tokens is None else cached_tokens)
        self.session.append(self._number(session))
        self.wait_s.append(wait_s)
        return True

    def add_blocks(self, ids: Sequence[int], lengths: Sequence[int]) -> None:
        """State the blocks of the row just added; a file states them for every row or for none.

        Raises:
            TrafficError: an id that is no whole number from 0 on, or too many blocks.
        """
        try:
            self.block_id.extend(ids)
        except (TypeError, OverflowError):
            raise TrafficError("must hold whole numbers below 2^63 alone", key="hash_ids") from None
        if ids and min(ids) < 0:
            raise TrafficError(f"must be 0 or more, got {min(ids)}", key="hash_ids")
        if len(self.block_id) > _MOST_BLOCKS:
            raise TrafficError(
                f"has more than {_MOST_BLOCKS:,} blocks", remedy="cut it into files of a part each"
            )
        self.block_tokens.extend(lengths)
        self.block_counts.append(len(ids))

    def _in_order(self, ticks: int) -> int:
        if ticks < self._latest and not self.sorts:
            late_s = (self._latest - ticks) / TICKS_PER_S
            raise TrafficError(
                f"arrives {late_s:g} s before the request above it", remedy="sort the file by time"
            )
        self._latest = ticks
        return ticks

    def _is_new(self, session: str | None) -> bool:
        return session is None or session not in self._session_of

    def _number(self, session: str | None) -> int:
        if session is not None and session in self._session_of:
            return self._session_of[session]
        self._sessions += 1
        if session is not None:
            self._session_of[session] = self._sessions
        return self._sessions

    def arrivals_s(self) -> Floats:
        """Return all stated arrivals, sorted, in seconds after the first."""
        ticks = np.sort(np.array(self.ticks, dtype=np.int64))
        stated = ticks[ticks != _NONE]
        return np.asarray((stated - stated[:1]) / TICKS_PER_S)

    def knows_cached(self) -> bool:
        """Say whether every request states how much of it a cache answered."""
        return len(self) > 0 and min(self.cached_tokens) != _NONE
