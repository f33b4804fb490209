"""From recorded reads to server-sent events, each with the time of the read that completed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import httptools

from tco.measure.chunked_events import chunked_events


class SseSplitter:
    """Splits a body into the data of its events, however it was cut into pieces.

    Lines end in LF, CRLF or CR; comments and fields other than `data` are dropped; several
    data lines are joined by LF; an event without its empty line is not one (WHATWG HTML,
    "Server-sent events", interpreting an event stream).
    """

    def __init__(self) -> None:
        self._rest = b""
        self._ended_in_cr = False

    def feed(self, piece: bytes) -> list[bytes]:
        """Take the next piece of the body; return the data of every event it completes."""
        if self._ended_in_cr and piece:
            piece = piece.removeprefix(b"\n")
            self._ended_in_cr = False
        if b"\r" in piece:
            self._ended_in_cr = piece.endswith(b"\r")
            piece = piece.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *blocks, self._rest = (self._rest + piece).split(b"\n\n")
        return [data for block in blocks if (data := _data_of(block)) is not None]


def _data_of(block: bytes) -> bytes | None:
    block = block.lstrip(b"\n").removeprefix(b"\xef\xbb\xbf")
    if block.startswith(b"data: ") and b"\n" not in block:
        return block[6:]
    lines = [
        line.partition(b":")[2].removeprefix(b" ")
        for line in block.split(b"\n")
        if line.partition(b":")[0] == b"data"
    ]
    return b"\n".join(lines) if lines else None


@dataclass(slots=True)
class Response:
    """One response as read: its status, events with arrival times (ns), and how it ended.

    `is_complete` is what the framing says; a body without a length has no end of its own.
    """

    status: int = 0
    is_complete: bool = False
    has_length: bool = False
    is_malformed: bool = False
    events: list[tuple[int, bytes]] | None = None
    body: bytes = b""


class _Collector:
    """What httptools calls back."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.is_complete = False
        self.has_length = False
        self.is_stream = False

    def on_header(self, name: bytes, value: bytes) -> None:
        name, value = name.lower(), value.lower()
        self.has_length |= name == b"content-length"
        self.has_length |= name == b"transfer-encoding" and b"chunked" in value
        self.is_stream |= name == b"content-type" and value.startswith(b"text/event-stream")

    def on_body(self, body: bytes) -> None:
        self.pieces.append(body)

    def on_message_complete(self) -> None:
        self.is_complete = True


def read_response(reads: Sequence[tuple[int, bytes]]) -> Response:
    """Return the response in the recorded reads (time ns, bytes) of one request."""
    usual = chunked_events(reads)
    if usual is not None:
        return Response(status=200, is_complete=True, has_length=True, events=usual)
    return _any_response(reads)


def _any_response(reads: Sequence[tuple[int, bytes]]) -> Response:
    collector, splitter = _Collector(), SseSplitter()
    parser = httptools.HttpResponseParser(collector)
    response = Response(events=[])
    for time_ns, piece in reads:
        try:
            parser.feed_data(piece)
        except httptools.HttpParserError:
            response.is_malformed = True
            break
        body = b"".join(collector.pieces)
        collector.pieces.clear()
        if not collector.is_stream:
            response.body += body
        elif body and response.events is not None:
            response.events += ((time_ns, data) for data in splitter.feed(body))
    response.status = parser.get_status_code() or 0
    response.is_complete = collector.is_complete
    response.has_length = collector.has_length
    return response
