"""A load client as the side-by-side run sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from benchmarks.load import Load, Reported


@dataclass(frozen=True, slots=True)
class Client:
    """A client: `find` returns its command, `arguments` and `read` know its own forms.

    `find` raises MissingPeerError where it cannot be run. `mark` is in the line that it
    prints right before its first request (empty: it says nothing of the kind).
    """

    name: str
    find: Callable[[], list[str]]
    arguments: Callable[[Load], list[str]]
    read: Callable[[Load], Reported]
    mark: str = ""


def options_of(pairs: Mapping[str, object]) -> list[str]:
    """Return command line options, `--name value` each."""
    return [part for name, value in pairs.items() for part in (f"--{name}", str(value))]
