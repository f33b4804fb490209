"""What `make demo` runs: engine, model, scenario, then the one command a user types.

Nothing is installed where `vllm` is on PATH or `TCO_ENGINE_URL` names a running server.
`TCO_MODEL` names a model folder or id to use instead of the small random one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tco.measure.engine_home import engine_python, find_vllm
from tco.measure.tiny_model import ensure_tiny_model

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "reports" / "demo"
TCO = [sys.executable, "-m", "tco"]
INVALID = 4


def tco(*arguments: str) -> None:
    """Run a tco command as a user would, and end with its exit code if it fails."""
    print("$ tco", *arguments, file=sys.stderr)
    done = subprocess.run([*TCO, *arguments], cwd=ROOT, check=False)
    if done.returncode != 0:
        if hint := hint_of(done.returncode):
            print(hint, file=sys.stderr)
        sys.exit(done.returncode)


def hint_of(exit_code: int) -> str | None:
    """Return what to do about an exit code that needs words beside make's own."""
    if exit_code == INVALID:
        return (
            "The demo ran through and its report is written, but a finding above marks it invalid "
            "(exit code 4): most often other work on this machine. Run `make demo` again when it "
            "is quiet."
        )
    return None


def attach_overrides(url: str) -> list[str]:
    """Return the overrides that measure a running server instead of starting one."""
    import httpx

    key = os.environ.get("TCO_API_KEY")
    model = os.environ.get("TCO_MODEL")
    if model is None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        listed = httpx.get(f"{url}/v1/models", headers=headers, trust_env=False, timeout=10).json()
        model = listed["data"][0]["id"]
    attach = f"{{url: '{url}', model: '{model}'"
    attach += ", api_key_env: TCO_API_KEY}" if key else "}"
    return ["--set", "engine.launch=null", "--set", f"engine.attach={attach}"]


def model_folder() -> str:
    """Install the engine where there is none, and return the model to serve."""
    if shutil.which("vllm") is None and "TCO_ENGINE_DIR" not in os.environ:
        tco("engine", "install")
    if model := os.environ.get("TCO_MODEL"):
        return model
    folder = ensure_tiny_model(ROOT / ".tco" / "tiny-model", engine_python(find_vllm()))
    return str(folder.relative_to(ROOT))


def main() -> None:
    """Measure, compare, report."""
    overrides: list[str] = []
    if url := os.environ.get("TCO_ENGINE_URL"):
        overrides = attach_overrides(url.rstrip("/"))
        model = "served by TCO_ENGINE_URL"
    else:
        model = model_folder()
    OUT.mkdir(parents=True, exist_ok=True)
    scenario = str((OUT / "scenario.yaml").relative_to(ROOT))
    tco("init", scenario, "--preset", "demo", "--model", model, "--force")
    tco("run", scenario, "-o", "reports/demo", "--force", *overrides)


if __name__ == "__main__":
    main()
