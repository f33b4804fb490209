"""The tokenizer that clients are given: made once, by the Python of one that has the libraries."""

from __future__ import annotations

import json
import subprocess
from contextlib import suppress
from pathlib import Path

from benchmarks.peer_home import peers_folder
from tco.errors import EngineError
from tco.measure.engine_home import engine_python, find_vllm

_CONFIG = {"vocab_size": 1000, "eos_token_id": 0, "pad_token_id": 0}


def ensure_tokenizer() -> Path:
    """Return the tokenizer's folder; without a client that can make it, only its size is there.

    tco needs no more than that size; clients that do will say so.
    """
    folder = peers_folder() / "tokenizer"
    folder.mkdir(parents=True, exist_ok=True)
    script = Path(__file__).with_name("make_tokenizer.py")
    pythons = sorted(peers_folder().glob("*/bin/python"))
    with suppress(EngineError):
        pythons.insert(0, engine_python(find_vllm()))
    for python in pythons:
        if (folder / "tokenizer.json").exists():
            break
        subprocess.run([str(python), str(script), str(folder)], capture_output=True, check=False)
    (folder / "config.json").write_text(json.dumps(_CONFIG), encoding="utf-8")
    return folder
