"""Grids that no engine made, from models of a rate: known to the last digit, and so a test.

Every one has what makes engines hard: settings that act together, a plateau, configurations
that do not start or run out of memory, and noise between starts.
"""

import datetime as dt

import numpy as np

from tco.tune.search.grid import Grid, GridConfiguration, GridRun

SEQS = (8, 16, 32, 64, 128, 256)
TOKENS = (1024, 2048, 4096, 8192)
THREADS = (None, "1", "nobind")


def saturating(settings, draw):
    """Streams saturate, few tokens a step throttle many of them; eager costs a constant share."""
    seqs, tokens = settings["max-num-seqs"], settings["max-num-batched-tokens"]
    rate = 1000 * seqs / (seqs + draw["half"]) * min(1, (tokens / (seqs * draw["need"])) ** 0.3)
    rate *= draw["eager"] if settings["enforce-eager"] else 1.0
    return rate * draw["threads"][settings["env.OMP_THREADS"]]


def peaked(settings, draw):
    """Beyond a number of streams the cache is full and requests are thrown out again."""
    seqs, tokens = settings["max-num-seqs"], settings["max-num-batched-tokens"]
    rate = 800 * (1 - ((np.log2(seqs) - draw["peak"]) / 6) ** 2)
    rate *= 1 - 0.03 * (np.log2(tokens) - draw["tokens"]) ** 2
    if settings["enforce-eager"] and settings["env.OMP_THREADS"] == "1":
        rate *= 1 + draw["together"]  # each by itself costs, both together pay
    else:
        rate *= 1 - 0.05 * bool(settings["enforce-eager"])
    return rate * draw["threads"][settings["env.OMP_THREADS"]]


def flat(settings, draw):
    """Hardly anything matters, but one setting in one place."""
    rate = 500 * (1 + 0.01 * draw["threads"][settings["env.OMP_THREADS"]])
    rate *= 1 + 0.15 * (settings["max-num-seqs"] >= draw["step"])
    return rate * (draw["eager"] if settings["enforce-eager"] else 1.0)


MODELS = {"saturating": saturating, "peaked": peaked, "flat": flat}


def synthetic_grid(model, seed, *, noise=0.015, start_s=20.0, window_s=20.0, size=48):
    rng = np.random.default_rng(seed)
    draw = {
        "half": rng.uniform(8, 60), "need": rng.uniform(20, 100), "eager": rng.uniform(0.75, 1.1),
        "peak": rng.uniform(4, 7), "tokens": rng.uniform(10, 13),
        "together": rng.uniform(0.05, 0.25), "step": int(rng.choice(SEQS[1:])),
        "threads": dict(zip(THREADS, rng.uniform(0.8, 1.1, size=3), strict=True)),
    }  # fmt: skip
    memory = rng.uniform(4e5, 3e6)  # streams x tokens that still fit
    broken = THREADS[int(rng.integers(1, 3))] if rng.random() < 0.4 else "no such"
    every = [
        {"max-num-seqs": a, "max-num-batched-tokens": b, "enforce-eager": c, "env.OMP_THREADS": d}
        for a in SEQS for b in TOKENS for c in (False, True) for d in THREADS
    ]  # fmt: skip
    chosen = [every[int(i)] for i in rng.choice(len(every), size=size, replace=False)]

    def runs(settings):
        fits = settings["max-num-seqs"] * settings["max-num-batched-tokens"] <= memory
        if not fits or settings["env.OMP_THREADS"] == broken:
            failed = GridRun(output_tok_per_s=None, start_s=start_s / 2, run_s=0.0, failure="no")
            return (failed,) * 3
        mean = MODELS[model](settings, draw)
        rates = mean * np.exp(rng.normal(0, noise, size=3))
        return tuple(
            GridRun(output_tok_per_s=float(rate), start_s=start_s, run_s=window_s + 6)
            for rate in rates
        )

    configurations = tuple(GridConfiguration(settings=s, runs=runs(s)) for s in chosen)
    working = [each for each in configurations if each.rate is not None]
    return Grid(
        name=f"{model} {seed}", tool_version="0",
        created_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
        engine="none", machine="none", model="none", traffic="none", window_s=window_s,
        own=working[int(rng.integers(len(working)))].settings, configurations=configurations,
    )  # fmt: skip
