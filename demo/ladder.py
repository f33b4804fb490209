"""What `make ladder` runs: the Cline report's ladder on this machine's CPU, with a tiny model.

About 30 engine starts: half an hour on an idle machine. After Ctrl-C the same command goes on.
Words after it are further options of `tco tune`, as `--repeats 1 --force`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tco.errors import EngineError
from tco.measure.engine_home import engine_python, find_vllm
from tco.measure.tiny_model import ensure_tiny_model

ROOT = Path(__file__).resolve().parents[1]
OUT = "reports/cline-hybrid-on-cpu"
TCO = [sys.executable, "-m", "tco"]


def main(*options: str) -> int:
    """Install the engine where there is none, make the model, and try the ladder."""
    try:
        find_vllm()
    except EngineError:
        subprocess.run([*TCO, "engine", "install"], cwd=ROOT, check=True)
    ensure_tiny_model(ROOT / ".tco" / "tiny-hybrid-model", engine_python(find_vllm()), "hybrid")
    words = ["tune", f"{OUT}/scenario.yaml", "--ladder", "cline-hybrid", "-o", f"{OUT}/tune"]
    return subprocess.run([*TCO, *words, *options], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
