"""Where the user's pip looks for packages; uv does not read pip's configuration."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PipPlaces:
    """The places of pip's own settings, in their order."""

    index: str | None
    extra_indexes: tuple[str, ...]
    find_links: tuple[str, ...]

    @property
    def extra(self) -> bool:
        """Say whether there are places beyond the main index."""
        return bool(self.extra_indexes or self.find_links)

    def uv_arguments(self) -> list[str]:
        """Return the arguments that tell uv of them."""
        arguments = ["--index-strategy", "unsafe-best-match"] if self.extra else []
        for place in self.find_links:
            arguments += ["--find-links", place]
        for place in self.extra_indexes:
            arguments += ["--extra-index-url", place]
        return arguments + (["--index-url", self.index] if self.index else [])


def pip_places(environ: Mapping[str, str] = os.environ) -> PipPlaces:
    """Return the places, from pip's configuration files and its variables."""
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "config", "list"],
        capture_output=True,
        text=True,
        check=False,
        env=dict(environ),
    )
    return parse_pip_config(listed.stdout)


def parse_pip_config(text: str) -> PipPlaces:
    """Return the places in the output of `pip config list`; a variable wins as in pip."""
    found: dict[str, tuple[str, ...]] = {}
    rank = {"global": 0, "install": 1, ":env:": 2}
    lines = [line.partition("=") for line in text.splitlines() if "=" in line]
    for key, _, value in sorted(lines, key=lambda line: rank.get(line[0].partition(".")[0], -1)):
        section, _, name = key.strip().partition(".")
        if section in rank:
            plain = value.strip().strip("'\"").replace("\\n", " ")
            found[name] = tuple(plain.split())
    index = found.get("index-url", ())
    return PipPlaces(
        index=index[0] if index else None,
        extra_indexes=found.get("extra-index-url", ()),
        find_links=found.get("find-links", ()),
    )
