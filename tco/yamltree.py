"""A YAML text as a plain tree by the YAML 1.2 core rules, with the line of every key.

Built from PyYAML's event stream (its own constructors follow YAML 1.1, and recurse):
`2e5` is a number, `no` is text, dates stay text, and a fraction keeps the digits it was
written with. Anchors, tags, merge keys and duplicate keys are errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

import yaml

from tco.errors import InputError

Loc: TypeAlias = tuple[str | int, ...]
Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | Decimal | bool | None"

MAX_DEPTH = 64
_MAX_DIGITS = 100
_MAX_EXPONENT = 300

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = re.compile(r"[-+]?[0-9]+")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_INFINITE = re.compile(r"([-+]?)\.(inf|Inf|INF)")
_NANS = frozenset({".nan", ".NaN", ".NAN"})


@dataclass(slots=True)
class ParsedYaml:
    """The root of a document, and the 1-based line of each key and list item below it."""

    root: Tree = None
    empty: bool = True
    lines: dict[Loc, int] = field(default_factory=dict)


def parse_yaml(text: str, file: str) -> ParsedYaml:
    """Return the tree of the one document in the text; `file` is named in errors.

    Raises:
        InputError: not YAML, or YAML that this format leaves out.
    """
    found = _UNPRINTABLE.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        raise InputError(
            f"is not a text file: it holds the character U+{ord(found.group()):04X}",
            file=file,
            line=line,
        )
    try:
        return _Composer(file, yaml.parse(text, Loader=_LOADER)).compose()
    except yaml.YAMLError as error:
        raise _not_yaml(error, file, text) from None


def _not_yaml(error: yaml.YAMLError, file: str, text: str) -> InputError:
    mark = getattr(error, "problem_mark", None)
    lines = text.split("\n")
    if mark and mark.line < len(lines) and (found := _SURROGATE.search(lines[mark.line])):
        return InputError(
            f"writes half a character as {found.group()}, which YAML does not read",
            file=file,
            line=mark.line + 1,
            remedy="write the character itself, or as \\U and eight digits",
        )
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
    return InputError(
        f"is not valid YAML: {problem}",
        file=file,
        line=mark.line + 1 if mark else None,
        remedy="check the indentation, colons and quotes there",
    )


class _Composer:
    """Turns events into a tree; recursion is bounded by MAX_DEPTH."""

    def __init__(self, file: str, events: Iterator[yaml.Event]) -> None:
        self._file = file
        self._events = events
        self._parsed = ParsedYaml()

    def compose(self) -> ParsedYaml:
        for event in self._events:
            if not isinstance(event, yaml.DocumentStartEvent):
                continue
            if not self._parsed.empty:
                raise self._fault("holds more than one document", event, remedy="keep one of them")
            self._parsed.empty = False
            self._parsed.root = self._node(next(self._events), ())
        return self._parsed

    def _fault(
        self, message: str, event: yaml.Event, loc: Loc = (), remedy: str | None = None
    ) -> InputError:
        return InputError(
            message,
            file=self._file,
            line=_line(event),
            key=dotted(loc) or None,
            remedy=remedy,
        )

    def _node(self, event: Any, loc: Loc) -> Tree:
        if len(loc) > MAX_DEPTH:
            raise self._fault(f"is nested more than {MAX_DEPTH} levels deep", event)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise self._fault(
                "uses a YAML anchor or alias, which is not read here",
                event,
                loc,
                "write the value out",
            )
        if event.tag:
            raise self._fault(
                f"uses the YAML tag {_short_tag(event.tag)}, and tags are never built into objects",
                event,
                loc,
                "write a plain value",
            )
        if isinstance(event, yaml.MappingStartEvent):
            return self._mapping(loc)
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(loc)
        return self._scalar(event, loc)

    def _mapping(self, loc: Loc) -> dict[str, Tree]:
        mapping: dict[str, Tree] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, loc)
            below = (*loc, key)
            if key in mapping:
                first = self._parsed.lines[below]
                raise self._fault(
                    f"the key `{key}` stands twice, first on line {first}",
                    event,
                    below,
                    "keep one of them",
                )
            self._parsed.lines[below] = _line(event)
            mapping[key] = self._node(next(self._events), below)
        return mapping

    def _key(self, event: Any, loc: Loc) -> str:
        key = self._node(event, loc) if isinstance(event, yaml.ScalarEvent) else None
        if isinstance(event, yaml.AliasEvent):
            self._node(event, loc)
        if not isinstance(key, str):
            shown = f"`{event.value}`" if isinstance(event, yaml.ScalarEvent) else "a collection"
            raise self._fault(f"a key must be text, got {shown}", event, loc, "put it in quotes")
        if key == "<<" and not event.style:
            raise self._fault("merge keys (<<) are not read here", event, loc, "write the keys out")
        return key

    def _sequence(self, loc: Loc) -> list[Tree]:
        items: list[Tree] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            below = (*loc, len(items))
            self._parsed.lines[below] = _line(event)
            items.append(self._node(event, below))
        return items

    def _scalar(self, event: yaml.ScalarEvent, loc: Loc) -> Tree:
        text: str = event.value
        if "\0" in text:
            raise self._fault("must not hold the character U+0000", event, loc)
        if event.style or not _looks_numeric(text):
            return text if event.style else _word(text)
        number = _number(text)
        if number is None:
            raise self._fault(
                f"the number {text[:20]} has more digits, or is further from 1, than any quantity",
                event,
                loc,
                "put it in quotes if it is text",
            )
        return number


def _word(text: str) -> Tree:
    if text in _NULLS:
        return None
    if text in _NANS:
        return Decimal("NaN")
    if infinite := _INFINITE.fullmatch(text):
        return Decimal(f"{infinite[1]}Infinity")
    return _BOOLS.get(text, text)


def _looks_numeric(text: str) -> bool:
    return bool(_FLOAT.fullmatch(text) or _BASED.fullmatch(text))


def _number(text: str) -> int | Decimal | None:
    """Return the number, or None where it is beyond any quantity we know."""
    if len(text) > _MAX_DIGITS:
        return None
    if _INT.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, base=0)
    exponent = re.split("[eE]", text)[1:]
    if exponent and abs(int(exponent[0])) > _MAX_EXPONENT:
        return None
    return Decimal(text)


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _short_tag(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")[:60]


def dotted(loc: Loc) -> str:
    """Return the location as the dotted key that `--set` takes."""
    return ".".join(str(part) for part in loc)
