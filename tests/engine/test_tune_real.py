"""A short ladder on real vLLM: what it does not take, what does not start, and one that runs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from tco.measure.engine_options import engine_options, unknown_options
from tco.measure.engine_record import records
from tco.tune.ladder import load_ladder
from tco.tune.shipped import shipped

pytestmark = pytest.mark.engine

LADDER = """
schema: tco.ladder/1
name: short
steps:
  - {name: unknown to vLLM, args: {warp-speed: 9}}
  - {name: no such type, args: {dtype: float7}}
  - {name: two at a time, args: {max-num-seqs: 2}}
"""


def test_a_short_ladder_runs_and_leaves_no_engine(real_engine, tmp_path):
    scenario = real_engine.scenario(concurrency=16).model_dump(
        by_alias=True, mode="json", include={"schema_", "name", "engine"}, exclude_none=True
    )
    scenario |= {
        "traffic": {"shape": {"input_tokens": 64, "output_tokens": 64}},
        "bench": {"window_s": 10, "max_minutes": 1},
        "hardware": {"rent": {"usd_per_hour": 1.0}},
    }
    scenario["engine"]["concurrency"] = 16
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(scenario), encoding="utf-8")
    (tmp_path / "l.yaml").write_text(LADDER, encoding="utf-8")
    words = ("tune", "s.yaml", "--ladder", "l.yaml", "--repeats", "1", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "tco", *words],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    tuning = json.loads(done.stdout)
    unknown, refused, slow = tuning["steps"]
    assert (unknown["decision"], unknown["why"]) == (
        "skipped",
        "this engine takes no --warp-speed",
    )
    assert refused["decision"] == "failed"
    assert "float7" in refused["why"]
    # One start a side decides nothing, not even of an eighth of the streams at once.
    assert slow["decision"] == "undecided"
    # On a machine that does other work a rate may be too uneven to be used, and then it is not.
    assert "invalid" in slow["why"] if slow["ratio"] is None else slow["ratio"] < 1
    if slow["figures"] and tuning["baseline"]:
        cost = [of["usd_per_million_output"] for of in (tuning["baseline"], slow["figures"])]
        assert cost[0] < cost[1]
    assert {finding["kind"] for finding in tuning["findings"]} == {"dummy_model"}
    assert tuning["is_complete"]
    assert Path(tmp_path / "reports").is_dir()
    assert records() == ()


@pytest.mark.parametrize("name", sorted(shipped("ladders")))
def test_vllm_takes_every_argument_of_a_shipped_ladder(name, real_engine_scenario):
    options = engine_options(real_engine_scenario.engine.launch)
    args = [key for step in load_ladder(name).ladder.steps for key in step.args]
    assert unknown_options(args, options) == ()
