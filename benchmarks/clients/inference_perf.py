"""inference-perf."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.client import Client
from benchmarks.load import Load, Reported, Spread, read_json
from benchmarks.peer_home import Peer, finder
from tco.units import MS_PER_S

PEER = Peer("inference-perf", "0.7.0", "inference-perf", python="python3.12")


def _arguments(load: Load) -> list[str]:
    def lengths(tokens: int) -> dict[str, int]:
        spread = {"min": tokens, "max": tokens, "mean": tokens, "std_dev": 0}
        return {**spread, "total_count": load.requests}

    stage = {"num_requests": load.requests, "concurrency_level": load.streams}
    config = {
        "api": {"type": "completion", "streaming": True},
        "data": {
            "type": "random",
            "input_distribution": lengths(load.input_tokens),
            "output_distribution": lengths(load.output_tokens),
        },
        "load": {
            "type": "concurrent",
            "stages": [stage],
            "num_workers": 2,
            "worker_max_concurrency": 2 * load.streams,
        },
        "server": {
            "type": "vllm",
            "model_name": load.model,
            "base_url": load.url,
            "ignore_eos": True,
        },
        "tokenizer": {"pretrained_model_name_or_path": str(load.tokenizer)},
        "report": {"request_lifecycle": {"summary": True}},
        "storage": {"local_storage": {"path": str(load.folder / "inference_perf")}},
    }
    path = load.folder / "inference_perf.yml"
    path.write_text(json.dumps(config), encoding="utf-8")  # JSON is YAML
    return ["-c", str(path), "--log-level", "WARNING"]


def _read(load: Load) -> Reported:
    (path,) = (load.folder / "inference_perf").glob("**/summary_lifecycle_metrics.json")
    return reported(read_json(path))


def reported(result: dict[str, Any]) -> Reported:
    """Return what its summary says; its times are in seconds."""

    def spread(quantiles: dict[str, float]) -> Spread:
        return Spread(*(quantiles[name] * MS_PER_S for name in ("median", "p99", "max")))

    good = result["successes"]
    return Reported(
        completed=good["count"],
        output_tok_per_s=good["throughput"]["output_tokens_per_sec"],
        ttft=spread(good["latency"]["time_to_first_token"]),
        gaps=spread(good["latency"]["inter_token_latency"]),
    )


CLIENT = Client("inference-perf", finder(PEER), _arguments, _read)
