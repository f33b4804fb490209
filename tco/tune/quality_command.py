"""Runs the user's own command that scores a running engine."""

from __future__ import annotations

import contextlib
import json
import math
import os
import signal
import subprocess
from typing import Final

from tco.measure.engine_handle import EngineHandle
from tco.scenario.quality import QualityLimits

_LAST_WORDS: Final = 200


class NoScoreError(Exception):
    """The command gave none; the message says why."""


def score_of(handle: EngineHandle, command: tuple[str, ...], timeout_s: float) -> float:
    """Return the score that the command gives the endpoint.

    It finds the endpoint in its environment: `TCO_BASE_URL` (ends in `/v1`), `TCO_SERVED_MODEL`
    and `TCO_API_KEY`. The last line of its stdout is a number, or JSON with `score`.

    Raises:
        NoScoreError: it does not start, fails, takes too long, or ends in no score.
    """
    env = {
        **os.environ,
        "TCO_BASE_URL": f"{handle.url}/v1",
        "TCO_SERVED_MODEL": handle.served_model,
        "TCO_API_KEY": handle.api_key or "",
    }
    try:
        process = subprocess.Popen(
            command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            start_new_session=True,
        )
    except OSError as error:
        raise NoScoreError(f"the scoring command does not start: {error.strerror}") from error
    try:
        out, err = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        raise NoScoreError(f"the scoring command took more than {timeout_s:g} s") from None
    finally:
        _end(process)
    if process.returncode != 0:
        last = (err.strip().splitlines() or [""])[-1][-_LAST_WORDS:]
        raise NoScoreError(f"the scoring command failed with {process.returncode}: {last}")
    return read_score(out)


def read_score(out: str) -> float:
    """Return the score in the last line of what a command printed.

    Raises:
        NoScoreError: there is none.
    """
    last = (out.strip().splitlines() or [""])[-1]
    try:
        tree = json.loads(last)
        found = tree["score"] if isinstance(tree, dict) else tree
    except (ValueError, KeyError):
        found = None
    if isinstance(found, bool) or not isinstance(found, int | float) or not math.isfinite(found):
        raise NoScoreError(
            f"the scoring command's last line is no score but {last[:_LAST_WORDS]!r}"
        )
    return float(found)


def scored(handle: EngineHandle, limits: QualityLimits) -> tuple[float | None, str | None]:
    """Return the score and why there is none, of a scenario's command; neither without one."""
    if limits.command is None:
        return None, None
    try:
        return score_of(handle, limits.command, limits.timeout_s.value), None
    except NoScoreError as error:
        return None, str(error)


def _end(process: subprocess.Popen[str]) -> None:
    """End what is left of its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
