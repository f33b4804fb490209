"""The whole `cline-hybrid` ladder on real vLLM, on a CPU, with a tiny hybrid Mamba model."""

from __future__ import annotations

import json

import pytest

from tco.measure.engine_record import records
from tco.tune.ladder import load_ladder

pytestmark = pytest.mark.engine

# The shortest requests and window that still show each setting at work: one start a side decides
# nothing, and here nothing is to be decided.
QUICK = {
    "traffic.shape.input_tokens": 32,
    "traffic.shape.output_tokens": 32,
    "engine.concurrency": 8,
    "bench.window_s": 2,
    "bench.max_minutes": 1,
}


def engine_of(tuning, folder, step):
    """What the engine of a step was started with, by its own record."""
    trials = [t for t in tuning["trials"] if t["step"] == step and t["role"] == "candidate"]
    return json.loads((folder / trials[0]["measurement"]).read_text(encoding="utf-8"))["engine"]


def test_every_step_runs_but_flashinfer_which_a_cpu_refuses(real_engine, tmp_path):
    tuning, folder = real_engine.tune_hybrid(tmp_path, "cline-hybrid", 1, QUICK), tmp_path / "tune"
    decisions = [(step["name"], step["decision"]) for step in tuning["steps"]]
    names = [step.name for step in load_ladder("cline-hybrid").ladder.steps]
    expected = ["undecided"] * 3 + ["failed"] + ["undecided"] * 2
    assert decisions == list(zip(names, expected, strict=True))
    assert "FlashInfer is required" in tuning["steps"][3]["why"]
    said = {number: " ".join(engine_of(tuning, folder, number)["command"]) for number in (1, 5)}
    assert '"num_speculative_tokens":3' in said[1]
    assert '"num_speculative_tokens":1' in said[5]  # though 3 was not kept
    assert engine_of(tuning, folder, 2)["env"]["OMP_NUM_THREADS"] == "1"
    scheduler = engine_of(tuning, folder, 3)["command"]
    assert "--async-scheduling" in scheduler
    assert "--no-async-scheduling" not in scheduler
    state = engine_of(tuning, folder, 6)["command"]
    assert "--enable-mamba-cache-stochastic-rounding" in state
    assert state[state.index("--mamba-ssm-cache-dtype") + 1] == "float16"
    # The weights are random: no gain is claimed of drafts that nothing accepts.
    found = {finding["kind"]: finding["message"] for finding in tuning["findings"]}
    assert "No gain of speculative decoding can be told" in found["dummy_model"]
    assert tuning["best"]["steps"] == []
    assert tuning["is_complete"]
    assert records() == ()
