"""AIPerf."""

from __future__ import annotations

from typing import Any

from benchmarks.client import Client, options_of
from benchmarks.load import Load, Reported, Spread, read_json
from benchmarks.peer_home import Peer, finder

PEER = Peer("aiperf", "0.13.0", "aiperf", python="python3.12")


def _arguments(load: Load) -> list[str]:
    options = {
        "model": load.model,
        "url": load.url,
        "endpoint-type": "completions",
        "concurrency": load.streams,
        "request-count": load.requests,
        "osl": load.output_tokens,
        "isl": load.input_tokens,
        "tokenizer": load.tokenizer,
        "ui": "simple",
        "output-artifact-dir": load.folder / "aiperf",
        "extra-inputs": "ignore_eos:true",
    }
    return ["profile", "--streaming", *options_of(options)]


def _read(load: Load) -> Reported:
    return reported(read_json(load.folder / "aiperf" / "profile_export_aiperf.json"))


def reported(result: dict[str, Any]) -> Reported:
    """Return what its summary says: times in ms, gaps as inter-chunk latency."""
    ttft, gaps = result["time_to_first_token"], result["inter_chunk_latency"]
    return Reported(
        completed=int(result["request_count"]["avg"]),
        output_tok_per_s=result["output_token_throughput"]["avg"],
        ttft=Spread(ttft["p50"], ttft["p99"], ttft["max"]),
        gaps=Spread(gaps["p50"], gaps["p99"], gaps["max"]),
    )


def _find() -> list[str]:
    # Told to stay offline it takes a tokenizer's folder for the name of a repository.
    online = ["env", "-u", "HF_HUB_OFFLINE", "-u", "TRANSFORMERS_OFFLINE"]
    return [*online, *finder(PEER)()]


CLIENT = Client("aiperf", _find, _arguments, _read)
