"""What only a GPU can show of the ladders, run by `python -m pytest -m gpu` with this file's name.

With TCO_GPU_MODEL, a hybrid model whose checkpoint has a drafting layer, the whole ladder is
measured too; its `tune.json` stays in `build/gpu-ladder/`.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tco.measure.engine_home import has_nvidia_gpu

pytestmark = pytest.mark.gpu

OUT = Path(__file__).resolve().parents[2] / "build" / "gpu-ladder"
QUICK = {"bench.window_s": 5}
FP8 = """
schema: tco.ladder/1
name: fp8
steps:
  - {name: KV cache in FP8, args: {kv-cache-dtype: fp8}, numerics: true}
"""


@pytest.fixture(autouse=True)
def gpu():
    if not has_nvidia_gpu():
        pytest.fail("this machine has no NVIDIA GPU")


def test_every_step_of_the_cline_ladder_runs(real_engine, tmp_path):
    tuning = real_engine.tune_hybrid(tmp_path, "cline-hybrid", 1, QUICK)
    assert {s["name"]: s["why"] for s in tuning["steps"] if s["decision"] == "failed"} == {}


def test_a_kv_cache_in_fp8_runs(real_engine, tmp_path):
    (tmp_path / "fp8.yaml").write_text(FP8, encoding="utf-8")
    (step,) = real_engine.tune_hybrid(tmp_path, "fp8.yaml", 1, QUICK)["steps"]
    assert step["decision"] == "undecided", step["why"]


def test_the_ladder_decides_on_a_trained_model(real_engine, tmp_path):
    model = os.environ.get("TCO_GPU_MODEL")
    if model is None:
        pytest.skip("TCO_GPU_MODEL names no model")
    sets = {
        "engine.launch.model": model,
        "engine.launch.args": json.dumps({"no-async-scheduling": True}),
        "engine.concurrency": 256,
        "traffic.shape": "{input_tokens: 512, output_tokens: 512}",
        "bench.window_s": 60,
        "bench.max_minutes": 10,
    }
    tuning = real_engine.tune_hybrid(tmp_path, "cline-hybrid", 3, sets)
    shutil.rmtree(OUT, ignore_errors=True)
    shutil.copytree(tmp_path / "tune", OUT)
    assert "dummy_model" not in {finding["kind"] for finding in tuning["findings"]}
    assert tuning["steps"][0]["ratio"] is not None
