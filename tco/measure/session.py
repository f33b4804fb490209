"""Sessions of agent turns, drawn from their means: contexts that grow, with tools in between."""

from __future__ import annotations

import math

import numpy as np

from tco.measure.lengths import drawn_lengths
from tco.scenario import Length, SessionShape
from tco.workload import Ints, Workload

_SYSTEM_BLOCK = -1


def session_workload(
    session: SessionShape, rows: int, random: np.random.Generator, *, key: str
) -> Workload:
    """Return whole sessions with at least `rows` requests in all; `key` is theirs, for errors.

    Waits for tools, and for the user before a session's first turn, are exponential.

    Raises:
        InputError: a length's spread that no lognormal has.
    """

    def drawn(name: str, length: Length, count: int) -> Ints:
        return drawn_lengths(length, count, random, key=f"{key}.{name}")

    sessions = math.ceil(rows / session.turns.value) + 1
    turns = drawn("turns", session.turns, sessions)
    total = int(turns.sum())
    starts = np.cumsum(turns) - turns
    is_first, is_last = np.zeros((2, total), dtype=bool)
    is_first[starts] = True
    is_last[starts + turns - 1] = True
    fresh_tokens = np.empty(total, dtype=np.int64)
    fresh_tokens[is_first] = drawn("first_input_tokens", session.first_input_tokens, sessions)
    later = total - sessions
    fresh_tokens[~is_first] = drawn("tool_output_tokens", session.tool_output_tokens, later)
    output_tokens = np.empty(total, dtype=np.int64)
    output_tokens[is_last] = drawn("final_answer_tokens", session.final_answer(), sessions)
    output_tokens[~is_last] = drawn("answer_tokens", session.answer_tokens, later)
    wait_s = random.exponential(1.0, total)
    wait_s *= np.where(is_first, session.think_s.value, session.tool_wait_s.value)
    system_tokens = round(session.system_tokens.value)
    blocks = is_first.astype(np.int64) * (system_tokens > 0)
    return Workload(
        at_s=np.full(total, np.nan),
        session=np.repeat(np.arange(sessions, dtype=np.int64), turns),
        wait_s=wait_s,
        fresh_tokens=fresh_tokens,
        output_tokens=output_tokens,
        block_offsets=np.concatenate([[0], np.cumsum(blocks)]).astype(np.int64),
        block_id=np.full(int(blocks.sum()), _SYSTEM_BLOCK, dtype=np.int64),
        block_tokens=np.full(int(blocks.sum()), system_tokens, dtype=np.int64),
    )
