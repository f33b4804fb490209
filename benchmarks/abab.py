"""`vllm bench serve` and tco's client in turn on one real engine: `python -m benchmarks.abab`.

Both send the same number of requests at the same concurrency, and take turns in going
first; both rates are completed output tokens ÷ whole run. CPU is counted from the client's
first request to its end, less the same for a run with short answers, an event recorded.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.client import Client
from benchmarks.clients import OWN, VLLM
from benchmarks.load import Load
from benchmarks.side_by_side import SHORT_TOKENS
from benchmarks.tables import Table, as_text, number
from benchmarks.tree_cpu import adopt_orphans, end_rest, tree_cpu_s
from benchmarks.trial import FailedTrialError, run_client
from tco.measure.engine import EngineHandle, running_engine
from tco.measure.engine_home import engine_python, engines_folder, find_vllm
from tco.measure.tiny_model import ensure_tiny_model
from tco.scenario import Scenario

_PATIENCE_S = 5.0
_US_PER_S = 1e6


@dataclass(frozen=True, slots=True)
class Run:
    """One run: completed output tokens a second of the whole run, CPU seconds, events."""

    output_tok_per_s: float
    cpu_s: float
    events: int


@dataclass(frozen=True, slots=True)
class Runs:
    """A client's runs, and one with short answers."""

    client: str
    full: tuple[Run, ...]
    short: Run

    def cpu_us_per_event(self) -> float:
        """Return the mean CPU (µs) of one more event."""
        return statistics.mean(
            (run.cpu_s - self.short.cpu_s) / (run.events - self.short.events) * _US_PER_S
            for run in self.full
        )

    def output_tok_per_s(self) -> float:
        """Return the mean rate."""
        return statistics.mean(run.output_tok_per_s for run in self.full)


def scenario(vllm: Path, model: Path, load: Load) -> Scenario:
    """Return the engine both clients drive."""
    flags = {
        "load-format": "dummy",
        "dtype": "bfloat16",
        "enforce-eager": True,
        "served-model-name": load.model,
        "no-enable-prefix-caching": True,
    }
    launch = {"command": [str(vllm), "serve"], "model": str(model), "args": flags}
    shape = {"input_tokens": load.input_tokens, "output_tokens": load.output_tokens}
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "abab",
            "traffic": {"shape": shape},
            "engine": {
                "launch": {**launch, "env": {"VLLM_CPU_KVCACHE_SPACE": "1"}},
                "concurrency": load.streams,
            },
            "hardware": {"rent": {"usd_per_hour": 0}},
        }
    )


def run_once(client: Client, load: Load, handle: EngineHandle) -> Run:
    """Run a client to its end against the engine."""
    assert handle.pid is not None  # noqa: S101  we started it
    engine, cpu_s = {handle.pid}, [0.0]

    def hear(line: str) -> None:
        if client.mark in line:
            cpu_s[:] = [tree_cpu_s(engine)]

    shutil.rmtree(load.folder, ignore_errors=True)
    load.folder.mkdir(parents=True)
    command = [*client.find(), *client.arguments(load)]
    key = {"OPENAI_API_KEY": handle.api_key or "none"}
    run_client(command, load.folder / "client.log", hear, key)
    end_rest(engine, _PATIENCE_S)
    reported = client.read(load)
    if reported.stamps is None or not cpu_s[0]:
        raise FailedTrialError(f"{client.name} did not say when it began, or when events came")
    events = len(reported.stamps.event_ns)
    return Run(reported.output_tok_per_s, tree_cpu_s(engine) - cpu_s[0], events)


def measure(
    load: Load, handle: EngineHandle, repeats: int, say: Callable[[str], None]
) -> list[Runs]:
    """Run both clients in turn, each time with a seed of its own."""
    short = replace(load, output_tokens=SHORT_TOKENS)
    run_once(OWN, replace(load, seed=91), handle)  # warms the engine
    shorts = {c.name: run_once(c, replace(short, seed=92), handle) for c in (OWN, VLLM)}
    full: dict[str, list[Run]] = {OWN.name: [], VLLM.name: []}  # the last is the base
    for turn_number in range(repeats):
        turn = (VLLM, OWN) if turn_number % 2 == 0 else (OWN, VLLM)
        for place, client in enumerate(turn):
            run = run_once(client, replace(load, seed=100 + 2 * turn_number + place), handle)
            say(f"{client.name:18}{run.output_tok_per_s:9,.0f} output tok/s")
            full[client.name].append(run)
    return [Runs(name, tuple(runs), shorts[name]) for name, runs in full.items()]


def on_engine(load: Load, repeats: int, say: Callable[[str], None]) -> list[Runs]:
    """Start the tiny model on the installed engine and run both clients on it.

    Raises:
        EngineError: there is no engine, or it does not start.
    """
    vllm = find_vllm()
    model = ensure_tiny_model(engines_folder() / "tiny-model", engine_python(vllm))
    with tempfile.TemporaryDirectory() as folder:
        load = replace(load, model="tiny", tokenizer=model, folder=Path(folder) / "run")
        stated = scenario(vllm, model, load)
        log = Path(folder) / "engine.log"
        with running_engine(stated, log_path=log, on_progress=say) as handle:
            return measure(replace(load, url=handle.url), handle, repeats, say)


def engine_table(runs: Sequence[Runs]) -> Table:
    """Return every client's rates and CPU, and their ratios to the last one's."""
    base = runs[-1]
    heads = ("client", "output tok/s of each run", "mean", "÷ vllm's", "CPU µs/event", "÷ vllm's")
    return heads, [
        (
            each.client,
            " ".join(number(run.output_tok_per_s, 0) for run in each.full),
            number(each.output_tok_per_s(), 0),
            number(each.output_tok_per_s() / base.output_tok_per_s(), 3),
            number(each.cpu_us_per_event(), 1),
            number(each.cpu_us_per_event() / base.cpu_us_per_event(), 2),
        )
        for each in runs
    ]


def main() -> None:
    """Print both clients' rates and CPU."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--streams", type=int, default=64)
    parser.add_argument("--requests", type=int, default=128)
    parser.add_argument("--input", type=int, default=256)
    parser.add_argument("--output", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=3)
    args = parser.parse_args()
    adopt_orphans()
    load = Load("", "tiny", args.streams, args.requests, args.input, args.output, 0, Path(), Path())
    print(as_text(engine_table(on_engine(load, args.repeats, print))))


if __name__ == "__main__":
    main()
