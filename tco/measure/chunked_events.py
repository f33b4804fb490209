"""The usual stream, read fast: every HTTP chunk is one event of one data line.

That is what vLLM and its like send. Any response that differs in the least is left to the
general reader in `sse.py`; both give the same events, which a test holds for every cut of
every recorded answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import httptools

_HEAD_END: Final = b"\r\n\r\n"
_FIELD: Final = b"data: "
_EVENT_END: Final = b"\n\n\r\n"
_LAST_CHUNK: Final = b"0\r\n\r\n"
_LONGEST_SIZE = 8
_HTTP_OK = 200
_SIZES: Final = {b"%x" % size: size for size in range(1, 1 << 14)}


def chunked_events(reads: Sequence[tuple[int, bytes]]) -> list[tuple[int, bytes]] | None:
    """Return the events of a whole response with the time of the read that completed each.

    None: the response is not of the usual form, whole, and without an error.
    """
    raw = b"".join([piece for _, piece in reads])
    position = _body_start(raw)
    if position is None:
        return None
    events: list[tuple[int, bytes]] = []
    place, arrived = 0, len(reads[0][1])
    find, length = raw.find, len(raw)
    while not raw.startswith(_LAST_CHUNK, position):
        start = find(b"\r\n", position, position + _LONGEST_SIZE) + 2
        stop = start + _SIZES.get(raw[position : start - 2], 0)
        position = stop + 2
        if (
            raw[stop - 2 : position] != _EVENT_END
            or not raw.startswith(_FIELD, start)
            or find(b"\n", start, stop) != stop - 2
            or find(b"\r", start, stop) >= 0
        ):
            return None
        while arrived < stop:
            place += 1
            arrived += len(reads[place][1])
        events.append((reads[place][0], raw[start + 6 : stop - 2]))
    return events if position + len(_LAST_CHUNK) == length else None


class _Head:
    """What httptools says of the headers."""

    is_chunked = is_stream = has_length = False

    def on_header(self, name: bytes, value: bytes) -> None:
        name, value = name.lower(), value.lower()
        self.is_chunked |= name == b"transfer-encoding" and value == b"chunked"
        self.is_stream |= name == b"content-type" and value.startswith(b"text/event-stream")
        self.has_length |= name == b"content-length"


def _body_start(raw: bytes) -> int | None:
    """Return where the body begins; None unless it is a good one, in chunks, of events."""
    end = raw.find(_HEAD_END) + len(_HEAD_END)
    head = _Head()
    parser = httptools.HttpResponseParser(head)
    try:
        parser.feed_data(raw[:end])
    except httptools.HttpParserError:
        return None
    is_usual = (
        parser.get_status_code() == _HTTP_OK
        and head.is_chunked
        and head.is_stream
        and not head.has_length
        and _is_utf8(raw)
    )
    return end if is_usual else None


def _is_utf8(raw: bytes) -> bool:
    """Say whether the bytes are text: the decoder does not look into what it leaves out."""
    try:
        raw.decode()
    except UnicodeDecodeError:
        return False
    return True
