"""tco's own client, in a process of its own like all others."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import numpy as np

from benchmarks.client import Client
from benchmarks.load import Load, Reported, Stamps, read_json, spread_of
from tco.units import MS_PER_S, NS_PER_S


def _arguments(load: Load) -> list[str]:
    return [
        json.dumps({key: str(v) if isinstance(v, Path) else v for key, v in asdict(load).items()})
    ]


def _read(load: Load) -> Reported:
    result = read_json(load.folder / "own.json")
    with np.load(load.folder / "own.npz") as arrays:
        stamps = Stamps(arrays["event_request"], arrays["event_ns"])
        intended_ns = arrays["intended_ns"]
    rows, first = np.unique(stamps.event_request, return_index=True)
    is_same = stamps.event_request[1:] == stamps.event_request[:-1]
    ttft_ns = stamps.event_ns[first] - intended_ns[rows]
    return Reported(
        completed=result["completed"],
        output_tok_per_s=result["output_tok_per_s"],
        ttft=spread_of(ttft_ns * MS_PER_S / NS_PER_S),
        gaps=spread_of(np.diff(stamps.event_ns)[is_same] * MS_PER_S / NS_PER_S),
        stamps=stamps,
    )


def _find() -> list[str]:
    root = Path(__file__).parents[2]
    return ["env", f"PYTHONPATH={root}", sys.executable, "-m", "benchmarks.own_client"]


CLIENT = Client("tco", _find, _arguments, _read, mark="sending")
