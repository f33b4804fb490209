"""Where an HTTP/1.1 response ends, found with as little work per read as is safe.

The full parse comes after the run; the load client only needs to know that a stream is
free. Headers are read once; then a chunked body ends at the empty chunk, a body with a
length after that many bytes, any other at the close of the connection.
"""

from __future__ import annotations

_TERMINATOR = b"\r\n0\r\n\r\n"
_LENGTH = len(_TERMINATOR)
_TAIL_BYTES = 512


class ResponseEnd:
    """Follows one response; `status` is 0 until its headers are complete.

    `retry_after_s` is what a `Retry-After` header asked for, in seconds (0: nothing).
    """

    __slots__ = ("_head", "_left", "_tail", "closes", "is_chunked", "retry_after_s", "status")

    def __init__(self) -> None:
        self.status = 0
        self.closes = False
        self.is_chunked = False
        self.retry_after_s = 0
        self._head: bytearray | None = bytearray()
        self._left = -1
        self._tail = bytearray()

    def feed(self, data: bytearray, start: int, stop: int) -> bool:
        """Take the read that lies in data[start:stop]; say whether the response is complete."""
        if self._head is not None:
            return self._feed_head(data, start, stop)
        if self.is_chunked:
            tail = data[max(start, stop - _LENGTH) : stop]
            if len(tail) < _LENGTH:
                tail = (self._tail + tail)[-_LENGTH:]
            self._tail = tail
            # Few reads end in an empty line at all.
            return tail.endswith(b"\r\n\r\n") and (
                tail == _TERMINATOR or _has_trailer(data, start, stop)
            )
        if self._left < 0:
            return False
        self._left -= stop - start
        return self._left <= 0

    def _feed_head(self, data: bytearray, start: int, stop: int) -> bool:
        head = self._head
        assert head is not None  # noqa: S101  the caller has looked
        head += data[start:stop]
        end = head.find(b"\r\n\r\n")
        if end < 0:
            return False
        self._head = None
        self._read_head(bytes(head[:end]))
        # The line end of the last header stands before a body that is the empty chunk alone.
        return self.feed(head, end + 2 if self.is_chunked else end + 4, len(head))

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
            elif name == b"retry-after" and value.isdigit():
                self.retry_after_s = int(value)
        if self.status in (204, 304):
            self._left = 0


def _has_trailer(data: bytearray, start: int, stop: int) -> bool:
    """Say whether header lines between the empty chunk and the empty line end the body."""
    return data.rfind(b"\r\n0\r\n", max(start, stop - _TAIL_BYTES), stop) >= 0
