"""GuideLLM."""

from __future__ import annotations

from typing import Any

from benchmarks.client import Client, options_of
from benchmarks.load import NOTHING, Load, Reported, Spread, read_json
from benchmarks.peer_home import Peer, finder

PEER = Peer("guidellm", "0.8.1", "guidellm", needs_torch=True)


def _arguments(load: Load) -> list[str]:
    options = {
        "backend": f"kind=openai_http,target={load.url},model={load.model},"
        "request_format=/v1/completions",
        "profile": f"kind=concurrent,streams={load.streams}",
        "constraint": f"kind=max_requests,count={load.requests}",
        "tokenizer": f"kind=hf_auto,model={load.tokenizer}",
        "data": f"kind=synthetic_text,prompt_tokens={load.input_tokens},"
        f"output_tokens={load.output_tokens}",
        "output": f"kind=json,path={load.folder / 'guidellm.json'}",
    }
    return ["run", *options_of(options), "--disable-console-interactive"]


def _read(load: Load) -> Reported:
    return reported(read_json(load.folder / "guidellm.json"))


def reported(result: dict[str, Any]) -> Reported:
    """Return what its result says; it keeps no gaps (its ITL is a mean of each request)."""
    metrics = result["benchmarks"][0]["metrics"]
    ttft = metrics["time_to_first_token_ms"]["successful"]
    return Reported(
        completed=metrics["request_totals"]["successful"],
        output_tok_per_s=metrics["output_tokens_per_second"]["successful"]["mean"],
        ttft=Spread(ttft["percentiles"]["p50"], ttft["percentiles"]["p99"], ttft["max"]),
        gaps=NOTHING,
    )


CLIENT = Client("guidellm", finder(PEER), _arguments, _read)
