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
from tco.input_file import read_bytes, text_of

MAX_BYTES: Final = 256 * 1024 * 1024
_SMALLER = "let the tool write its summary without the texts of the answers"
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
    raw = read_bytes(path, MAX_BYTES, smaller=_SMALLER)
    refuse_other_kind(raw, "a load tool's result file", path)
    documents = _documents(text_of(raw, path), str(path))
    return ResultFile(path, hashlib.sha256(raw).hexdigest(), documents)


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
