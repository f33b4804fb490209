"""Readiness: a started engine is ready when it has answered one real request."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tco.errors import EngineError
from tco.measure.engine_http import EngineClient, Reply, is_completion
from tco.measure.engine_log import cause, ending, last_phase, log_lines, log_tail
from tco.measure.engine_process import EngineTree, listens, members

_POLL_S = 0.5
_PROGRESS_S = 5.0
_LAST_WORDS_S = 20.0  # a dying engine takes some seconds to write its reason


@dataclass(frozen=True, slots=True)
class Loading:
    """An engine that was started and is not ready yet."""

    process: subprocess.Popen[bytes]
    tree: EngineTree
    client: EngineClient
    port: int
    served_model: str
    log_path: Path

    def require_alive(self) -> None:
        """Raise EngineError with the log's cause if the engine has ended."""
        code = self.process.poll()
        if code is None:
            return
        lines = log_lines(self.log_path)
        raise self.failed(f"ended while loading: {cause(lines) or ending(code)}")

    def failed(self, what: str) -> EngineError:
        """Return the error of an engine that did not get ready."""
        return EngineError(
            f"the engine {what}",
            remedy=f"its log is {self.log_path}",
            log_tail=log_tail(self.log_path),
        )


def wait_until_ready(
    loading: Loading, *, timeout_s: float, on_progress: Callable[[str], None]
) -> float:
    """Wait until the engine has answered one completion; return the seconds it took.

    Ready is: the process lives, /health is 200, /v1/models lists our name to our key, the
    port is held by one of the engine's own processes (another server must not pass for
    it), and one completion came back (some settings load and fail at the first request).

    Raises:
        EngineError: it ended, or was not ready in time.
    """
    began = time.monotonic()
    said_at = began
    while (elapsed := time.monotonic() - began) < timeout_s:
        loading.require_alive()
        if _serves_our_model(loading):
            on_progress(f"loaded after {elapsed:.0f} s; first request")
            _require_completion(loading, timeout_s=timeout_s - elapsed)
            return time.monotonic() - began
        if time.monotonic() - said_at >= _PROGRESS_S:
            said_at = time.monotonic()
            phase = last_phase(loading.log_path)
            on_progress(f"loading, {elapsed:.0f} s" + (f": {phase}" if phase else ""))
        time.sleep(_POLL_S)
    loading.require_alive()
    raise loading.failed(f"was not ready within {timeout_s:.0f} s{_stranger(loading)}")


def _serves_our_model(loading: Loading) -> bool:
    if not loading.client.ask("/health").is_ok:
        return False
    _, cards = loading.client.model_cards()
    if loading.served_model not in (card.name for card in cards):
        return False
    return listens(members(loading.tree), loading.port)


def _stranger(loading: Loading) -> str:
    answers = loading.client.ask("/health").status is not None
    if answers and not listens(members(loading.tree), loading.port):
        return f" (another server answers on port {loading.port})"
    return ""


def _require_completion(loading: Loading, *, timeout_s: float) -> None:
    reply = loading.client.complete(loading.served_model, timeout_s=timeout_s)
    if is_completion(reply):
        return
    raise loading.failed(f"loaded, then failed its first request: {_why(loading, reply)}")


def _why(loading: Loading, reply: Reply) -> str:
    deadline = time.monotonic() + _LAST_WORDS_S
    while time.monotonic() < deadline:
        found = cause(log_lines(loading.log_path))
        if found is not None:
            return found
        code = loading.process.poll()
        if code is not None:
            return ending(code)
        if reply.status is not None and reply.status < 500:  # noqa: PLR2004  the request's fault
            break
        time.sleep(_POLL_S)
    return reply.complaint()
