"""The tiny models of the demos: random weights, made on the spot, nothing downloaded."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final, Literal

from tco.errors import EngineError
from tco.resources import data_dir

# Attention layers only (Qwen2), or Mamba-2 layers too and one that drafts tokens (Nemotron-H).
TinyModelKind = Literal["attention", "hybrid"]

_FILES: Final = ("config.json", "generation_config.json", "tokenizer.json", "tokenizer_config.json")
_TIMEOUT_S: Final = 300


def ensure_tiny_model(folder: Path, engine_python: Path, kind: TinyModelKind = "attention") -> Path:
    """Return the folder with a tiny model in it, made unless it is there and complete.

    Args:
        folder: where the model is, or is to be.
        engine_python: the Python of an installed engine, which has the libraries it takes.
        kind: of layers; each kind has a folder of its own.

    Raises:
        EngineError: that Python cannot make it.
    """
    if all((folder / name).is_file() for name in _FILES):
        return folder
    script = data_dir("templates") / "engine" / "make_tiny_model.py"
    beside = folder.with_name(folder.name + ".part")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        made = subprocess.run(
            [str(engine_python), str(script), str(beside), kind],
            capture_output=True,
            text=True,
            check=False,
            timeout=_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineError(f"{engine_python} cannot make the tiny model: {error}") from error
    if made.returncode != 0:
        raise EngineError(
            f"{engine_python} cannot make the tiny model",
            remedy="run `tco engine install`",
            log_tail=tuple(made.stderr.splitlines()[-5:]),
        )
    shutil.rmtree(folder, ignore_errors=True)
    beside.replace(folder)
    return folder
