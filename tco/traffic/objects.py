"""The formats of traffic that are JSON lines: Mooncake, our own, access logs, agent sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn

from tco.quantity import shown
from tco.traffic.error import TrafficError
from tco.traffic.rows import Rows
from tco.traffic.value import clock_as_ticks, ms_as_ticks, seconds, seconds_as_ticks, tokens

Object = Mapping[str, Any]
Add = Callable[[Object, Rows], None]

MOONCAKE_BLOCK_TOKENS = 512
_TIMES = ("startTime", "start_time", "timestamp", "created_at", "created", "time")


def read_objects(lines: Iterable[str], rows: Rows) -> str:
    """Read one JSON object a line into the rows, and return the format's name.

    Raises:
        TrafficError: a line that is no object, or an object of no known format.
    """
    name, add = "", None
    for text in lines:
        if not text.strip():
            continue
        record = _object(text)
        if add is None:
            name, add = _format(record)
            rows.sorts = add is _add_log
        add(record, rows)
    return name


def _object(text: str) -> Object:
    try:
        record = _DECODER.decode(text)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "it cannot be read"
        raise TrafficError(
            f"is not JSON: {reason[:1].lower()}{reason[1:]}", remedy=_REMEDY
        ) from None
    if not isinstance(record, dict):
        raise TrafficError(f"must be one JSON object a line, got {shown(record)}", remedy=_REMEDY)
    return record


_REMEDY = "give one object a line, for example with `jq -c '.[]'` from a list"


def _no_constant(text: str) -> NoReturn:
    raise ValueError(text)


_DECODER = json.JSONDecoder(parse_constant=_no_constant)  # NaN and Infinity are no JSON


def _format(first: Object) -> tuple[str, Add]:
    if "input_length" in first and "output_length" in first:
        return "Mooncake trace", _add_mooncake
    if "num_turns" in first and "input_prompt_length" in first:
        return "agent sessions", _add_session
    if "input_tokens" in first and "output_tokens" in first:
        return "tco JSON lines", _add_own
    if "prompt_tokens" in _usage(first):
        return "access log", _add_log
    raise TrafficError(
        "is no request that is known: its keys are " + ", ".join(map(str, first))[:200],
        remedy="name them at_s, input_tokens, output_tokens "
        "(and session, wait_s, cached_tokens where you have them)",
    )


def _of(record: Object, key: str) -> Any:
    if key not in record:
        raise TrafficError(f"the key {key} is missing", key=key)
    return record[key]


def _add_own(record: Object, rows: Rows) -> None:
    at, cached, session, wait = (
        record.get(key) for key in ("at_s", "cached_tokens", "session", "wait_s")
    )
    if session is not None and not isinstance(session, str | int):
        raise TrafficError(f"must be text or a number, got {shown(session)}", key="session")
    rows.add(
        tokens(_of(record, "input_tokens"), "input_tokens"),
        tokens(_of(record, "output_tokens"), "output_tokens"),
        ticks=None if at is None else seconds_as_ticks(at, "at_s"),
        cached_tokens=None if cached is None else tokens(cached, "cached_tokens"),
        session=None if session is None else str(session),
        wait_s=0.0 if wait is None else seconds(wait, "wait_s"),
    )


def _add_mooncake(record: Object, rows: Rows) -> None:
    """Blocks of 512 tokens from the start of the prompt; the last may be cut short."""
    length = tokens(_of(record, "input_length"), "input_length")
    at = record.get("timestamp")
    kept = rows.add(
        length,
        tokens(_of(record, "output_length"), "output_length"),
        ticks=None if at is None else ms_as_ticks(at, "timestamp"),
    )
    ids = record.get("hash_ids")
    if not kept or ids is None:
        _check_all_have_blocks(rows, kept=kept)
        return
    if not isinstance(ids, list):
        raise TrafficError(f"must be a list, got {shown(ids)}", key="hash_ids")
    short = len(ids) * MOONCAKE_BLOCK_TOKENS - length
    if short >= MOONCAKE_BLOCK_TOKENS:
        raise TrafficError(
            f"has {len(ids)} blocks of {MOONCAKE_BLOCK_TOKENS} tokens for a prompt of {length}",
            key="hash_ids",
        )
    lengths = [MOONCAKE_BLOCK_TOKENS] * len(ids)
    if short > 0:
        lengths[-1] -= short
    rows.add_blocks(ids, lengths)
    _check_all_have_blocks(rows, kept=True)


def _check_all_have_blocks(rows: Rows, *, kept: bool) -> None:
    if kept and rows.block_counts and len(rows.block_counts) != len(rows):
        raise TrafficError("must stand in every request or in none", key="hash_ids")


def _usage(record: Object) -> Object:
    """Return where the counts stand: in `usage`, in the response's, or beside the time."""
    for holder in (record, record.get("response")):
        if isinstance(holder, Mapping) and isinstance(holder.get("usage"), Mapping):
            usage: Object = holder["usage"]
            return usage
    return record


def _add_log(record: Object, rows: Rows) -> None:
    usage = _usage(record)
    if usage.get("prompt_tokens") is None or usage.get("completion_tokens") is None:
        rows.left_out += 1  # a request that failed has no usage
        return
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, Mapping) else None
    rows.add(
        tokens(usage["prompt_tokens"], "prompt_tokens"),
        tokens(usage["completion_tokens"], "completion_tokens"),
        ticks=_log_ticks(record),
        cached_tokens=None if cached is None else tokens(cached, "cached_tokens"),
    )


def _log_ticks(record: Object) -> int | None:
    for holder in (record, record.get("response")):
        if isinstance(holder, Mapping):
            for key in _TIMES:
                if holder.get(key) is not None:
                    return clock_as_ticks(holder[key], key)
    return None


def _add_session(record: Object, rows: Rows) -> None:
    """A session of num_turns tool calls: num_turns + 1 requests, each growing the context."""
    turns = tokens(_of(record, "num_turns"), "num_turns")
    answers = _list(record, "assistant_response_length", turns)
    outputs = _list(record, "tool_call_output_length", turns)
    latencies = _list(record, "tool_call_latency", turns)
    answers = [*answers, _of(record, "final_assistant_response_length")]
    prompt = _least_1(_of(record, "input_prompt_length"), "input_prompt_length")
    session = f"session {len(rows)}"
    wait_s = 0.0
    for turn, raw in enumerate(answers):
        key = "assistant_response_length" if turn < turns else "final_assistant_response_length"
        answer = _least_1(raw, key)
        rows.add(prompt, answer, session=session, wait_s=wait_s)
        if turn < turns:
            wait_s = seconds(latencies[turn], "tool_call_latency")
            prompt += answer + _least_1(outputs[turn], "tool_call_output_length")


def _list(record: Object, key: str, length: int) -> list[Any]:
    found = _of(record, key)
    if not isinstance(found, list) or len(found) != length:
        got = f"{len(found)} entries" if isinstance(found, list) else shown(found)
        raise TrafficError(f"must be a list of num_turns = {length} entries, got {got}", key=key)
    return found


def _least_1(raw: object, key: str) -> int:
    """No turn can be left out of a session, so an empty one is sent as one token."""
    return max(1, tokens(raw, key))
