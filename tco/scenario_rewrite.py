"""Writes a scenario's text with overrides in it: edited in place, or else anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import yaml

from tco.errors import InputError
from tco.override import Override, overridden
from tco.scenario_bill import stated_traffic
from tco.scenario_shape import stated_shape
from tco.yamledit import NoPlaceError, edited
from tco.yamlfile import YamlDocument
from tco.yamltree import Tree, parse_yaml

_WORD = re.compile(r"[A-Za-z_][\w./-]*")
_NO_WORDS = frozenset({"null", "true", "false"})


def rewritten(document: YamlDocument, text: str, overrides: Sequence[Override]) -> str:
    """Return a scenario's text with the overrides written into it, comments kept.

    Where they cannot be written in place, the scenario is written anew, without the comments.

    Args:
        document: the file as read.
        text: of the same file.
        overrides: in their order.
    """
    tree = _stated(overridden(document, overrides).tree, overrides)
    found = _in_place(text, overrides, tree)
    return _anew(tree) if found is None else found


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
