"""`python -m benchmarks`: tco beside other load clients, and against its own budgets.

Prints tables; writes all figures as JSON, and the tables as Markdown beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.abab import engine_table, on_engine
from benchmarks.budgets import budgets, drawn, swept
from benchmarks.ceiling import ceiling
from benchmarks.client_tables import cost_table, time_table
from benchmarks.clients import CLIENTS, OWN, VLLM
from benchmarks.figures import figures_of
from benchmarks.load import Load, Pace
from benchmarks.own_tables import budget_table, ceiling_table, sweep_table
from benchmarks.page import page_answers
from benchmarks.side_by_side import measure
from benchmarks.tables import Table, as_markdown, as_text
from benchmarks.tokenizer import ensure_tokenizer
from benchmarks.tree_cpu import adopt_orphans
from benchmarks.trial import FailedTrialError
from tco import __version__
from tco.errors import EngineError
from tco.output_file import write_whole

_PACE = Pace(events_per_s=46.0, ttft_s=0.2)
_PARTS = ("clients", "ceiling", "budgets", "engine")
_FULL, _QUICK = (256, 512, 512), (64, 128, 256)  # streams, requests, output tokens
_ENGINE = (64, 128, 256)


def options() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__.splitlines()[0]
    )
    parser.add_argument("--quick", action="store_true", help="a smaller load, one round")
    parser.add_argument("--rounds", type=int, help="default: 3, quick 1")
    parser.add_argument("--parts", nargs="+", choices=_PARTS, default=_PARTS)
    names = [client.name for client in CLIENTS]
    parser.add_argument("--clients", nargs="+", choices=names, default=names)
    parser.add_argument("-o", "--output", type=Path, default=Path("build/benchmarks.json"))
    return parser.parse_args()


def main() -> None:
    """Run the parts asked for; print tables and write all figures as JSON."""
    args = options()
    adopt_orphans()
    machine = {
        "tco": __version__,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "load_average": os.getloadavg(),
    }
    say("machine: " + json.dumps(machine))
    with tempfile.TemporaryDirectory() as folder:
        load = _load(Path(folder), _QUICK if args.quick else _FULL)
        parts: dict[str, Callable[[], object]] = {
            "clients": lambda: side_by_side(load, args.clients, args.rounds or (3, 1)[args.quick]),
            "ceiling": lambda: own_ceiling(load),
            "budgets": own_budgets,
            "engine": lambda: engine(_load(Path(folder), _ENGINE)),
        }
        result = {name: parts[name]() for name in _PARTS if name in args.parts}
    args.output.parent.mkdir(parents=True, exist_ok=True)
    write_whole(args.output, json.dumps({"machine": machine, **result}, indent=1) + "\n")
    tables = [f"{title}\n\n{as_markdown(table)}\n" for title, table in _shown]
    write_whole(args.output.with_suffix(".md"), "\n".join(tables))
    say(f"wrote {args.output}")


def side_by_side(load: Load, names: Sequence[str], rounds: int) -> dict[str, Any]:
    """Set the named clients side by side."""
    possible = _PACE.possible_tok_per_s(load)
    say(
        f"\n{load.streams} streams x {_PACE.events_per_s:g} tok/s, {load.requests} requests of "
        f"{load.output_tokens} tokens; at most {possible:,.0f} tok/s; {rounds} rounds"
    )
    rows = measure([c for c in CLIENTS if c.name in names], load, rounds, _PACE, say)
    baseline = next((row for row in rows if row.client == VLLM.name), None)
    figures = [figures_of(row, baseline, possible) for row in rows]
    show("cost and rates", cost_table(figures))
    show("errors and delays in ms", time_table(figures))
    for each in figures:
        if each.missing:
            say(f"{each.client}: {each.missing}")
    return {
        "load": {**asdict(_PACE), **_sizes(load)},
        "possible_tok_per_s": possible,
        "figures": [asdict(each) for each in figures],
    }


def own_ceiling(load: Load) -> list[dict[str, Any]]:
    """Find the event rate at which our client is exact no more."""
    load = replace(load, tokenizer=ensure_tokenizer())
    steps = list(ceiling(OWN, load, _PACE, say))
    show("tco with more and more streams", ceiling_table(steps))
    return [asdict(step) for step in steps]


def own_budgets() -> list[dict[str, Any]]:
    """Time the commands that have a budget, and a sweep of a million points."""
    timed, grid = [*budgets(), *page_answers(), drawn()], swept()
    show("commands", budget_table(timed))
    show("a million points", sweep_table(grid))
    return [*(asdict(each) for each in timed), asdict(grid)]


def engine(load: Load) -> dict[str, Any]:
    """Run tco and `vllm bench serve` on a real engine, where there is one."""
    say(f"\nreal vLLM: {load.requests} requests of {load.output_tokens}, {load.streams} at a time")
    try:
        runs = on_engine(load, 3, say)
    except (EngineError, FailedTrialError) as error:
        say(f"not measured: {error}")
        return {"missing": str(error)}
    show("on a real vLLM", engine_table(runs))
    return {"load": _sizes(load), "runs": [asdict(each) for each in runs]}


_shown: list[tuple[str, Table]] = []


def show(title: str, table: Table) -> None:
    """Print a table, and keep it for the Markdown."""
    _shown.append((title, table))
    say(f"\n{title}\n{as_text(table)}")


def say(text: str) -> None:
    """Print at once."""
    print(text, flush=True)


def _load(folder: Path, sizes: tuple[int, int, int]) -> Load:
    streams, requests, output_tokens = sizes
    return Load(
        url="", model="paced", streams=streams, requests=requests, input_tokens=256,
        output_tokens=output_tokens, seed=100, tokenizer=Path(), folder=folder / "run",
    )  # fmt: skip


def _sizes(load: Load) -> dict[str, int]:
    names = ("streams", "requests", "input_tokens", "output_tokens")
    return {name: getattr(load, name) for name in names}


if __name__ == "__main__":
    main()
