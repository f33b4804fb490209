"""What kind of file was given in another's place: told from its first bytes, never its name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError

_HEAD_BYTES = 1 << 16
_SCHEMA = re.compile(
    rb"""^["']?schema["']?[ \t]*:[ \t]*["']?tco\.(\w+)/|[{,]\s*"schema"\s*:\s*"tco\.(\w+)/""",
    re.MULTILINE,
)
_KEYS = re.compile(rb"^(traffic|hardware|alternatives|engine)[ \t]*:", re.MULTILINE)
_COMPARE = "`tco compare` takes it"


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file, with its article, and who takes it."""

    noun: str
    taken_by: str | None


_MAGIC = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip file or a workbook"),
    (b"\x89PNG\r\n\x1a\n", "a PNG"),
    (b"\x1f\x8b", "a gzip file"),
)
_OURS = {
    "scenario": FileKind("a scenario", _COMPARE),
    "measurement": FileKind("a measurement", "give it with -m"),
    "prices": FileKind("a price table", "give it with --prices"),
    "brand": FileKind("a brand", "give it with --brand"),
    "ladder": FileKind("a ladder", "give it to `tco tune` with --ladder"),
    "space": FileKind("a space of settings", "give it to `tco tune` with --search"),
    "tune": FileKind("a tuning's record", "give it to `tco report`"),
    "search": FileKind("a search's record", "give it to `tco report`"),
    "shapes": FileKind("a record of a ladder on several traffics", "give it to `tco report`"),
    "comparison": FileKind("a comparison that tco wrote", "give the scenario it is of"),
    "side_by_side": FileKind("a comparison that tco wrote", "give the scenarios it is of"),
}


def kind_of(start: bytes) -> FileKind | None:
    """Return the kind of a file that begins with these bytes; None where it is not told."""
    return _format_of(start) or own_kind_of(start)


def own_kind_of(start: bytes) -> FileKind | None:
    """Return the kind of a file that tco reads or writes itself; None of any other."""
    head = start[:_HEAD_BYTES]
    found = _SCHEMA.search(head)
    if found is not None:
        return _OURS.get((found[1] or found[2]).decode())
    return _OURS["scenario"] if len(set(_KEYS.findall(head))) > 1 else None


def wrong_schema(given: object, wanted: object) -> tuple[str, str | None] | None:
    """Return what is wrong with a file whose `schema` is another's, and the remedy.

    None where one of the two is not known, or both are of one kind.
    """
    ours, other = _kind_of_schema(wanted), _kind_of_schema(given)
    if ours is None or other is None or ours == other:
        return None
    return f"is {other.noun}, not {ours.noun}", other.taken_by


def refuse_other_kind(start: bytes, wanted: str, path: Path) -> None:
    """Raise InputError where a file that begins so is known to be another kind than `wanted`."""
    _refuse(kind_of(start), wanted, path)


def refuse_other_format(start: bytes, wanted: str, path: Path) -> None:
    """Raise InputError where a file that begins so is no text at all, but a PDF or the like."""
    _refuse(_format_of(start), wanted, path)


def refuse_tcos_own(start: bytes, wanted: str, path: Path) -> None:
    """Raise InputError where a file that begins so is one of tco's own, not `wanted`."""
    _refuse(own_kind_of(start), wanted, path)


def _format_of(start: bytes) -> FileKind | None:
    found = next((noun for magic, noun in _MAGIC if start.startswith(magic)), None)
    return None if found is None else FileKind(found, None)


def _refuse(kind: FileKind | None, wanted: str, path: Path) -> None:
    if kind is not None and kind.noun != wanted:
        raise InputError(f"is {kind.noun}, not {wanted}", file=str(path), remedy=kind.taken_by)


def _kind_of_schema(schema: object) -> FileKind | None:
    found = re.match(r"tco\.(\w+)/", schema) if isinstance(schema, str) else None
    return None if found is None else _OURS.get(found[1])
