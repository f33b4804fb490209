"""The page as HTML: its inputs, and the answer from the same document as the report."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tco.errors import InputError
from tco.report.document import Document, compose
from tco.report.headline import INVALID
from tco.report.html import drawings, environment
from tco.report.numbers import percent, usd
from tco.ui.board import Answer, Board
from tco.ui.changes import Changes

_SEEN_FIRST = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """Why the figures do not follow: a sentence, and the input it belongs to, if any."""

    message: str
    key: str | None


def fault_of(error: InputError, board: Board) -> Fault:
    """Return an error in the words of the page, at the input that it names."""
    message = f"{error.message}; {error.remedy}" if error.remedy else error.message
    return Fault(message, error.key if error.key in board.inputs else None)


def page_html(board: Board, answer: Answer, typed: Mapping[str, str], fault: Fault | None) -> str:
    """Return the whole page.

    Args:
        board: gives the inputs.
        answer: what the figures are from.
        typed: the texts of the fields, by key, where they are not the file's.
        fault: why the answer does not follow the fields, if it does not.
    """
    template = environment().get_template("ui/page.html.j2")
    return template.render(
        groups=board.groups,
        unfolded=_unfolded(board, typed),
        typed=typed,
        fault=fault,
        file=board.case.loaded.path.name,
        **_parts(board, answer),
    )


def _unfolded(board: Board, typed: Mapping[str, str]) -> frozenset[str]:
    """Return the titles of the groups that are seen at once: the likeliest, and what is typed."""
    first = [group.title for group in board.groups[:_SEEN_FIRST]]
    apis = [group.title for group in board.groups if group.is_api][:_SEEN_FIRST]
    touched = [
        group.title for group in board.groups if any(each.key in typed for each in group.inputs)
    ]
    return frozenset((*first, *apis, *touched))


def answer_html(board: Board, answer: Answer) -> str:
    """Return the parts of the page that follow its inputs, each with its id."""
    template = environment().get_template("ui/answer.html.j2")
    return template.render(**_parts(board, answer))


def command_line(board: Board, changes: Changes) -> str:
    """Return the command that prints the same figures in a terminal."""
    sets = [part for each in changes.overrides() for part in ("--set", each)]
    return shlex.join(["tco", "compare", *command_arguments(board), *sets])


def command_arguments(board: Board) -> list[str]:
    """Return the scenario and what else the page was started with, as arguments."""
    stated = [part for each in board.sets for part in ("--set", each)]
    named = [*_named("-m", board.measurement_file), *_named("--prices", *board.price_files)]
    return [str(board.case.loaded.path), *named, *stated]


def _named(option: str, *paths: Path | None) -> list[str]:
    return [part for path in paths if path is not None for part in (option, str(path))]


def _parts(board: Board, answer: Answer) -> dict[str, object]:
    document = _document(answer)
    return {
        "doc": document,
        "medium": "screen",
        **drawings(document),
        "every_finding": document.findings + document.notes,
        "changes": answer.changes.each,
        "query": answer.changes.query(),
        "command": command_line(board, answer.changes),
        "verdict": _verdict(answer),
        "is_whole": answer.is_whole,
    }


def _verdict(answer: Answer) -> str:
    """Return the saving and the break-even in a line that fits a telephone, if they may be used."""
    if answer.comparison.is_invalid():
        return INVALID
    rival = answer.comparison.headline_alternative()
    if rival is None:
        return f"{usd(answer.comparison.self_host.usd_per_million_output)} per M output tokens"
    pairs = (("Saving", rival.saving), ("break-even", rival.break_even_utilisation))
    reach = " (out of reach)" if answer.comparison.break_even_is_above_reach(rival) else ""
    said = (f"{name} {'none' if share is None else percent(share)}" for name, share in pairs)
    return f"{', '.join(said)}{reach}"


def _document(answer: Answer) -> Document:
    return compose(answer.comparison, answer.case.loaded.scenario, answer.case.measurement)
