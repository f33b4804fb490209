"""`vllm bench serve` of the installed engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.client import Client, options_of
from benchmarks.load import Load, Reported, Stamps, read_json, spread_of
from benchmarks.peer_home import MissingPeerError
from tco.errors import EngineError
from tco.measure.engine_home import find_vllm
from tco.units import MS_PER_S, NS_PER_S


def _find() -> list[str]:
    try:
        return [str(find_vllm()), "bench", "serve"]
    except EngineError as error:
        raise MissingPeerError(str(error)) from error


def _arguments(load: Load) -> list[str]:
    options = {
        "backend": "openai",
        "base-url": load.url,
        "endpoint": "/v1/completions",
        "model": load.model,
        "tokenizer": load.tokenizer,
        "dataset-name": "random",
        "random-input-len": load.input_tokens,
        "random-output-len": load.output_tokens,
        "num-prompts": load.requests,
        "max-concurrency": load.streams,
        "seed": load.seed,
        "result-dir": load.folder,
        "result-filename": "vllm.json",
    }
    return [
        *options_of(options),
        "--ignore-eos",
        "--disable-tqdm",
        "--save-result",
        "--save-detailed",
    ]


def _read(load: Load) -> Reported:
    return reported(read_json(load.folder / "vllm.json"))


def reported(result: dict[str, Any]) -> Reported:
    """Return what a detailed result file says; its lists are in seconds."""
    gaps = [np.array(each, dtype=np.float64) for each in result["itls"]]
    steps = [
        np.concatenate([[first], each]) for first, each in zip(result["ttfts"], gaps, strict=True)
    ]
    times = [
        start + np.cumsum(each) for start, each in zip(result["start_times"], steps, strict=True)
    ]
    lengths = [len(each) for each in times]
    stamps = Stamps(
        np.repeat(np.arange(len(times), dtype=np.int64), lengths),
        np.asarray(np.concatenate(times) * NS_PER_S, dtype=np.int64),
    )
    return Reported(
        completed=result["completed"],
        output_tok_per_s=result["output_throughput"],
        ttft=spread_of(np.array(result["ttfts"]) * MS_PER_S),
        gaps=spread_of(np.concatenate(gaps) * MS_PER_S),
        stamps=stamps,
    )


CLIENT = Client("vllm bench serve", _find, _arguments, _read, mark="Starting main benchmark run")
