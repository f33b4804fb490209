"""Where the other load clients are: each in an environment of its own, installed once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tco.measure.engine_home import engines_folder
from tco.measure.pip_places import pip_places

_MARKER = "tco-peer"
_LIMIT_S = 1200
# torch's CPU build where pip's own places have it, or from the torch project; else with CUDA.
_TORCHES = (("torch==2.13.0+cpu",), ("--torch-backend", "cpu"), ())


class MissingPeerError(Exception):
    """A client that cannot be run here; the text says why."""


@dataclass(frozen=True, slots=True)
class Peer:
    """A released client: its package, version, command, Python (None: ours), need of torch."""

    package: str
    version: str
    command: str
    python: str | None = None
    needs_torch: bool = False


def peers_folder() -> Path:
    """Return the folder of all peers, beside the one of the engines."""
    return engines_folder().with_name("peers")


def installed_peer(peer: Peer, on_progress: Callable[[str], None]) -> Path:
    """Return the peer's command, installed if it is not there; a broken install is redone.

    Raises:
        MissingPeerError: it cannot be installed.
    """
    folder = peers_folder() / f"{peer.package}-{peer.version}"
    command = folder / "bin" / peer.command
    if (folder / _MARKER).exists() and command.exists():
        return command
    on_progress(f"installing {peer.package} {peer.version} (once, minutes)")
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    log = folder.with_name(folder.name + ".log")
    log.unlink(missing_ok=True)
    _run([_python(peer), "-m", "venv", str(folder)], log)
    python = str(folder / "bin" / "python")
    _run([python, "-m", "pip", "install", "--quiet", "uv"], log)
    _install(peer, python, log)
    _run([python, "-m", "compileall", "-q", "-j", "0", str(folder / "lib")], log, may_fail=True)
    (folder / _MARKER).touch()
    return command


def finder(peer: Peer) -> Callable[[], list[str]]:
    """Return what finds the peer's command."""
    return lambda: [str(installed_peer(peer, print))]


def _install(peer: Peer, python: str, log: Path) -> None:
    uv = [python, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    uv += pip_places().uv_arguments()
    wanted = f"{peer.package}=={peer.version}"
    *first, last = _TORCHES if peer.needs_torch else ((),)
    for more in first:
        with suppress(MissingPeerError):
            _run([*uv, wanted, *more], log)
            return
    _run([*uv, wanted, *last], log)


def _python(peer: Peer) -> str:
    """Return the Python the peer wants: on PATH, or pyenv's."""
    if peer.python is None:
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    on_path = shutil.which(peer.python)
    found = [on_path] if on_path else []
    for path in (*found, *map(str, sorted(pyenv.glob(f"*/bin/{peer.python}"), reverse=True))):
        if subprocess.run([path, "--version"], capture_output=True, check=False).returncode == 0:
            return path
    raise MissingPeerError(f"there is no {peer.python}")


def _run(argv: list[str], log: Path, *, may_fail: bool = False) -> None:
    with log.open("ab") as out:
        try:
            code = subprocess.run(
                argv, stdout=out, stderr=out, check=False, timeout=_LIMIT_S
            ).returncode
        except (OSError, subprocess.TimeoutExpired) as error:
            raise MissingPeerError(f"it cannot be installed: {error}") from error
    if code and not may_fail:
        raise MissingPeerError(f"it cannot be installed: see {log}")
