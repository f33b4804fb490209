"""The scenario as the page shows it: the user's own file with the changed numbers in it."""

from __future__ import annotations

from collections.abc import Sequence

from tco.override import Override, parse_override
from tco.scenario_rewrite import rewritten
from tco.ui.board import Board
from tco.ui.changes import Changes


def scenario_copy(board: Board, changes: Changes) -> str:
    """Return the file's text with what was changed, comments kept; `tco compare` reads it.

    Where an override cannot be written into the text, the scenario is written anew, without
    the comments.
    """
    overrides = [parse_override(each) for each in (*board.sets, *changes.overrides())]
    body = rewritten(board.file, board.text, overrides)
    return "".join(f"# {line}\n" for line in _head(board, overrides)) + body


def _head(board: Board, overrides: Sequence[Override]) -> list[str]:
    """Return what to know of the copy, as lines: what differs, and what it needs beside it."""
    name = board.file.path.name
    keys = dict.fromkeys(".".join(map(str, each.loc)) for each in overrides)
    lines = [f"{name} with another {', '.join(keys)}"] if keys else []
    traffic = board.case.loaded.scenario.traffic
    if traffic.shape.trace is not None or traffic.bill is not None:
        lines.append(f"It names files that lie beside {name}: keep it in the same folder.")
    options = [("-m", board.measurement_file), *(("--prices", each) for each in board.price_files)]
    given = " ".join(f"{option} {path.name}" for option, path in options if path is not None)
    return [*lines, *([f"Compare it with the same {given}"] if given else [])]
