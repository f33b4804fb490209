"""What one request's answer says: tokens with their arrival times, usage, and whether it failed.

Events are not tokens: an event may hold several, and one with empty text may hold one
(incomplete UTF-8). Tokens are counted by `token_ids`, else by the running `usage` of each
event, else the final `usage` is spread over the events that carried content; an answer
without any of them is a failure.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from tco.measure.event_json import event_of
from tco.measure.sse import Response, read_response

TokenSource = Literal["token_ids", "continuous_usage", "usage"]
_HTTP_OK = 200
_FINISH = "length"  # each request asks for a number of tokens, and to end at no other


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: token events, what the server counted, and the kind of failure (None: good).

    Attributes:
        times_ns: arrival of each event that holds a token, in order.
        tokens: tokens in each of those events.
        input_tokens, output_tokens, cached_tokens: the server's `usage`; None: not reported.
    """

    status: int
    failure: str | None
    times_ns: tuple[int, ...]
    tokens: tuple[int, ...]
    source: TokenSource
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    finish_reason: str | None
    events: int
    message: str = ""


@dataclass(slots=True)
class _Seen:
    """What the events have said so far; a row is (time ns, tokens by ids, by usage, content)."""

    rows: list[tuple[int, int | None, int | None, bool]] = field(default_factory=list)
    running: dict[int, int] = field(default_factory=dict)
    usage: dict[str, Any] = field(default_factory=dict)
    finish: str | None = None
    error: str | None = None
    is_done: bool = False
    has_bad_json: bool = False


def read_answer(reads: Sequence[tuple[int, bytes]], *, end: str) -> Answer:
    """Parse the reads (time ns, bytes) of one request.

    Args:
        reads: in the order of their arrival.
        end: how the transport saw it end, one of `client_log.ENDS`.
    """
    response = read_response(reads)
    seen = _Seen()
    for time_ns, data in response.events or ():
        try:
            _take(seen, time_ns, data)
        except (AttributeError, LookupError, TypeError, ValueError):
            seen.has_bad_json = True  # no JSON, or not of the shape of an event
    source, events = _token_events(seen)
    return Answer(
        status=response.status,
        failure=_failure(response, seen, events, end),
        times_ns=tuple(time_ns for time_ns, _ in events),
        tokens=tuple(count for _, count in events),
        source=source,
        input_tokens=_whole(seen.usage.get("prompt_tokens")),
        output_tokens=_whole(seen.usage.get("completion_tokens")),
        cached_tokens=_whole((seen.usage.get("prompt_tokens_details") or {}).get("cached_tokens")),
        finish_reason=seen.finish,
        events=len(response.events or ()),
        message=seen.error or (_error_of(response.body) if response.status != _HTTP_OK else ""),
    )


def _take(seen: _Seen, time_ns: int, data: bytes) -> None:
    if data == b"[DONE]":
        seen.is_done = True
        return
    event = event_of(data)
    if event.error:
        seen.error = _error_of(data)
        return
    usage = event.usage or {}
    if not event.choices:
        seen.usage = usage or seen.usage
        return
    choice = event.choices[0]
    seen.finish = choice.finish_reason or seen.finish
    ids, counted = choice.token_ids, None
    if "completion_tokens" in usage:
        total = usage["completion_tokens"]
        counted = total - seen.running.get(choice.index, 0)
        seen.running[choice.index] = total
        seen.usage = usage
    seen.rows.append((time_ns, None if ids is None else len(ids), counted, choice.has_content()))


def _token_events(seen: _Seen) -> tuple[TokenSource, list[tuple[int, int]]]:
    if any(ids is not None for _, ids, _, _ in seen.rows):
        return "token_ids", [(time_ns, ids) for time_ns, ids, _, _ in seen.rows if ids]
    if any(counted is not None for _, _, counted, _ in seen.rows):
        return "continuous_usage", [
            (time_ns, counted) for time_ns, _, counted, _ in seen.rows if counted
        ]
    times = [time_ns for time_ns, _, _, has_content in seen.rows if has_content]
    return "usage", _spread(times, _whole(seen.usage.get("completion_tokens")))


def _spread(times: list[int], total: int | None) -> list[tuple[int, int]]:
    """Give the first event one token and spread the others evenly over the rest.

    Without a total there are none: how many tokens an event holds is never guessed.
    """
    if not times or not total or total < 0:
        return []
    if len(times) == 1:
        return [(times[0], total)]
    rest = len(times) - 1
    edges = [1 + (total - 1) * number // rest for number in range(rest + 1)]
    counts = [1, *(after - before for before, after in itertools.pairwise(edges))]
    return [(time_ns, count) for time_ns, count in zip(times, counts, strict=True) if count]


def _failure(
    response: Response, seen: _Seen, events: list[tuple[int, int]], end: str
) -> str | None:
    """Return the kind of failure, the most telling first; None for a good answer."""
    is_whole = response.is_complete or (end == "closed" and not response.has_length)
    tests = (
        (end in ("timeout", "aborted"), end),
        (response.status == 0, "connection_lost"),
        (response.status != _HTTP_OK, f"http_{response.status}"),
        (seen.error is not None, "error_event"),
        (response.is_malformed or not is_whole, "stream_cut"),
        (seen.has_bad_json, "bad_json"),
        (not events and _is_uncounted(seen), "no_usage"),
        (not events, "zero_tokens"),
        (seen.finish is None, "no_finish_reason"),
        (seen.finish != _FINISH, "wrong_finish_reason"),
        (not seen.is_done, "no_done"),
    )
    return next((kind for is_so, kind in tests if is_so), None)


def _is_uncounted(seen: _Seen) -> bool:
    """Say whether there was content of which nothing tells the number of tokens."""
    has_uncounted = any(
        ids is None and counted is None and has_content
        for _, ids, counted, has_content in seen.rows
    )
    return has_uncounted and _whole(seen.usage.get("completion_tokens")) is None


def _error_of(body: bytes) -> str:
    try:
        tree = json.loads(body)
    except ValueError:
        return body[:200].decode(errors="replace")
    error = tree.get("error", tree) if isinstance(tree, dict) else tree
    message = error.get("message") if isinstance(error, dict) else error
    return str(message)[:200]


def _whole(raw: object) -> int | None:
    return raw if isinstance(raw, int) and not isinstance(raw, bool) else None
