"""The lines of a traffic file, one at a time and of bounded length, and the hash of its bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import BinaryIO

from tco.traffic.error import TrafficError

_LONGEST_BYTES = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_OTHER_KINDS = (
    (b"%PDF-", "a PDF", "export it as CSV"),
    (b"\x1f\x8b", "a gzip file", "unpack it first"),
    (b"PK\x03\x04", "a zip file or a workbook", "unpack it, or export the sheet as CSV"),
    (b"PAR1", "a Parquet file", "export it as CSV"),
    (b"(\xb5/\xfd", "a zstd file", "unpack it first"),
    (b"\xff\xfe", "UTF-16 text", "save it as UTF-8"),
    (b"\xfe\xff", "UTF-16 text", "save it as UTF-8"),
)


class Lines:
    """Iterates over the text lines of a binary stream.

    Attributes:
        number: 1-based, of the line handed out last.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self.number = 0

    def __iter__(self) -> Iterator[str]:
        """Yield each line with its end.

        Raises:
            TrafficError: a line that is no UTF-8 text, or longer than any request's.
        """
        while raw := self._stream.readline(_LONGEST_BYTES + 1):
            self.number += 1
            self._hash.update(raw)
            if self.number == 1:
                _check_kind(raw)
                raw = raw.removeprefix(_BOM)
            yield _text(raw)

    def sha256(self) -> str:
        """Return the hash of all bytes, those not yet read included."""
        while chunk := self._stream.read(1 << 20):
            self._hash.update(chunk)
        return self._hash.hexdigest()


def _check_kind(start: bytes) -> None:
    for magic, kind, remedy in _OTHER_KINDS:
        if start.startswith(magic):
            raise TrafficError(f"is {kind}, not CSV or JSON lines in UTF-8", remedy=remedy)


def _text(raw: bytes) -> str:
    remedy = "give CSV or JSON lines, as UTF-8 text"
    if len(raw) > _LONGEST_BYTES:
        raise TrafficError(f"has a line of more than {_LONGEST_BYTES >> 20} MiB", remedy=remedy)
    if b"\0" in raw:
        raise TrafficError("is not a text file: it holds zero bytes", remedy=remedy)
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        message = f"is not UTF-8 text: byte {error.start + 1} of the line cannot be read"
        raise TrafficError(message, remedy=remedy) from None
