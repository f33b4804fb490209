"""Where engines are: the folder of `tco`'s own installs, and the `vllm` to start."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tco.errors import EngineError

VLLM_VERSION: Final = "0.32.0"
MARKER: Final = "tco-engine.json"
_NVIDIA_DEVICE = Path("/dev/nvidia0")


def has_nvidia_gpu() -> bool:
    """Say whether an NVIDIA GPU is seen (its device file, or its tool)."""
    return _NVIDIA_DEVICE.exists() or shutil.which("nvidia-smi") is not None


def engines_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the engines that `tco` installs.

    `TCO_ENGINE_HOME`, else `tco/engines` in the user's cache folder by the XDG rules.
    """
    if own := environ.get("TCO_ENGINE_HOME"):
        return Path(own).expanduser()
    cache = environ.get("XDG_CACHE_HOME") or Path(environ.get("HOME", "~"), ".cache")
    return Path(cache).expanduser() / "tco" / "engines"


def engine_folder(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the folder of the engine this machine gets: for NVIDIA GPUs, or for CPUs."""
    name = f"vllm-{VLLM_VERSION}" if has_nvidia_gpu() else f"vllm-{VLLM_VERSION}-cpu"
    return engines_folder(environ) / name


def find_vllm(environ: Mapping[str, str] = os.environ) -> Path:
    """Return the `vllm` to run: of `TCO_ENGINE_DIR`, of PATH, or of `tco engine install`.

    Raises:
        EngineError: there is none.
    """
    remedy = "run `tco engine install`, or attach to a running server with engine.attach"
    if own := environ.get("TCO_ENGINE_DIR"):
        vllm = Path(own).expanduser() / "bin" / "vllm"
        if not os.access(vllm, os.X_OK):
            raise EngineError(
                f"TCO_ENGINE_DIR is {own!r}, which holds no bin/vllm", remedy="correct or unset it"
            )
        return vllm
    if on_path := shutil.which("vllm", path=environ.get("PATH")):
        return Path(on_path)
    folder = engine_folder(environ)
    vllm = folder / "bin" / "vllm"
    if not (folder / MARKER).is_file() or not os.access(vllm, os.X_OK):
        raise EngineError("vllm is not installed on this machine", remedy=remedy)
    return vllm


def engine_python(vllm: Path) -> Path:
    """Return the Python that a `vllm` command runs on: the one of its first line, or beside it."""
    with vllm.open("rb") as script:
        first = script.readline(4096).decode("utf-8", errors="replace").strip()
    named = Path(first.removeprefix("#!").strip())
    if first.startswith("#!/") and named.name.startswith("python") and named.is_file():
        return named
    return vllm.resolve().with_name("python")


def version_beside(vllm: Path) -> str | None:
    """Return the version by the metadata beside a command; importing vLLM takes 14 s."""
    sites = [str(site) for site in vllm.resolve().parent.parent.glob("lib/python3*/site-packages")]
    for found in importlib.metadata.distributions(path=sites):
        if (found.metadata["Name"] or "").lower() == "vllm":
            return found.version
    return None
