"""A YAML file as a checked tree, and the step from tree to model with errors in plain words."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn, TypeVar

from pydantic import BaseModel, ValidationError

from tco.errors import InputError
from tco.file_kind import refuse_other_format
from tco.input_file import read_bytes, text_of
from tco.validation import Place, input_error
from tco.yamltree import Loc, Tree, dotted, parse_yaml

MAX_BYTES = 1 << 20

_M = TypeVar("_M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """A file's content.

    Attributes:
        path: the file as it was named.
        tree: its root mapping; fractions are Decimal, dates are text.
        sha256: of the file's bytes.
        places: where each key and list item stands.
    """

    path: Path
    tree: dict[str, Tree]
    sha256: str
    places: Mapping[Loc, Place]

    def place(self, loc: Loc) -> Place:
        """Return where the key stands, or else the nearest key above it that is given."""
        for length in range(len(loc), 0, -1):
            if loc[:length] in self.places:
                return self.places[loc[:length]]
        return Place(str(self.path), None)

    def line(self, loc: Loc) -> int | None:
        """Return the 1-based line of `place(loc)`; None where the file does not give it."""
        return self.place(loc).line


def read_yaml(path: Path) -> YamlDocument:
    """Return the one mapping in the file.

    Raises:
        InputError: no file, not text, not YAML, or YAML that this format leaves out.
    """
    raw = read_bytes(path, MAX_BYTES)
    file = str(path)
    refuse_other_format(raw, "YAML", path)
    parsed = parse_yaml(text_of(raw, path), file)
    if parsed.empty or parsed.root is None:
        raise InputError("is empty", file=file, remedy="give a file with its keys")
    if not isinstance(parsed.root, dict):
        kind = "a list" if isinstance(parsed.root, list) else "a single value"
        raise InputError(
            f"must be a mapping of keys to values, got {kind}",
            file=file,
            line=1,
            remedy="write `key: value` lines at the left margin",
        )
    places = {loc: Place(file, line) for loc, line in parsed.lines.items()}
    return YamlDocument(path, parsed.root, hashlib.sha256(raw).hexdigest(), places)


def refuse(document: YamlDocument, loc: Loc, message: str, remedy: str | None) -> NoReturn:
    """Raise the InputError of a key, with the place at which it stands."""
    place = document.place(loc)
    raise InputError(message, remedy=remedy, file=place.file, line=place.line, key=dotted(loc))


def validate(model: type[_M], document: YamlDocument, tree: Mapping[str, Tree] | None = None) -> _M:
    """Return the tree (by default the document's own) as the model.

    Raises:
        InputError: the most useful of its faults, with file, line, key, value, rule, remedy.
    """
    try:
        context = {"folder": document.path.parent}
        return model.model_validate(document.tree if tree is None else tree, context=context)
    except ValidationError as error:
        raise input_error(error, model, document.place) from None
