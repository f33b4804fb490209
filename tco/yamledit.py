"""Edits a YAML text in place: a value at a dotted key, with comments and layout left alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import yaml

from tco.override import Override


class NoPlaceError(ValueError):
    """The text has no place at which the value can be written."""


def edited(text: str, overrides: Sequence[Override]) -> str:
    """Return the text with each override's value, as it was typed, at its key.

    Raises:
        NoPlaceError: a key leads through a value that cannot be edited in place.
    """
    for override in overrides:
        value = override.argument.partition("=")[2].strip()
        text = _with_value(text, [str(part) for part in override.loc], value)
    return text


def _with_value(text: str, parts: Sequence[str], value: str) -> str:
    node: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    for depth, part in enumerate(parts):
        below = _below(node, part)
        if below is None:
            pair = f"{part}: {_nested(parts[depth + 1 :], value)}"
            return _with_new(text, node, pair, at_root=not depth)
        node = below
    return _replaced(text, node, value)


def _below(node: Any, part: str) -> Any:
    """Return the node at a key or number; None where a mapping lacks the key."""
    if isinstance(node, yaml.MappingNode):
        return next((each for key, each in node.value if key.value == part), None)
    if isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
        return node.value[int(part)]
    raise NoPlaceError(part)


def _nested(parts: Sequence[str], value: str) -> str:
    for part in reversed(parts):
        value = f"{{{part}: {value}}}"
    return value


def _replaced(text: str, node: Any, value: str) -> str:
    is_block = not isinstance(node, yaml.ScalarNode) and not node.flow_style
    if is_block or (isinstance(node, yaml.ScalarNode) and node.style in {"|", ">"}):
        raise NoPlaceError(value)
    start, end = node.start_mark.index, node.end_mark.index
    gap = " " if start == end else ""  # `key:` with nothing after it
    return f"{text[:start]}{gap}{value}{text[end:]}"


def _with_new(text: str, mapping: Any, pair: str, *, at_root: bool) -> str:
    """Write a key that the mapping lacks: at the end of the file, or after a line of its own."""
    start = mapping.start_mark.index
    if mapping.flow_style:
        comma = ", " if mapping.value else ""
        return f"{text[: start + 1]}{pair}{comma}{text[start + 1 :]}"
    if at_root:
        return f"{text.rstrip()}\n\n{pair}\n"
    indent = " " * mapping.value[0][0].start_mark.column
    for name, node in mapping.value:
        if (
            name.start_mark.line == node.end_mark.line
            and node.start_mark.index < node.end_mark.index
        ):
            end = text.find("\n", node.end_mark.index)
            end = len(text) if end < 0 else end
            return f"{text[:end]}\n{indent}{pair}{text[end:]}"
    return f"{text[:start]}{pair}\n{indent}{text[start:]}"
