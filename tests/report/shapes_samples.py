"""One ladder on several traffics, to be reported."""

import datetime as dt

from tco.measurement import Interval
from tco.shapes import CrossCell, ShapeGain, ShapePair, Shapes, ShapesStep, ShapeTuned

HELD = Interval(low=0.85, high=0.95)


def shape(name, *steps):
    return ShapeTuned(
        name=name, scenario_file=f"{name}.yaml", scenario_sha256="a" * 64, input_tokens=512.0,
        cached_input_share=0.5, output_tokens=64.0, concurrency=8.0, slo={"ttft_p95_ms": 2000.0},
        record=f"{name}/tune.json", best_steps=steps, serve=f"vllm serve {name}", took_s=60.0,
    )  # fmt: skip


def shapes(winner="changes", *, is_complete=True, names=("chat", "code")):
    away = "worse" if winner == "changes" else winner
    measured = {"ratio": 0.9, "interval": HELD} if away == "worse" else {}
    return Shapes(
        tool_version="0.1.0", created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), ladder="mine",
        ladder_sha256="b" * 64, repeats=3, is_complete=is_complete, took_s=600.0,
        shapes=tuple(shape(name, "large batches") for name in names),
        steps=(
            ShapesStep(
                number=1, name="large batches", differs=True,
                gains=tuple(
                    ShapeGain(shape=n, decision="kept", ratio=1.1,
                              interval=Interval(low=1.05, high=1.15))
                    for n in names
                ),
            ),
        ),
        cross=tuple(
            CrossCell(shape=a, best_of=b, decision=away, why="slower", **measured)
            for a, b in ((names[0], names[1]), (names[1], names[0]))
        ),
        pairs=(ShapePair(shapes=names, winner=winner, why="so it was measured"),),
    )  # fmt: skip
