"""The capacity at a service level by tco's search, and by a grid in steps of 5 % beside it.

`python -m benchmarks.search`: one start of the real vLLM with the small random model; first the
search, then open loops of the same windows at every 5 % from 0.8 to 1.25 of what it found. The
grid's answer is the highest rate below which every load kept the service level.
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
from tco.scenario import Scenario

STEP = 1.05
BELOW_STEPS, ABOVE_STEPS = 5, 5


def scenario(vllm: Path, model: Path, args: argparse.Namespace) -> Scenario:
    """Return what is searched for."""
    flags = {
        "load-format": "dummy",
        "max-model-len": 2048,
        "enforce-eager": True,
        "max-num-seqs": 64,
        "served-model-name": "tiny",
    }
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": flags}
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "search against grid",
            "traffic": {"shape": {"input_tokens": 256, "output_tokens": 128}},
            "slo": {"ttft_p95_ms": args.ttft_p95_ms, "tpot_p95_ms": args.tpot_p95_ms},
            "engine": {"launch": {**launch, "env": {"VLLM_CPU_KVCACHE_SPACE": "1"}}},
            "bench": {"window_s": args.window_s, "max_minutes": 20, "meter": "none"},
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
    parser.add_argument("--ttft-p95-ms", type=float, default=500)
    parser.add_argument("--tpot-p95-ms", type=float, default=20)
    parser.add_argument("--window-s", type=float, default=20)
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
        for step in range(-BELOW_STEPS, ABOVE_STEPS + 1):
            load = Load(requests_per_s=found.low * STEP**step)
            print("grid:", line(points.measure(load, "search")), flush=True)


if __name__ == "__main__":
    main()
