"""The same closed loop by `vllm bench serve` and by tco's client, in turn on one engine.

Both send the same number of requests at the same concurrency, and take turns in going
first; both rates are completed output tokens ÷ whole run. CPU is user + system of each
client, less the same for 16 output tokens (imports and start), a recorded event; ours
includes the parsing.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tco.measure.client_log import read_records
from tco.measure.client_plan import ClientPlan
from tco.measure.engine import EngineHandle, running_engine
from tco.measure.engine_home import engine_python, engines_folder, find_vllm
from tco.measure.load import load_client
from tco.measure.point import tokens_of, whole_run_rates
from tco.measure.request import find_form
from tco.measure.run import bench_plan, client_plan
from tco.measure.tiny_model import ensure_tiny_model
from tco.measure.trace import parse
from tco.measurement import MeasuredShape
from tco.scenario import Scenario
from tco.workload import Workload, plain_workload

SHORT_TOKENS = 16
CLIENT_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class Run:
    """One run: completed output tokens a second of the whole run, CPU seconds, events."""

    output_tok_per_s: float
    cpu_s: float
    events: int


def scenario(vllm: Path, model: Path, args: argparse.Namespace) -> Scenario:
    """Return the loop both clients drive."""
    flags = {
        "load-format": "dummy",
        "dtype": "bfloat16",
        "enforce-eager": True,
        "served-model-name": "tiny",
        "no-enable-prefix-caching": True,
    }
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": flags}
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "abab",
            "traffic": {"shape": {"input_tokens": args.input, "output_tokens": args.output}},
            "engine": {
                "launch": {**launch, "env": {"VLLM_CPU_KVCACHE_SPACE": "1"}},
                "concurrency": args.streams,
            },
            "hardware": {"rent": {"usd_per_hour": 0}},
        }
    )


def requests_of(path: Path, input_tokens: int, output_tokens: int, rows: int) -> Path:
    """Write requests of those lengths; return the file."""
    lengths = (np.full(rows, tokens, dtype=np.int64) for tokens in (input_tokens, output_tokens))
    plain_workload(*lengths).save(path)
    return path


def ours(plan: ClientPlan) -> Run:
    """Run tco's client to its end and parse what it kept."""
    with tempfile.TemporaryDirectory() as folder:
        with load_client(replace(plan, out_dir=folder)) as client:
            deadline = time.monotonic() + CLIENT_TIMEOUT_S
            while not client.has_ended and time.monotonic() < deadline:
                client.wait(0.2)
            cpu_s = client.history[-1].cpu_s
        begun = time.process_time()
        trace = parse(read_records(Path(folder)))
        cpu_s += time.process_time() - begun
    lengths = Workload.load(Path(plan.workload))
    shape = MeasuredShape(
        input_tokens=float(lengths.input_tokens()[0]),
        cached_input_share=0.0,
        output_tokens=float(lengths.output_tokens[0]),
    )
    rates = whole_run_rates(trace, tokens_of(trace), shape)
    return Run(rates.output_tok_per_s, cpu_s, int(trace.events.sum()))


