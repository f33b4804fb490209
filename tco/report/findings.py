"""Findings as they are printed: the worst first, and what is alike said once."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tco.comparison import Comparison
from tco.finding import SEVERITY_WORDS, Finding
from tco.measurement import Measurement
from tco.plural import several
from tco.report.loads import load_name
from tco.report.numbers import NBSP
from tco.report.text import cut_words, plain, shorten

_SEVERITIES = tuple(SEVERITY_WORDS)
_WORD = re.compile(r"[a-z'-]+(?=[,:;.]?(?: |$))")
_PERCENT = re.compile(r"(\d)%(?!\w)")
_POINT = re.compile(r"points\.(\d+)")
# What a sentence quotes: a name or source, a word without a gap, and all of it together.
_QUOTE_LIMIT, _WORD_LIMIT, _MESSAGE_LIMIT = 90, 90, 1200


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding as it is printed."""

    severity: str
    severity_words: str
    path: str
    message: str
    advice: str


def findings(comparison: Comparison | None, measurement: Measurement) -> tuple[FindingLine, ...]:
    """Return every finding of a measurement and what was made of it once, the invalid first.

    The same of several APIs is one line, and so is the same kind at several loads: that of the
    target or the capacity is said, else the one of the greatest value, with how many more.
    """
    compared = comparison.findings if comparison is not None else ()
    alternatives = comparison.alternatives if comparison is not None else ()
    every = dict.fromkeys((*compared, *measurement.all_findings()))
    ordered = sorted(every, key=lambda finding: _SEVERITIES.index(finding.severity))
    names = sorted((each.name for each in alternatives), key=len, reverse=True)
    ways = comparison.ways if comparison is not None else ()
    tables = dict.fromkeys(each.price_source.table for each in alternatives)
    source = () if measurement.published is None else (measurement.published.source,)
    named = (*names, *tables, *(way.name for way in ways), *source)
    alike: dict[tuple[str, str, str], list[tuple[Finding, str]]] = {}
    for finding in ordered:
        if len(measurement.points) > 1 and _load_of(finding, measurement) is not None:
            alike.setdefault((finding.kind, finding.severity, "\0load"), []).append((finding, ""))
            continue
        name = next((each for each in names if each in finding.message), "")
        pattern = finding.message.replace(name, "\0") if name else finding.message
        alike.setdefault((finding.kind, pattern, finding.advice), []).append((finding, name))
    return tuple(
        _load_line([finding for finding, _ in same], measurement)
        if key[-1] == "\0load"
        else _line(same, named)
        for key, same in alike.items()
    )


def finding_lines(listed: Iterable[Finding]) -> tuple[FindingLine, ...]:
    """Return findings that are of no measurement, the invalid first."""
    ordered = sorted(listed, key=lambda finding: _SEVERITIES.index(finding.severity))
    return tuple(_finding_line(finding, finding.message, "") for finding in ordered)


def _load_of(finding: Finding, measurement: Measurement) -> int | None:
    found = _POINT.fullmatch(finding.path)
    index = int(found.group(1)) if found else len(measurement.points)
    return index if index < len(measurement.points) else None


def _load_line(same: list[Finding], measurement: Measurement) -> FindingLine:
    """One finding for all the loads that have its kind."""
    chosen = (measurement.target_point, measurement.capacity_point)
    at = {_load_of(each, measurement): each for each in sorted(same, key=_size)}
    index = next((each for each in chosen if each in at), None)
    if index is None:
        index = _load_of(max(same, key=_size), measurement)
    others = len(at) - 1
    also = f" The same is found at {several(others, 'other load')}." if others else ""
    message = plain(at[index].message)
    name = "" if index is None else load_name(measurement.points[index])
    return _finding_line(at[index], message if name in message else f"At {name}: {message}", also)


def _size(finding: Finding) -> float:
    return abs(finding.value or 0.0)


def _line(same: Iterable[tuple[Finding, str]], names: Iterable[str]) -> FindingLine:
    (finding, _), *rest = same
    others = ", ".join(
        dict.fromkeys(shorten(plain(name), _QUOTE_LIMIT) for _, name in rest if name)
    )
    also = f" The same holds for {others}." if others else ""
    return _finding_line(finding, finding.message, also, names)


def _quoting(text: str, names: Iterable[str]) -> str:
    """Return the text with every long name, source and word in it shortened."""
    for name in names:
        if len(name) > _QUOTE_LIMIT:
            text = text.replace(name, shorten(name, _QUOTE_LIMIT))
    return shorten(cut_words(text, _WORD_LIMIT), _MESSAGE_LIMIT)


def _finding_line(
    finding: Finding, message: str, also: str, names: Iterable[str] = ()
) -> FindingLine:
    return FindingLine(
        severity=finding.severity,
        severity_words=finding.word.capitalize(),
        path=plain(finding.path),
        message=_sentence(message, names) + also,
        advice=_sentence(finding.advice),
    )


def _sentence(text: str, names: Iterable[str] = ()) -> str:
    """Return the text as a sentence: a word of ours gets its capital, a name or key stays."""
    starts_with_name = any(re.match(rf"{re.escape(name)}(?!\w)", text) for name in names if name)
    text = _PERCENT.sub(rf"\1{NBSP}%", _quoting(plain(text), map(plain, names)))
    if not starts_with_name and _WORD.match(text):
        text = text[:1].upper() + text[1:]
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
