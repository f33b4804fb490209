"""The tokenizer that clients are given: made once, by the Python of one that has the libraries."""

from __future__ import annotations

import subprocess
from contextlib import suppress
from pathlib import Path

from benchmarks.peer_home import MissingPeerError, peers_folder
from tco.errors import EngineError
from tco.measure.engine_home import engine_python, find_vllm


def ensure_tokenizer() -> Path:
    """Return the tokenizer's folder.

    Raises:
        MissingPeerError: no client here can make it.
    """
    folder = peers_folder() / "tokenizer"
    script = Path(__file__).with_name("make_tokenizer.py")
    pythons = sorted(peers_folder().glob("*/bin/python"))
    with suppress(EngineError):
        pythons.insert(0, engine_python(find_vllm()))
    for python in pythons:
        if (folder / "config.json").exists():
            return folder
        subprocess.run([str(python), str(script), str(folder)], capture_output=True, check=False)
    if (folder / "config.json").exists():
        return folder
    raise MissingPeerError("no client here has the libraries that make a tokenizer")
