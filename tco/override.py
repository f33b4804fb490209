"""An override is one `--set key=value`: it replaces whatever stands at a dotted key."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tco.errors import InputError
from tco.quantity import Quantity, shown
from tco.validation import Place
from tco.yamlfile import YamlDocument
from tco.yamltree import Loc, Tree, dotted, parse_yaml

# Python itself reads no whole number of more than 4,300.
_MAX_DIGITS = 20


@dataclass(frozen=True, slots=True)
class Override:
    """The key as its parts (list indices are numbers), the value, and the argument as typed."""

    loc: Loc
    value: Tree
    argument: str


def parse_override(text: str) -> Override:
    """Return `KEY=VALUE` as an override; the value follows the rules of a scenario file.

    Raises:
        InputError: no `=`, an empty part of the key, or a value that is not YAML.
    """
    argument = f"--set {text}"
    key, equals, value = text.partition("=")
    parts = key.strip().split(".")
    if not equals or not all(parts):
        raise InputError(
            f"--set needs KEY=VALUE with a dotted key, got {shown(text)}",
            remedy="write for example --set power.pue=1.3",
        )
    return Override(tuple(map(_part, parts)), parse_yaml(value, argument).root, argument)


def _part(text: str) -> str | int:
    """Return the part as the number of an entry where it is one; no list has one of 20 digits."""
    is_entry = text.isascii() and text.isdigit() and len(text) < _MAX_DIGITS
    return int(text) if is_entry else text


def overridden(document: YamlDocument, overrides: Sequence[Override]) -> YamlDocument:
    """Return the document with the overrides applied in order; the given one is unchanged.

    Raises:
        InputError: a key leads through a value that has no keys, or to no entry of a list.
    """
    tree = copy.deepcopy(document.tree)
    places = dict(document.places)
    for override in overrides:
        created = _assign(tree, override)
        below = len(override.loc)
        places = {loc: at for loc, at in places.items() if loc[:below] != override.loc}
        places |= {loc: Place(override.argument, None) for loc in created}
    return dataclasses.replace(document, tree=tree, places=places)


def _assign(tree: dict[str, Tree], override: Override) -> list[Loc]:
    """Set the value, making mappings on the way; return the keys that are new or replaced."""
    node: Any = tree
    created: list[Loc] = []
    for depth, part in enumerate(override.loc[:-1], start=1):
        loc, following = override.loc[:depth], override.loc[depth]
        _check(node, part, override, loc)
        below = node[part] if isinstance(part, int) else node.get(part)
        if below is None:
            below = node[part] = {}
            created.append(loc)
        elif following in Quantity.model_fields and not isinstance(below, dict | list):
            below = node[part] = {"value": below}
        node = below
    _check(node, override.loc[-1], override, override.loc)
    node[override.loc[-1]] = override.value
    return [*created, override.loc]


def _check(node: Any, part: str | int, override: Override, loc: Loc) -> None:
    """See that the node can hold the part; a list only holds what it already has."""
    above = dotted(loc[:-1])
    if isinstance(node, dict):
        if isinstance(part, str):
            return
        message, remedy = f"`{above or 'the scenario'}` has keys, not numbered entries", None
    elif not isinstance(node, list):
        message, remedy = f"`{above}` is {shown(node)} and has no keys below it", None
    elif not isinstance(part, int):
        message = f"`{above}` is a list, so its entries are numbered"
        remedy = f"write {above}.0 for its first entry"
    elif part < len(node):
        return
    else:
        many = "1 entry" if len(node) == 1 else f"{len(node)} entries"
        message = f"`{above}` has {many}, numbered from 0, so there is no {part}"
        remedy = f"set the whole list with {above}=[...]"
    raise InputError(message, file=override.argument, key=dotted(loc), remedy=remedy)
