"""A scenario whose engine is the one of known pace, and `tco` as a user starts it."""

import json
import os
import subprocess
import sys
from pathlib import Path

ENGINE = Path(__file__).with_name("paced_engine.py")
SCENARIO = """
schema: tco.scenario/1
name: {name}
traffic: {{shape: {{input_tokens: 8, output_tokens: {tokens}}}}}
engine:
  launch:
    command: [{python}, {engine}]
    model: {model}
    env: {env}
    # the gap between two tokens
    args:
{args}
  concurrency: 4
bench: {{window_s: 1.5, max_minutes: 1}}
hardware: {{rent: {{usd_per_hour: 2}}}}
{more}
"""


def write_paced(path, *, tokens=10, args=None, env=None, more=""):
    """Write the scenario, named as its file is, and beside it what passes for a model."""
    model = path.parent / "model"
    model.mkdir(exist_ok=True)
    (model / "config.json").write_text("{}")
    every = {"served-model-name": "paced"} | (args or {})
    text = SCENARIO.format(
        name=path.stem, tokens=tokens, python=sys.executable, engine=ENGINE, model=model,
        args="\n".join(f"      {name}: {json.dumps(value)}" for name, value in every.items()),
        env=json.dumps(env or {}), more=more,
    )  # fmt: skip
    path.write_text(text, encoding="utf-8")


def start_tco(folder, *words):
    """Start a command in a folder, with the records of its engines there too."""
    return subprocess.Popen(
        [sys.executable, "-m", "tco", *words],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "XDG_STATE_HOME": str(folder), "COLUMNS": "160",
             "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip


def run_tco(folder, *words):
    """Run a command to its end, and return what it said."""
    with start_tco(folder, *words) as process:
        out, said = process.communicate()
    return subprocess.CompletedProcess(words, process.returncode, out, said)
