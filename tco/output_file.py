"""A file that we write is there whole, or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tco.errors import InputError


def check_output(path: Path | None, *suffixes: str) -> None:
    """See, before any work, that the file can be written and is of a kind we write.

    Args:
        path: the file; None is the terminal.
        suffixes: those that are written, with their dots.

    Raises:
        InputError: another suffix, no such folder, or a folder or a device in its place.
    """
    if path is None:
        return
    check_place(path)
    if path.suffix.lower() not in suffixes:
        listed = " or ".join(filter(None, (", ".join(suffixes[:-1]), suffixes[-1])))
        raise InputError(
            f"cannot write {path.suffix or 'a file without suffix'}",
            file=str(path),
            remedy=f"name a {listed} file with -o",
        )
    if not path.parent.is_dir():
        raise InputError("its folder does not exist", file=str(path), remedy="make the folder")
    if not os.access(path.parent, os.W_OK):
        raise InputError(
            "its folder cannot be written to", file=str(path), remedy="choose another place"
        )


def check_place(path: Path) -> None:
    """See that no folder, device or pipe stands where a file is to be put.

    A file in the place of a device would take it from everybody else.

    Raises:
        InputError: one does.
    """
    if path.is_dir():
        raise InputError("is a folder, not a file", file=str(path), remedy="name a file in it")
    if path.exists() and not path.is_file():
        raise InputError(
            "is a device or a pipe, not a file",
            file=str(path),
            remedy="name a file with -o; --json writes to stdout",
        )


def write_whole(path: Path, content: bytes | str) -> None:
    """Write the content (text as UTF-8) beside `path`, then put it in place.

    Raises:
        InputError: it cannot be written.
    """
    with whole_file(path) as beside:
        beside.write_bytes(content.encode() if isinstance(content, str) else content)


def write_each(contents: Iterable[tuple[Path, bytes | str]]) -> tuple[Path, ...]:
    """Write each content at its place, once all of them are made, and return the places.

    Raises:
        InputError: one cannot be written.
    """
    made = tuple(contents)
    for path, content in made:
        write_whole(path, content)
    return tuple(path for path, _ in made)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a place beside `path` to write to; what is there at the end is put in its place.

    Raises:
        InputError: it cannot be written.
    """
    check_place(path)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        yield beside
        beside.replace(path)
    except FileNotFoundError as error:
        raise InputError(
            "cannot be written: its folder does not exist",
            file=str(path),
            remedy=f"make {path.parent} first, or name a file elsewhere",
        ) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"cannot be written: {reason.lower()}",
            file=str(path),
            remedy="choose a place you may write to with -o",
        ) from error
    finally:
        with contextlib.suppress(OSError, ValueError):
            beside.unlink(missing_ok=True)
