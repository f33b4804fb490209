"""Opening a file that the user names: whole up to a size, or one sentence that says why not."""

from __future__ import annotations

import os
from pathlib import Path

from tco.errors import InputError


def read_bytes(path: Path, most_bytes: int, *, smaller: str | None = None) -> bytes:
    """Return a file's bytes; `smaller` is the remedy for one that is too large.

    Raises:
        InputError: it cannot be read, or is larger than `most_bytes` (whole MiB).
    """
    try:
        # One byte more than allowed is enough to know; a size can grow, or lie.
        with path.open("rb") as stream:
            is_small = os.fstat(stream.fileno()).st_size <= most_bytes
            raw = stream.read(most_bytes + 1) if is_small else None
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    if raw is None or len(raw) > most_bytes:
        raise InputError(f"is larger than {most_bytes >> 20} MiB", file=str(path), remedy=smaller)
    return raw


def text_of(raw: bytes, path: Path) -> str:
    """Return the text that a file's bytes are in UTF-8, with or without a byte order mark.

    Raises:
        InputError: they are none.
    """
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"is not a UTF-8 text file: byte {error.start} cannot be read",
            file=str(path),
            remedy="save it as UTF-8 text",
        ) from None


def unreadable(error: OSError | ValueError, path: Path) -> InputError:
    """Return the error of a file that could not be opened or read."""
    file = str(path)
    if isinstance(error, FileNotFoundError):
        return InputError("there is no such file", file=file, remedy="check the path")
    if isinstance(error, IsADirectoryError):
        return InputError("is a folder, not a file", file=file, remedy="name a file in it")
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot be read: {reason.lower()}", file=file)
