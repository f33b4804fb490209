"""The capacity at a service level by tco's search, and by a grid in steps of 5 % beside it.

`python -m benchmarks.search`: one start of the real vLLM with the small random model; first the
search, then open loops of the same windows at every 5 % on both sides of what it found. The
grid's answer is the highest rate below which every load kept the service level.

The engine's steps have an even length (`even_steps`), longer than the machine needs for them, so
that capacity is a property of the engine and not of who else uses the processor. `--step-ms 0`
leaves the engine as it is.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tco.measure.bench_plan import bench_plan
from tco.measure.capacity import measure_capacity
from tco.measure.engine import running_engine
from tco.measure.engine_home import engine_python, engines_folder, find_vllm
from tco.measure.host import host_facts
from tco.measure.measure_point import Bed
from tco.measure.points import Points
from tco.measure.request import find_form
from tco.measure.resume import KeptPoints
from tco.measure.tiny_model import ensure_tiny_model
from tco.measure.tried import Load
from tco.measurement import LoadPoint
from tco.scenario import Argument, Scenario

STEP = 1.05
STEP_MS = "TCO_BENCHMARK_STEP_MS"  # what even_steps reads, in the engine's own environment


def scenario(vllm: Path, model: Path, args: argparse.Namespace) -> Scenario:
    """Return what is searched for."""
    flags: dict[str, Argument] = {
        "load-format": "dummy",
        "max-model-len": 2048,
        "enforce-eager": True,
        "max-num-seqs": args.max_num_seqs,
        "served-model-name": "tiny",
    }
    env = {"VLLM_CPU_KVCACHE_SPACE": "1"}
    if args.step_ms:
        flags["logits-processors"] = "benchmarks.even_steps:EvenSteps"
        env |= {"PYTHONPATH": str(Path(__file__).parents[1]), STEP_MS: str(args.step_ms)}
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": flags}
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "search against grid",
            "traffic": {
                "shape": {"input_tokens": args.input_tokens, "output_tokens": args.output_tokens}
            },
            "slo": {"ttft_p95_ms": args.ttft_p95_ms, "tpot_p95_ms": args.tpot_p95_ms},
            "engine": {"launch": {**launch, "env": env}},
            "bench": {"window_s": args.window_s, "max_minutes": 90, "meter": "none"},
            "hardware": {"rent": {"usd_per_hour": 0}},
        }
    )


def line(point: LoadPoint) -> str:
    """Return a load and how it went."""
    level, loop = point.service_level, point.open_loop
    load = f"{point.concurrency_asked} streams"
    if point.offered_requests_per_s is not None:
        load = f"{point.offered_requests_per_s:.2f} requests/s"
    seen = [f"{t.latency} {t.seen_ms or float('nan'):.1f}" for t in level.terms] if level else []
    verdict = "overloaded" if loop and loop.is_overloaded else f"kept: {level and level.holds}"
    return f"{load}: served {point.rates.requests_per_s:.2f}, {', '.join(seen)} ms, {verdict}"


def main() -> None:
    """Search, then go through the grid."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--input-tokens", type=int, default=64)
    parser.add_argument("--output-tokens", type=int, default=32)
    parser.add_argument("--max-num-seqs", type=int, default=16)
    parser.add_argument("--step-ms", type=float, default=30)
    parser.add_argument("--ttft-p95-ms", type=float, default=1000)
    parser.add_argument("--tpot-p95-ms", type=float, default=60)
    parser.add_argument("--window-s", type=float, default=120)
    parser.add_argument("--grid-steps", type=int, default=3, help="on either side")
    args = parser.parse_args()
    vllm = find_vllm()
    model = ensure_tiny_model(engines_folder() / "tiny-model", engine_python(vllm))
    stated = scenario(vllm, model, args)
    plan = bench_plan(stated)
    with (
        tempfile.TemporaryDirectory() as folder,
        running_engine(stated, log_path=Path(folder) / "engine.log", on_progress=print) as handle,
    ):
        kept = KeptPoints(Path(folder) / "measurement.json", Path(folder), is_fresh=True)
        points = Points(plan, kept, host_facts(), lambda _: None)
        bed = Bed(
            plan=plan,
            scenario=stated,
            handle=handle,
            form=find_form(handle),
            raw=Path(folder),
            recorders=(),
            idle=None,
            progress=lambda _: None,
        )
        points.move_to(bed)
        found = measure_capacity(points)
        for point in points.all:
            print("search:", line(point))
        print(f"found: {found.low} to {found.high} requests/s by {len(points.all)} points")
        if found.low is None:
            return
        for step in range(-args.grid_steps, args.grid_steps + 1):
            load = Load(requests_per_s=found.low * STEP**step)
            print("grid:", line(points.measure(load, "search")), flush=True)


if __name__ == "__main__":
    main()
