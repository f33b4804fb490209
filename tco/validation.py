"""Faults that pydantic found, as one sentence a person would write, with place and remedy."""

from __future__ import annotations

import difflib
import re
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from tco.errors import InputError
from tco.file_kind import wrong_schema
from tco.quantity import shown
from tco.yamltree import Loc, dotted

_BRANCH = re.compile(r"\(.*\)")
_PREDICATE = re.compile(r"(must|needs?|does|do|takes?|is|has) ")
_UNKNOWN = "extra_forbidden"
_MISSING = "missing"
_OTHER_KIND = "another kind of file"
# A file of one mistake a line must not cost minutes to say so.
_MOST_FAULTS = 200


@dataclass(frozen=True, slots=True)
class Place:
    """A file and line, or the `--set` argument that a value came from."""

    file: str
    line: int | None


@dataclass(frozen=True, slots=True)
class _Fault:
    loc: Loc
    kind: str
    message: str
    remedy: str | None

    def rank(self) -> int:
        """Order faults: a wrong format, then misspelt keys (they explain missing ones)."""
        if self.loc == ("schema",):
            return 0
        return {_UNKNOWN: 1, _MISSING: 3}.get(self.kind, 2)


def input_error(
    error: ValidationError, model: type[BaseModel], place: Callable[[Loc], Place]
) -> InputError:
    """Return the most useful fault; the number of others stands in its message."""
    read = [_fault(details, model) for details in error.errors(include_url=False)[:_MOST_FAULTS]]
    faults = _without_echoes(read)
    first = min(faults, key=lambda one: (one.rank(), place(one.loc).line or 0))
    where = place(first.loc)
    others = error.error_count() - 1 - (len(read) - len(faults))
    return InputError(
        # All of another kind of file is a fault here, and none of them is worth counting.
        first.message + ("" if first.kind == _OTHER_KIND else _and_more(others)),
        remedy=first.remedy,
        file=where.file,
        line=where.line,
        key=dotted(first.loc) or None,
    )


def _and_more(count: int) -> str:
    if count == 0:
        return ""
    return " (and 1 more fault)" if count == 1 else f" (and {count} more faults)"


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that `word` was probably meant to be."""
    matches = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _fault(details: Any, model: type[BaseModel]) -> _Fault:
    loc = tuple(
        part for part in details["loc"] if not (isinstance(part, str) and _BRANCH.fullmatch(part))
    )
    kind: str = details["type"]
    context: Mapping[str, Any] = details.get("ctx") or {}
    if kind == "tco":
        loc = (*loc, *context["key"])
        return _Fault(loc, kind, _sentence(loc, context["message"]), context["remedy"])
    if kind == _UNKNOWN:
        return _unknown_key(loc, keys_at(model, loc[:-1]))
    if kind == _MISSING:
        return _Fault(loc, kind, f"the key `{loc[-1]}` is missing", _missing_remedy(loc))
    if loc == ("schema",) and kind == "literal_error":
        wrong = wrong_schema(details["input"], str(context["expected"]).strip("'"))
        if wrong is not None:
            return _Fault(loc, _OTHER_KIND, *wrong)
    message, remedy = _in_words(kind, context, details)
    return _Fault(loc, kind, _sentence(loc, message), remedy)


def _unknown_key(loc: Loc, known: Sequence[str]) -> _Fault:
    close = nearest(str(loc[-1]), known)
    listed = ", ".join(f"`{key}`" for key in known)
    remedy = f"did you mean `{close}`?" if close else f"known here: {listed}"
    return _Fault(loc, _UNKNOWN, f"unknown key `{loc[-1]}`", remedy)


def _missing_remedy(loc: Loc) -> str:
    above = dotted(loc[:-1])
    return f"add it under `{above}`" if above else "add it at the left margin"


def _without_echoes(faults: Sequence[_Fault]) -> list[_Fault]:
    """Leave out a missing key where a misspelling of it is a fault of its own."""
    meant = {
        (*one.loc[:-1], close)
        for one in faults
        if one.kind == _UNKNOWN
        for close in re.findall(r"did you mean `(.*)`", one.remedy or "")
    }
    return [one for one in faults if one.kind != _MISSING or one.loc not in meant]


def _sentence(loc: Loc, message: str) -> str:
    """Put the key's own name before a message that starts with a verb."""
    return f"{_subject(loc)} {message}" if _PREDICATE.match(message) else message


def _subject(loc: Loc) -> str:
    names = [part for part in loc if isinstance(part, str)]
    if not names:
        return "the file"
    tail = loc[len(loc) - 1 - tuple(reversed(loc)).index(names[-1]) + 1 :]
    return names[-1] + "".join(f"[{index}]" for index in tail)


def _in_words(kind: str, context: Mapping[str, Any], details: Any) -> tuple[str, str | None]:
    """Return the rule and the remedy for a fault that pydantic itself found."""
    got = shown(details["input"])
    if kind == "literal_error":
        return f"must be {context['expected']}, got {got}", None
    if kind in _EXPECTED:
        rule, remedy = _EXPECTED[kind]
        return f"must be {rule}, got {got}", remedy
    if kind in _BOUNDS:
        sign, bound = _BOUNDS[kind]
        return f"must be {sign} {context[bound]}, got {got}", None
    if kind in {"string_too_short", "too_short"}:
        return "must not be empty", None
    message = str(details["msg"])
    return f"is not as it must be ({message[:1].lower()}{message[1:]}), got {got}", None


_TEXT = ("text", "put it in quotes")
_MAPPING = ("a mapping of keys to values", None)
_LIST = ("a list", "write [a, b], or one `- item` a line")
_WHOLE = ("a whole number", None)
_FINITE = ("a finite number", None)
_EXPECTED: dict[str, tuple[str, str | None]] = {
    "string_type": _TEXT,
    "model_type": _MAPPING,
    "model_attributes_type": _MAPPING,
    "dict_type": _MAPPING,
    "tuple_type": _LIST,
    "list_type": _LIST,
    "bool_type": ("true or false", None),
    "int_type": _WHOLE,
    "int_from_float": _WHOLE,
    "int_parsing": _WHOLE,
    "float_type": ("a number", None),
    "float_parsing": ("a number", None),
    "finite_number": _FINITE,
    "decimal_type": ("a number", None),
}
_BOUNDS = {
    "greater_than": ("above", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("below", "lt"),
    "less_than_equal": ("at most", "le"),
}


def keys_at(model: type[BaseModel], loc: Loc) -> list[str]:
    """Return the keys that the model knows in the mapping at the location."""
    models = {model}
    for part in loc:
        if isinstance(part, int):
            continue
        models = {
            below
            for one in models
            for name, info in one.model_fields.items()
            if part == (info.alias or name)
            for below in _models_in(info.annotation)
        }
    names = (info.alias or name for one in models for name, info in one.model_fields.items())
    return sorted(set(names))


def _models_in(annotation: Any) -> set[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return {annotation}
    return {found for part in typing.get_args(annotation) for found in _models_in(part)}
