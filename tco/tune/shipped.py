"""Files that come with tco and are named without their folder; others are read where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from tco.errors import InputError
from tco.quantity import Model
from tco.resources import data_dir
from tco.yamlfile import read_yaml, validate

_M = TypeVar("_M", bound=Model)


def shipped(folder: str) -> dict[str, Path]:
    """Return the files of a folder of the templates, by their names."""
    return {path.stem: path for path in sorted((data_dir("templates") / folder).glob("*.yaml"))}


def load_named(named: str, model: type[_M], *, kind: str, folder: str) -> tuple[_M, Path, str]:
    """Read a shipped file by its name, or else a file; return its place and hash too.

    Args:
        named: the name, or a path.
        model: of what the file holds.
        kind: what that is, for a message.
        folder: of the templates, with those shipped.

    Raises:
        InputError: there is neither, or the file is not as it must be.
    """
    known = shipped(folder)
    path = known.get(named, Path(named))
    if named not in known and not path.exists():
        raise InputError(
            f"there is no {kind} {named!r}, nor a file of that name",
            remedy=f"name a file, or one of {', '.join(known)}",
        )
    document = read_yaml(path)
    return validate(model, document), path, document.sha256
