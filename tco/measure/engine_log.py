"""What an engine's log says: where it is while it loads, and why it ended."""

from __future__ import annotations

import re
import signal
from pathlib import Path

_TAIL_BYTES = 256 * 1024
_TAIL_LINES = 15
_LINE_CHARACTERS = 300
_ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")
# "(EngineCore pid=12) ERROR 12-02 06:01:33 [core.py:700] text", each part of it optional
_PREFIX = re.compile(
    r"^(\([^)]*pid=\d+\)\s*)?((DEBUG|INFO|WARNING|ERROR|CRITICAL)\s+\S+\s+\S+\s+\[[^\]]*\]\s*)?"
)
_ARGPARSE = re.compile(r"^\S.*?: error: (?P<text>.+)$")
_EXCEPTION = re.compile(r"^(?P<name>[A-Za-z_][\w.]*(?:Error|Exception)): (?P<text>\S.*)$")
_VALUE_ERROR = re.compile(r"^\s*Value error, (?P<text>.+?)(?: \[type=.*)?$")
# These follow from a failure elsewhere in the log and never name the cause.
_AFTERMATH = re.compile(
    r"Engine core initialization failed|EngineDeadError|EngineCore encountered an issue"
    r"|ValidationError: \d+ validation error|resource_tracker"
)


def log_lines(path: Path) -> tuple[str, ...]:
    """Return the last lines of a log as plain text, empty ones left out; () without a log."""
    try:
        with path.open("rb") as log:
            log.seek(0, 2)
            log.seek(max(0, log.tell() - _TAIL_BYTES))
            text = log.read().decode("utf-8", errors="replace")
    except OSError:
        return ()
    plain = (_ANSI.sub("", line).rstrip() for line in re.split(r"[\r\n]+", text))
    return tuple(line for line in plain if line.strip())


def log_tail(path: Path) -> tuple[str, ...]:
    """Return the few last lines, cut to a readable width."""
    return tuple(line[:_LINE_CHARACTERS] for line in log_lines(path)[-_TAIL_LINES:])


def last_phase(path: Path) -> str:
    """Return the last line of the log without its time stamp, for a progress display."""
    lines = log_lines(path)
    return _without_prefix(lines[-1])[:100] if lines else ""


def cause(lines: tuple[str, ...]) -> str | None:
    """Return why the engine ended, by its log; None if the log names no error.

    That is the last error that does not follow from another one: an argument the
    command line refused, a value a setting refused, or an exception.
    """
    for line in reversed(lines):
        text = _without_prefix(line)
        if _AFTERMATH.search(text):
            continue
        if found := _ARGPARSE.match(text) or _VALUE_ERROR.match(text):
            return _sentence(found["text"])
        if found := _EXCEPTION.match(text):
            return _sentence(f"{found['name'].rpartition('.')[2]}: {found['text']}")
    return None


def ending(return_code: int) -> str:
    """Return how a process ended, in words."""
    if return_code == -signal.SIGKILL:
        return "it was killed (signal 9), which most often means that memory ran out"
    if return_code < 0:
        return f"it was ended by signal {-return_code}"
    return f"it ended with exit code {return_code} and its log names no error"


def _without_prefix(line: str) -> str:
    return _PREFIX.sub("", line).rstrip()


def _sentence(text: str) -> str:
    text = text.strip().rstrip(".")
    return text if len(text) <= _LINE_CHARACTERS else text[: _LINE_CHARACTERS - 1] + "…"
