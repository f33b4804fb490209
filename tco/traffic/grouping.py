"""Grouping turns rows, as a file has them, into a Workload: the turns of a session together."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tco.traffic.error import TrafficError
from tco.traffic.rows import Rows
from tco.traffic.value import TICKS_PER_S
from tco.workload import Workload

Ints = npt.NDArray[np.int64]

_NONE = -1
_SYSTEM_BLOCK = -1
# Laps are told apart by adding to the ids: large ones (hashes) are numbered anew.
_LARGEST_ID = 1 << 40


def workload_of(rows: Rows) -> Workload:
    """Return the rows as a workload, sessions in the order of their arrival.

    A turn's prompt is read as the prompt and answer of the turn before and something new. One
    that is no longer than those (a conversation cut, or summed up) begins a session of its own.

    Raises:
        TrafficError: such a turn states no time, where others do.
    """
    order = _order(rows)
    session, ticks = (
        np.array(column, dtype=np.int64)[order] for column in (rows.session, rows.ticks)
    )
    input_tokens = np.array(rows.input_tokens, dtype=np.int64)[order]
    output_tokens = np.array(rows.output_tokens, dtype=np.int64)[order]
    context = np.concatenate([[0], (input_tokens + output_tokens)[:-1]])[: len(order)]
    begins = np.concatenate([[True], session[1:] != session[:-1]])[: len(order)]
    begins |= input_tokens <= context
    own = input_tokens - np.where(begins, 0, context)
    counts, block_id, block_tokens = _blocks(rows, order, begins, input_tokens)
    offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    in_blocks = np.diff(np.concatenate([[0], np.cumsum(block_tokens)])[offsets])
    starts = _starts(ticks, begins)
    at_s = np.full(len(order), np.nan)
    at_s[begins] = (starts - starts.min(initial=np.iinfo(np.int64).max)) / TICKS_PER_S
    if len(starts) and starts[0] == _NONE:
        at_s[:] = np.nan
    workload = Workload(
        at_s=at_s,
        session=np.cumsum(begins) - 1,
        wait_s=np.array(rows.wait_s)[order],
        fresh_tokens=own - in_blocks,
        output_tokens=output_tokens,
        block_offsets=offsets,
        block_id=block_id,
        block_tokens=block_tokens,
    )
    by_arrival = np.argsort(starts, kind="stable")
    return workload.taken(by_arrival, np.zeros(len(starts), dtype=np.int64))


def _order(rows: Rows) -> Ints:
    """Return the rows' places: by session, in it by the file's order or, of a log, by time."""
    ticks = np.array(rows.ticks, dtype=np.int64)
    by_time = np.argsort(ticks, kind="stable") if rows.sorts else np.arange(len(rows))
    session = np.array(rows.session, dtype=np.int64)[by_time]
    return np.asarray(by_time[np.argsort(session, kind="stable")], dtype=np.int64)


def _blocks(
    rows: Rows, order: Ints, begins: npt.NDArray[np.bool_], input_tokens: Ints
) -> tuple[Ints, Ints, Ints]:
    """Return how many blocks each row has, and their ids and lengths.

    What a log saw answered by a cache is a prefix that all sessions have alike; the last token
    of a prompt is always computed.
    """
    if rows.block_counts:
        block_id = np.array(rows.block_id, dtype=np.int64)
        if block_id.max(initial=0) > _LARGEST_ID:
            block_id = np.unique(block_id, return_inverse=True)[1].astype(np.int64)
        return (
            np.array(rows.block_counts, dtype=np.int64),
            block_id,
            np.array(rows.block_tokens, dtype=np.int64),
        )
    cached = np.zeros(len(order), dtype=np.int64)
    if rows.knows_cached():
        cached = np.array(rows.cached_tokens, dtype=np.int64)[order]
        cached = np.where(begins, np.minimum(cached, input_tokens - 1), 0)
    block_tokens = cached[cached > 0]
    ids = np.full(len(block_tokens), _SYSTEM_BLOCK, dtype=np.int64)
    return (cached > 0).astype(np.int64), ids, block_tokens


def _starts(ticks: Ints, begins: npt.NDArray[np.bool_]) -> Ints:
    """Return the arrival of each session, in ticks; all of them are stated, or none."""
    starts = ticks[begins]
    unknown = starts == _NONE
    if unknown.any() and not unknown.all():
        raise TrafficError(
            "has a turn that is no longer than its session before it, so it begins another, "
            "and states no time of arrival",
            remedy="state the time of every request, or the sessions apart",
        )
    return starts
