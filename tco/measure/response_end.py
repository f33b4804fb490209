"""Where an HTTP/1.1 response ends, found with as little work per read as is safe.

The full parse comes after the run; the load client only needs to know that a stream is
free. Headers are read once; then a chunked body ends at the empty chunk, a body with a
length after that many bytes, any other at the close of the connection.
"""

from __future__ import annotations

_TERMINATOR = b"\r\n0\r\n\r\n"
_TAIL_BYTES = 512


class ResponseEnd:
    """Follows one response; `status` is 0 until its headers are complete."""

    __slots__ = ("_head", "_left", "_tail", "closes", "is_chunked", "status")

    def __init__(self) -> None:
        self.status = 0
        self.closes = False
        self.is_chunked = False
        self._head: bytearray | None = bytearray()
        self._left = -1
        self._tail = b""

    def feed(self, data: memoryview) -> bool:
        """Take one read; say whether the response is complete."""
        if self._head is not None:
            return self._feed_head(data)
        if self.is_chunked:
            return self._feed_chunked(data)
        if self._left < 0:
            return False
        self._left -= len(data)
        return self._left <= 0

    def _feed_chunked(self, data: memoryview) -> bool:
        tail = bytes(data[-7:])
        if len(tail) < len(_TERMINATOR):
            tail = (self._tail + tail)[-7:]
        self._tail = tail
        return tail == _TERMINATOR or (
            # A trailer may follow the empty chunk; few reads end in an empty line at all.
            tail.endswith(b"\r\n\r\n") and b"\r\n0\r\n" in bytes(data[-_TAIL_BYTES:])
        )

    def _feed_head(self, data: memoryview) -> bool:
        head = self._head
        assert head is not None  # noqa: S101  the caller has looked
        head += data
        end = head.find(b"\r\n\r\n")
        if end < 0:
            return False
        self._head = None
        self._read_head(bytes(head[:end]))
        # The line end of the last header stands before a body that is the empty chunk alone.
        return self.feed(
            memoryview(head)[end + 2 :] if self.is_chunked else memoryview(head)[end + 4 :]
        )

    def _read_head(self, head: bytes) -> None:
        lines = head.split(b"\r\n")
        parts = lines[0].split(b" ", 2)
        self.status = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else -1
        self.closes = parts[0] == b"HTTP/1.0"
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            name, value = name.strip().lower(), value.strip().lower()
            if name == b"transfer-encoding":
                self.is_chunked = b"chunked" in value
            elif name == b"content-length" and value.isdigit():
                self._left = int(value)
            elif name == b"connection":
                self.closes = value == b"close"
        if self.status in (204, 304):
            self._left = 0
