"""Searches to be reported, with what a search can end in."""

import datetime as dt

from tco.measurement import Interval
from tco.search_document import (
    Confirmation,
    Front,
    FrontPoint,
    Search,
    SearchBest,
    SearchTrial,
)

OWN = {"max-num-seqs": 16, "enforce-eager": False, "env.OMP_NUM_THREADS": None}
WHEN = dt.datetime(2026, 12, 2, 9, 30, tzinfo=dt.UTC)


def trial(number, *, usd=None, ttft_ms=100.0, purpose="improve", **more):
    figures = {} if usd is None else {
        "usd_per_million_output": usd,
        "output_tok_per_s": 2e6 / 3600 / usd,
        "ttft_p95_ms": ttft_ms,
        "tpot_p95_ms": 10 + 400 / ttft_ms,
        "saving": 1 - usd / 4,
    }  # fmt: skip
    values = {
        "number": number, "settings": OWN | {"max-num-seqs": 10 * number}, "sets": (),
        "rung": "full", "purpose": purpose, "worker": "a", "host": "h", "started_at": WHEN,
        "took_s": 60.0, "objective": usd, "figures": figures,
    }  # fmt: skip
    return SearchTrial(**(values | more))


def search(*trials, **more):
    """Return a complete search that was not confirmed, with these trials."""
    values = {
        "tool_version": "0.1.0", "created_at": WHEN, "name": "a service",
        "scenario_sha256": "a" * 64, "space": "mine", "space_sha256": "b" * 64, "seed": 1,
        "objective": "usd_per_million_output", "aim": "minimise", "latency": "ttft_p95_ms",
        "own": OWN, "skipped": {}, "stopped": "every configuration was tried",
        "is_complete": True, "engine_s": 60.0 * len(trials), "trials": trials,
        "best": SearchBest(settings=OWN, sets=(), serve="vllm serve a/b --max-num-seqs 16"),
    }  # fmt: skip
    return Search(**(values | more))


def confirmed(decision="kept", why="better", ratio=1.5, **more):
    """Return a search of twelve trials and what turns decided of its best."""
    ran = (
        trial(1, usd=3.0, ttft_ms=90, purpose="start", settings=OWN),
        trial(2, usd=2.6, ttft_ms=140, purpose="explore"),
        trial(3, purpose="explore", failure="the engine did not start: CUDA out of memory"),
        trial(4, usd=2.2, ttft_ms=210, purpose="explore"),
        trial(5, usd=2.9, rung="short", pruned=True),
        trial(6, usd=2.1, ttft_ms=340),
        trial(7, usd=1.9, ttft_ms=620, failure="breaks the service level",
              holds_service_level=False),
        trial(8, usd=2.0, ttft_ms=380, purpose="repeat"),
        trial(9, usd=2.05, ttft_ms=300, invalid=("not_steady",)),
        trial(10, usd=2.75, ttft_ms=330),
        trial(11, usd=3.05, ttft_ms=95, purpose="confirm", role="incumbent", settings=OWN),
        trial(12, usd=2.03, ttft_ms=385, purpose="confirm", role="candidate",
              settings=OWN | {"max-num-seqs": 80}),
    )  # fmt: skip
    held = None if ratio is None else Interval(low=ratio * 0.95, high=ratio * 1.05)
    is_kept = decision == "kept"
    best = {"settings": ran[11].settings, "sets": ("engine.launch.args.max-num-seqs=80",)}
    values = {
        "slo": {"ttft_p95_ms": 500.0},
        "skipped": {"async-scheduling": "this engine takes no --async-scheduling"},
        "noise": 0.01,
        "confirmation": Confirmation(
            trial=8, repeats=3, decision=decision, why=why, ratio=ratio, interval=held,
            best_trial=12, own_trial=11,
        ),
        "front": tuple(
            FrontPoint(trial=each.number, usd_per_million_output=each.objective,
                       latency_ms=each.figures["ttft_p95_ms"])
            for each in (ran[7], ran[5], ran[3], ran[1], ran[0])
        ),
        "further_fronts": (Front(
            latency="tpot_p95_ms",
            points=(FrontPoint(trial=8, usd_per_million_output=2.0,
                               latency_ms=ran[7].figures["tpot_p95_ms"]),),
        ),),
    }  # fmt: skip
    if is_kept:
        values["best"] = SearchBest(
            **best, serve="vllm serve a/b --max-num-seqs 80", scenario_file="a-tuned.yaml"
        )
    return search(*ran, **(values | more))
