"""Opening a file that the user names: whole up to a size, or one sentence that says why not."""

from __future__ import annotations

from pathlib import Path

from tco.errors import InputError


def read_bytes(path: Path, most_bytes: int) -> bytes:
    """Return a file's bytes.

    Raises:
        InputError: it cannot be read, or is larger than `most_bytes` (whole MiB).
    """
    try:
        with path.open("rb") as stream:
            raw = stream.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from None
    if len(raw) > most_bytes:
        raise InputError(f"is larger than {most_bytes >> 20} MiB", file=str(path))
    return raw


def unreadable(error: OSError | ValueError, path: Path) -> InputError:
    """Return the error of a file that could not be opened or read."""
    file = str(path)
    if isinstance(error, FileNotFoundError):
        return InputError("there is no such file", file=file, remedy="check the path")
    if isinstance(error, IsADirectoryError):
        return InputError("is a folder, not a file", file=file, remedy="name a file in it")
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"cannot be read: {reason.lower()}", file=file)
