"""What the real-engine tests share: an installed vLLM, a tiny model, a scenario of both."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tco.errors import EngineError
from tco.measure.engine_home import engine_python, engines_folder, find_vllm
from tco.measure.engine_install import install_engine
from tco.measure.tiny_model import ensure_tiny_model
from tco.scenario import Scenario

ROOT = Path(__file__).resolve().parents[2]
HYBRID = ROOT / "reports" / "cline-hybrid-on-cpu" / "scenario.yaml"


@dataclass(frozen=True, slots=True)
class RealEngine:
    """An installed engine and the small model it serves here."""

    vllm: Path
    model: Path

    @property
    def python(self):
        return engine_python(self.vllm)

    def tune_hybrid(self, folder: Path, ladder: str, repeats: int, sets: Mapping[str, object]):
        """Tune the committed scenario of a hybrid model into `folder`, and return the tuning."""
        model = ensure_tiny_model(engines_folder() / "tiny-hybrid-model", self.python, "hybrid")
        (folder / "s.yaml").write_bytes(HYBRID.read_bytes())
        command = json.dumps([str(self.vllm), "serve"])
        launch = {"engine.launch.command": command, "engine.launch.model": model}
        words = ["tune", "s.yaml", "--ladder", ladder, "--repeats", str(repeats), "--json"]
        for key, value in (launch | sets).items():
            words += ["--set", f"{key}={value}"]
        done = subprocess.run(
            [sys.executable, "-m", "tco", *words, "-o", "tune"],
            cwd=folder, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def scenario(self, *, concurrency=16, args=None) -> Scenario:
        """Return a scenario that serves the tiny model, 512 tokens in and out."""
        stated = {
            "load-format": "dummy",
            "dtype": "bfloat16",
            "enforce-eager": True,
            "served-model-name": "tiny",
            "no-enable-prefix-caching": True,
        }
        return Scenario.model_validate(
            {
                "schema": "tco.scenario/1",
                "name": "tiny model on this machine",
                "traffic": {"shape": {"input_tokens": 512, "output_tokens": 512}},
                "engine": {
                    "launch": {
                        "command": [str(self.vllm), "serve"],
                        "model": str(self.model),
                        "args": {**stated, **(args or {})},
                        "env": {"VLLM_CPU_KVCACHE_SPACE": "1"},
                    },
                    "concurrency": concurrency,
                },
                "hardware": {"rent": {"usd_per_hour": 1.0}},
            }
        )


@pytest.fixture(scope="session")
def real_engine() -> RealEngine:
    """The engine on PATH or of `tco engine install`, which is run if there is none."""
    try:
        vllm = find_vllm()
    except EngineError:
        installed = install_engine(lambda message: print(message, file=sys.stderr))
        vllm = installed.folder / "bin" / "vllm"
    model = ensure_tiny_model(engines_folder() / "tiny-model", engine_python(vllm))
    return RealEngine(vllm, model)


@pytest.fixture(scope="session")
def real_engine_scenario(real_engine) -> Scenario:
    """A scenario that starts the tiny model on the real engine, at 16 streams."""
    return real_engine.scenario()


@pytest.fixture(autouse=True)
def engine_records(tmp_path, monkeypatch):
    """Keep the records of these tests apart from the user's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(autouse=True)
def one_engine_at_a_time() -> Iterator[None]:
    """Hold a lock of this machine: two engines at once would share its cores."""
    path = Path(tempfile.gettempdir()) / f"tco-engine-tests-{os.getuid()}.lock"
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
