"""All configurations of a few settings on the real vLLM: the truth a search is judged on.

`python -m benchmarks.tune_grid`: vLLM on this machine's CPU with the small random model. Each run
has an engine start of its own. A round measures every configuration once, in an order drawn anew,
so that a machine that changes its pace favours none. Every run is written as it ends (the file's
name with `.jsonl`), and the same command goes on where it stopped; when all are there, they become
a `tco.grid/1`. Leave the machine alone meanwhile: three rounds take 80 minutes.
"""

from __future__ import annotations

import argparse
import datetime as dt
import itertools
import json
import os
import random
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from tco import __version__
from tco.measure.engine_home import engine_python, engines_folder, find_vllm, version_beside
from tco.measure.host import host_facts
from tco.measure.tiny_model import ensure_tiny_model
from tco.output_file import write_whole
from tco.scenario_file import load_scenario
from tco.tune.search.grid import Grid, GridConfiguration, GridRun
from tco.tune.trial import run_trial

STREAMS: Final = 64
TOKENS: Final = 128
WINDOW_S: Final = 12
SEED: Final = 1
Settings = dict[str, Any]

# 4096 sequences are refused: more than the 2,048 tokens of a step. The async scheduler is no axis:
# on a CPU vLLM 0.32 does without, whatever is said.
AXES: Final[dict[str, tuple[Any, ...]]] = {
    "max-num-seqs": (8, 32, 128, 4096),
    "enforce-eager": (True, None),
    "env.VLLM_CPU_OMP_THREADS_BIND": (None, "0-1"),
    "stream-interval": (None, 8),
}
OWN: Final[Settings] = {
    "max-num-seqs": 32,
    "enforce-eager": True,
    "env.VLLM_CPU_OMP_THREADS_BIND": None,
    "stream-interval": None,
}


def main() -> None:
    """Measure what the file lacks, and write the grid once nothing is missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tune_grid", description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/tune_grid.json"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", type=int, help="so many configurations, to try it out")
    args = parser.parse_args()
    log = args.output.with_suffix(".jsonl")
    log.parent.mkdir(parents=True, exist_ok=True)
    cells = configurations()[: args.only]
    vllm = find_vllm()
    model = ensure_tiny_model(engines_folder() / "tiny-model", engine_python(vllm))
    done = {(line["round"], line["cell"]) for line in lines_of(log)}
    plan = order(len(cells), args.rounds)
    for place, (turn, cell) in enumerate(plan, start=1):
        if (turn, cell) in done:
            continue
        run = measured(document(cells[cell], vllm, model))
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"round": turn, "cell": cell, **run}) + "\n")
        seen = run["failure"] or f"{run['output_tok_per_s']:,.0f} tok/s"
        took_s = run["start_s"] + run["run_s"]
        print(f"{place}/{len(plan)}, {took_s:.0f} s: {seen}: {cells[cell]}", file=sys.stderr)
    grid = grid_of(cells, lines_of(log), args.rounds, version_beside(vllm))
    write_whole(args.output, (grid.model_dump_json(by_alias=True, indent=1) + "\n").encode())
    print(f"written: {args.output}", file=sys.stderr)


def configurations() -> list[Settings]:
    """Return all configurations, that of `OWN` first."""
    every = [dict(zip(AXES, each, strict=True)) for each in itertools.product(*AXES.values())]
    return sorted(every, key=lambda settings: settings != OWN)


def order(cells: int, rounds: int) -> list[tuple[int, int]]:
    """Return the round and configuration of each run, in the order of time."""
    draw = random.Random(SEED)  # noqa: S311  an order, no secret
    return [(turn, cell) for turn in range(rounds) for cell in draw.sample(range(cells), cells)]


def lines_of(log: Path) -> list[dict[str, Any]]:
    """Return the runs that the log holds."""
    if not log.exists():
        return []
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]


def document(settings: Settings, vllm: Path, model: Path) -> dict[str, Any]:
    """Return the scenario of one configuration."""
    args: Settings = {
        "load-format": "dummy",
        "max-model-len": 2048,
        "served-model-name": "tiny",
        "no-enable-prefix-caching": True,
    }
    env = {"VLLM_CPU_KVCACHE_SPACE": "1"}
    for key, value in settings.items():
        name = key.removeprefix("env.")
        if value is not None:
            (args if name == key else env)[name] = value
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": args, "env": env}
    return {
        "schema": "tco.scenario/1",
        "name": "grid",
        "traffic": {"shape": {"input_tokens": TOKENS, "output_tokens": TOKENS}},
        "engine": {"launch": launch, "concurrency": STREAMS},
        "bench": {"window_s": WINDOW_S, "max_minutes": 2},
        "hardware": {"rent": {"usd_per_hour": 1.0}},
    }


def measured(scenario: dict[str, Any]) -> dict[str, Any]:
    """Start the engine, measure it, and return what was seen."""
    with tempfile.TemporaryDirectory(prefix="tco-grid-") as place:
        path = Path(place) / "scenario.yaml"
        path.write_text(json.dumps(scenario), encoding="utf-8")
        trial = run_trial(
            load_scenario(path),
            number=1,
            step=0,
            role="incumbent",
            folder=Path(place),
            progress=lambda _: None,
        )
    start_s = trial.took_s if trial.engine_start_s is None else trial.engine_start_s
    return {
        "started_at": trial.started_at.isoformat(timespec="seconds"),
        "output_tok_per_s": None if trial.failure else trial.output_tok_per_s,
        "start_s": round(start_s, 3),
        "run_s": round(trial.took_s - start_s, 3),
        "load_average_1m": trial.load_average_1m or round(os.getloadavg()[0], 2),
        "failure": trial.failure,
        "invalid": trial.invalid,
    }


def grid_of(
    cells: list[Settings], lines: list[dict[str, Any]], rounds: int, version: str | None
) -> Grid:
    """Return the grid of all runs."""
    runs: dict[int, list[GridRun]] = {cell: [] for cell in range(len(cells))}
    for line in lines:
        if line["round"] < rounds and line["cell"] in runs:
            fields = {key: value for key, value in line.items() if key in GridRun.model_fields}
            runs[line["cell"]].append(GridRun.model_validate(fields))
    host = host_facts()
    return Grid(
        name="vLLM on a CPU",
        tool_version=__version__,
        created_at=dt.datetime.now(dt.UTC),
        engine=f"vLLM {version}",
        machine=f"{host.cpu}, {host.cpu_count} cores, {host.memory_gib:.0f} GiB",
        model="Qwen2 architecture, 4 layers of 128, random weights",
        traffic=f"{TOKENS} tokens in and out, {STREAMS} streams",
        window_s=WINDOW_S,
        own=OWN,
        configurations=tuple(
            GridConfiguration(settings=cells[cell], runs=tuple(found))
            for cell, found in runs.items()
        ),
    )


if __name__ == "__main__":
    main()
