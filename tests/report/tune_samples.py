"""Tunings that tests share."""

import datetime as dt
import re

from tco.finding import Finding
from tco.measurement import Interval
from tco.tuning import TuneBest, TuneFigures, TuneStep, Tuning

NASTY = "<script>alert(1)</script> | `x` [y](http://z) @team"
NUMERIC = Finding.of("quality_not_checked", "warn", "steps", "Not checked: KV", "Compare answers.")


def figures(rate):
    return TuneFigures(
        output_tok_per_s=rate,
        requests_per_s=rate / 100,
        measurement="trials/001/measurement.json",
        usd_per_million_output=2e6 / 3600 / rate,
        alternative="an API",
        saving=1 - 100 / rate,
    )


def step(number, decision="reverted", *, ratio=0.97, name=None, why="it is slower", **more):
    measured = decision in {"kept", "reverted", "undecided"}
    values = {
        "number": number,
        "name": name or f"step of number {number}",
        "args": {"max-num-seqs": 64 * number},
        "env": {},
        "numerics": False,
        "decision": decision,
        "why": why,
        "ratio": ratio if measured else None,
        "interval": Interval(low=ratio * 0.98, high=ratio * 1.02) if measured else None,
        "figures": figures(1000 * ratio) if measured else None,
    }
    return TuneStep(**(values | more))


def tuning(*steps, is_complete=True, findings=()):
    kept = tuple(each.number for each in steps if each.decision == "kept")
    return Tuning(
        tool_version="0.1.0",
        created_at=dt.datetime(2026, 12, 2, 9, 30, tzinfo=dt.UTC),
        name="a service",
        scenario_sha256="a" * 64,
        ladder="mine",
        ladder_sha256="b" * 64,
        repeats=3,
        is_complete=is_complete,
        took_s=1800.0,
        baseline=figures(1000.0),
        steps=steps,
        best=TuneBest(steps=kept, sets=(), serve="vllm serve a/b --max-num-seqs 64"),
        trials=(),
        findings=findings,
    )


MIXED = (
    step(1, "kept", ratio=1.25, why="it is faster"),
    step(2, "reverted"),
    step(3, "kept", ratio=1.1, numerics=True),
    step(4, "undecided", ratio=1.01),
    step(5, "failed", why="the engine did not start"),
    step(6, "skipped", why="it is so already"),
    step(7, "not_reached", why="no time was left"),
)


def squeezed(text):
    return re.sub(r"\s", "", text.replace("\u00ad", "").replace("−", "-"))
