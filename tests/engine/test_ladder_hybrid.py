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


@pytest.fixture(scope="module")
def tuning_and_folder(real_engine, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ladder")
    return real_engine.tune_hybrid(folder, "cline-hybrid", 1, QUICK), folder / "tune"


def engine_of(tuning, folder, step):
    """What the engine of a step was started with, by its own record."""
    trials = [t for t in tuning["trials"] if t["step"] == step and t["role"] == "candidate"]
    return json.loads((folder / trials[0]["measurement"]).read_text(encoding="utf-8"))["engine"]


def test_every_step_runs_but_flashinfer_which_a_cpu_refuses(tuning_and_folder):
    tuning, folder = tuning_and_folder
    steps = {step["number"]: step for step in tuning["steps"]}
    assert [step["name"] for step in tuning["steps"]] == [
        step.name for step in load_ladder("cline-hybrid").ladder.steps
    ]
    assert steps[4]["decision"] == "failed"
    assert "FlashInfer is required" in steps[4]["why"]
    assert {
        number: step["decision"] for number, step in steps.items() if number != 4
    } == dict.fromkeys((1, 2, 3, 5, 6), "undecided")
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
    assert tuning["is_complete"]
    assert records() == ()


def test_no_gain_is_claimed_of_a_model_with_random_weights(tuning_and_folder):
    tuning, _ = tuning_and_folder
    found = {finding["kind"]: finding["message"] for finding in tuning["findings"]}
    assert "No gain of speculative decoding can be told" in found["dummy_model"]
    assert tuning["best"]["steps"] == []
