"""Page one: which of the findings it has room for, so that it stays one page."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tco.report.findings import FindingLine
from tco.report.front import KeyFigure
from tco.report.letters import line_count
from tco.report.numbers import count
from tco.report.sheet import TEXT_PT, WIDTH_PT
from tco.report.text import shorten

# As in templates/report/paper.css: the page between its margins and the sizes of letters [pt].
_PAGE_PT = 694.0
_BODY_PT, _HEADLINE_PT, _NAME_PT, _NAME_LINE_PT = 8.5, 13.0, 11.0, 15.4
_BODY_LINE_PT, _NOTE_LINE_PT, _HEADLINE_LINE_PT = 11.9, 11.2, 17.0
_PARAGRAPH_GAP_PT, _FINDING_GAP_PT = 5.2, 5.2
# A line of name and the date, the gaps around the headline and the figures, the chart with its
# caption, the heading of the findings and what is rounded away.
_FIXED_PT = 25.0 + 8.0 + 8.0 + 215.0 + 14.0
# The banner, and the line that repeats it at the head of a page.
_BANNER_PT = 34.0 + 12.8
_FIGURE_PT, _FIGURE_WIDE_PT = 36.0, 76.0
# The line that says how many more findings there are.
_MORE_PT = 17.0
_MESSAGE_LIMIT = 230


@dataclass(frozen=True, slots=True)
class PageOne:
    """The findings of the first page, their words shortened, and how many more there are."""

    findings: tuple[FindingLine, ...]
    more: str | None


def page_one(
    findings: Sequence[FindingLine],
    *,
    name: str,
    banner: str | None,
    headline: str,
    basis: str,
    figures: Iterable[KeyFigure],
    notes: Iterable[str | None],
    omitted: str,
) -> PageOne:
    """Return which findings stand on the first page: every `invalid` one, and as many as fit.

    Args:
        findings: the worst first.
        name: the comparison's, as its first line.
        banner: above everything.
        headline: in large letters.
        basis: the paragraph under it.
        figures: side by side.
        notes: small paragraphs under them.
        omitted: the paragraph under the chart.
    """
    taken_pt = (
        _FIXED_PT
        + (_BANNER_PT if banner else 0.0)
        + (_lines(name, _NAME_PT, bold=True) - 1) * _NAME_LINE_PT
        + _lines(headline, _HEADLINE_PT, bold=True) * _HEADLINE_LINE_PT
        + _paragraph(basis)
        + max(map(_figure_pt, figures), default=0.0)
        + sum(_note(each) for each in notes if each)
        + _paragraph(omitted)
    )
    shown: list[FindingLine] = []
    for each in findings:
        short = dataclasses.replace(each, message=shorten(each.message, _MESSAGE_LIMIT))
        words = f"{short.severity_words}: {short.message}"
        taken_pt += _lines(words, _BODY_PT) * _BODY_LINE_PT + _FINDING_GAP_PT
        if taken_pt > _PAGE_PT - _MORE_PT and each.severity != "invalid":
            break
        shown.append(short)
    return PageOne(tuple(shown), _more_words(len(findings) - len(shown)))


def _more_words(left: int) -> str | None:
    if not left:
        return None
    return f"{count(left)} more on the next page." if left > 1 else "One more on the next page."


def _lines(text: str, size_pt: float, *, bold: bool = False, wide_pt: float = WIDTH_PT) -> int:
    return line_count(text, wide_pt / size_pt, bold=bold)


def _paragraph(text: str) -> float:
    return _lines(text, _BODY_PT) * _BODY_LINE_PT + _PARAGRAPH_GAP_PT


def _note(text: str) -> float:
    return _lines(text, TEXT_PT) * _NOTE_LINE_PT + _PARAGRAPH_GAP_PT


def _figure_pt(figure: KeyFigure) -> float:
    lines = _lines(figure.label, TEXT_PT, wide_pt=_FIGURE_WIDE_PT)
    lines += _lines(figure.note, TEXT_PT, wide_pt=_FIGURE_WIDE_PT) + bool(figure.also)
    return _FIGURE_PT + lines * _NOTE_LINE_PT