def theirs(vllm: Path, handle: EngineHandle, model: Path, plan: ClientPlan) -> Run:
    """Run `vllm bench serve` with the same lengths, concurrency and number of requests."""
    lengths = Workload.load(Path(plan.workload))
    with tempfile.TemporaryDirectory() as folder:
        options = {
            "backend": "openai", "base-url": handle.url, "endpoint": "/v1/completions",
            "model": handle.served_model, "tokenizer": model, "dataset-name": "random",
            "random-input-len": int(lengths.input_tokens()[0]),
            "random-output-len": int(lengths.output_tokens[0]), "num-prompts": plan.requests,
            "max-concurrency": plan.streams, "seed": plan.seed, "result-dir": folder,
            "result-filename": "r.json",
        }  # fmt: skip
        command = [str(vllm), "bench", "serve", "--ignore-eos", "--disable-tqdm"]
        command += ["--save-result", "--save-detailed"]
        command += [part for name, value in options.items() for part in (f"--{name}", str(value))]
        environment = {**os.environ, "OPENAI_API_KEY": handle.api_key or ""}
        environment |= {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}
        with (Path(folder) / "log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit((Path(folder) / "log").read_text(errors="replace")[-2000:])
        result = json.loads((Path(folder) / "r.json").read_text())
    events = sum(len(gaps) + 1 for gaps in result["itls"])
    return Run(result["output_throughput"], usage.ru_utime + usage.ru_stime, events)


def cpu_us_per_event(run: Run, short: Run) -> float:
    """Return the CPU (µs) of one more event."""
    return (run.cpu_s - short.cpu_s) / (run.events - short.events) * 1e6


def main() -> None:
    """Print both clients' rates and CPU."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--requests", type=int, default=128)
    parser.add_argument("--input", type=int, default=256)
    parser.add_argument("--output", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    vllm = find_vllm()
    model = ensure_tiny_model(engines_folder() / "tiny-model", engine_python(vllm))
    stated = scenario(vllm, model, args)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "engine.log"
        with running_engine(stated, log_path=log, on_progress=print) as handle:
            report(*measure(vllm, model, handle, stated, args, folder=Path(folder)))


def measure(
    vllm: Path,
    model: Path,
    handle: EngineHandle,
    stated: Scenario,
    args: argparse.Namespace,
    *,
    folder: Path,
) -> tuple[list[Run], Run, list[Run], Run]:
    """Run both clients in turn, each time with a seed of its own."""
    form = find_form(handle)
    long, short_one = (
        requests_of(folder / f"{output}.npz", args.input, output, args.requests)
        for output in (args.output, SHORT_TOKENS)
    )
    plan = client_plan(bench_plan(stated), handle, form, seed=0, folder=folder, workload=long)
    plan = replace(plan, requests=args.requests, staggered=False)
    short = replace(plan, workload=str(short_one), seed=90)
    ours(replace(plan, seed=91))  # warms the engine
    our_short, their_short = ours(short), theirs(vllm, handle, model, replace(short, seed=92))
    runs: dict[str, list[Run]] = {"theirs": [], "ours": []}
    turns = ["theirs", "ours"] * args.repeats
    for number in range(1, args.repeats, 2):  # who goes first takes turns, too
        turns[2 * number : 2 * number + 2] = ["ours", "theirs"]
    for seed, who in enumerate(turns, start=100):
        stated_run = replace(plan, seed=seed)
        run = ours(stated_run) if who == "ours" else theirs(vllm, handle, model, stated_run)
        print(f"{who:7}{run.output_tok_per_s:9,.0f} output tok/s", flush=True)
        runs[who].append(run)
    return runs["ours"], our_short, runs["theirs"], their_short


def report(our_runs: list[Run], our_short: Run, their_runs: list[Run], their_short: Run) -> None:
    """Print the table and what follows from it."""
    print(f"{'client':20}{'output tok/s of each run':34}{'mean':>9}{'spread':>9}{'us/event':>10}")
    means, costs = [], []
    for name, runs, short in (
        ("vllm bench serve", their_runs, their_short),
        ("tco", our_runs, our_short),
    ):
        rates = [run.output_tok_per_s for run in runs]
        means.append(statistics.mean(rates))
        costs.append(statistics.mean(cpu_us_per_event(run, short) for run in runs))
        each = " ".join(f"{rate:,.0f}" for rate in rates)
        spread = max(rates) - min(rates)
        print(f"{name:20}{each:34}{means[-1]:9,.0f}{spread:9,.0f}{costs[-1]:10.1f}")
    print(f"rate, ours / theirs: {means[1] / means[0]:.3f}")
    print(f"CPU an event, ours / theirs: {costs[1] / costs[0]:.3f} (budget 0.4)")


if __name__ == "__main__":
    main()
