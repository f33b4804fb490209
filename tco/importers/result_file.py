"""The file another tool left: one JSON document, or one a line."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tco.errors import InputError
from tco.file_kind import refuse_other_kind
from tco.importers.node import Node

MAX_BYTES: Final = 256 * 1024 * 1024
_REMEDY = "give a result file as the tool wrote it"


@dataclass(frozen=True, slots=True)
class ResultFile:
    """The documents of a file (at least one), and what identifies it."""

    path: Path
    sha256: str
    documents: tuple[Node, ...]


class _DuplicateKeyError(ValueError):
    """A mapping names the same key twice; which of them is meant, nobody knows."""


def read_result_file(path: Path) -> ResultFile:
    """Read a result file, at most 256 MiB.

    Raises:
        InputError: it cannot be read, is too large, or is no JSON.
    """
    raw = _bytes(path)
    refuse_other_kind(raw, "a load tool's result file", path)
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "is not a result file: not text in UTF-8", file=str(path), remedy=_REMEDY
        ) from error
    documents = _documents(text, str(path))
    return ResultFile(path, hashlib.sha256(raw).hexdigest(), documents)


def _bytes(path: Path) -> bytes:
    try:
        # One byte more than allowed is enough to know; a size can grow, or lie.
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1) if path.stat().st_size <= MAX_BYTES else None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(
            f"the result file cannot be read: {reason}", file=str(path), remedy=_REMEDY
        ) from error
    if raw is None or len(raw) > MAX_BYTES:
        raise InputError(
            f"the result file is larger than {MAX_BYTES // 1024**2} MiB",
            file=str(path),
            remedy="let the tool write its summary without the texts of the answers",
        )
    return raw


def _documents(text: str, file: str) -> tuple[Node, ...]:
    try:
        return (Node(_parsed(text), file),)
    except json.JSONDecodeError as error:
        if not error.msg.startswith("Extra data"):
            raise _no_json(error.msg, file, error.lineno) from None
    except (ValueError, RecursionError) as error:
        raise _no_json(_words(error), file, None) from None
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found.append(Node(_parsed(line), file, line=number))
        except json.JSONDecodeError as error:
            raise _no_json(error.msg, file, number) from None
        except (ValueError, RecursionError) as error:
            raise _no_json(_words(error), file, number) from None
    return tuple(found)


def _parsed(text: str) -> object:
    return json.loads(text, object_pairs_hook=_without_duplicates)


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise _DuplicateKeyError(twice)
    return found


def _words(error: Exception) -> str:
    if isinstance(error, _DuplicateKeyError):
        return f"the key `{error}` stands twice in one mapping"
    return "nested too deep" if isinstance(error, RecursionError) else "a number is too long"


def _no_json(problem: str, file: str, line: int | None) -> InputError:
    words = problem[:1].lower() + problem[1:]
    return InputError(
        f"is not a result file: not valid JSON ({words})", file=file, line=line, remedy=_REMEDY
    )
