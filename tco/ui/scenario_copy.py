"""The scenario as the page shows it: the user's own file with the changed numbers in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import yaml

from tco.errors import InputError
from tco.override import Override, overridden, parse_override
from tco.scenario_bill import stated_traffic
from tco.scenario_shape import stated_shape
from tco.ui.board import Board
from tco.ui.changes import Changes
from tco.yamledit import NoPlaceError, edited
from tco.yamltree import Tree, parse_yaml

_WORD = re.compile(r"[A-Za-z_][\w./-]*")
_NO_WORDS = frozenset({"null", "true", "false"})


def scenario_copy(board: Board, changes: Changes) -> str:
    """Return the file's text with what was changed, comments kept; `tco compare` reads it.

    Where an override cannot be written into the text, the scenario is written anew, without
    the comments.
    """
    overrides = [parse_override(each) for each in (*board.sets, *changes.overrides())]
    tree = _stated(overridden(board.file, overrides).tree, overrides)
    text = _in_place(board.text, overrides, tree)
    body = _anew(tree) if text is None else text
    return "".join(f"# {line}\n" for line in _head(board, overrides)) + body


def _stated(tree: dict[str, Tree], overrides: Sequence[Override]) -> dict[str, Tree]:
    """Return the tree without the traffic that an override of a trace or a bill replaces."""
    traffic = tree.get("traffic")
    if not isinstance(traffic, dict):
        return tree
    traffic = stated_traffic(traffic, overrides)
    if isinstance(shape := traffic.get("shape"), dict):
        traffic = {**traffic, "shape": stated_shape(shape, overrides)}
    return {**tree, "traffic": traffic}


def _in_place(text: str, overrides: Sequence[Override], tree: Tree) -> str | None:
    """Return the edited text; None unless it reads as just the tree."""
    try:
        found = edited(text, overrides)
        return found if parse_yaml(found, "").root == tree else None
    except (NoPlaceError, InputError, yaml.YAMLError):
        return None


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


class _Dumper(yaml.SafeDumper):
    """Writes a tree as it is read: a fraction by its digits, and text that is no word in quotes."""


def _decimal(dumper: _Dumper, number: Decimal) -> Any:
    return dumper.represent_scalar("tag:yaml.org,2002:float", f"{number:f}")


def _text(dumper: _Dumper, text: str) -> Any:
    plain = _WORD.fullmatch(text) and text.lower() not in _NO_WORDS
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if plain else '"')


_Dumper.add_representer(Decimal, _decimal)
_Dumper.add_representer(str, _text)


def _anew(tree: Tree) -> str:
    written: str = yaml.dump(tree, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return written
