"""The options an engine takes, as its own `--help` lists them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from tco.measure.engine_command import resolved_command
from tco.measure.engine_home import engines_folder, version_beside
from tco.output_file import write_whole
from tco.scenario import Launch, plain_name

_OPTION: Final = re.compile(r"(?<![\w-])--([A-Za-z][\w-]*)")
_HELPS: Final = ("--help=all", "--help")  # vLLM shows a part only, unless asked for all
_TIMEOUT_S: Final = 180.0


def engine_options(
    launch: Launch, environ: Mapping[str, str] = os.environ
) -> frozenset[str] | None:
    """Return the names of all options of an engine's command, without dashes.

    vLLM takes half a minute to tell: what it said is kept beside the engines, by its version.
    None where the command's help lists none.

    Raises:
        EngineError: the command is not on this machine.
    """
    command = resolved_command(launch.command, environ)
    kept = _kept_at(command, environ)
    if kept is not None and (found := _read(kept)):
        return found
    for asked in _HELPS:
        if options := options_in(_said([*command, asked], {**environ, **launch.env})):
            if kept is not None:
                kept.parent.mkdir(parents=True, exist_ok=True)
                write_whole(kept, json.dumps(sorted(options)))
            return options
    return None


def options_in(help_text: str) -> frozenset[str]:
    """Return the options that a help text names."""
    return frozenset(plain_name(name) for name in _OPTION.findall(help_text)) - {"help"}


def unknown_options(args: Iterable[str], options: frozenset[str]) -> tuple[str, ...]:
    """Return those of a scenario's arguments that the engine does not take, as it takes none.

    `compilation-config.mode` sets a part of `compilation-config`.
    """
    return tuple(arg for arg in args if plain_name(arg.partition(".")[0]) not in options)


def _said(argv: list[str], env: dict[str, str]) -> str:
    try:
        done = subprocess.run(
            argv, env=env, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return ""
    return done.stdout if done.returncode == 0 else ""


def _kept_at(command: list[str], environ: Mapping[str, str]) -> Path | None:
    """Return where an engine's options are kept; None for one of unknown version."""
    program = Path(command[0])
    version = version_beside(program)
    if version is None:
        return None
    text = json.dumps([command, version, program.stat().st_mtime_ns])
    name = hashlib.sha256(text.encode()).hexdigest()[:16]
    return engines_folder(environ) / "options" / f"{name}.json"


def _read(path: Path) -> frozenset[str]:
    try:
        return frozenset(map(str, json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, TypeError):
        return frozenset()
