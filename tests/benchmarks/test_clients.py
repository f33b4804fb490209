"""How the result files of other clients are read: files the clients themselves wrote."""

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.clients import aiperf, guidellm, inference_perf, vllm

FILES = Path(__file__).parents[1] / "data" / "imports"


def result(name):
    return json.loads((FILES / name).read_text())


def test_vllm_gives_times_of_every_event_on_the_machines_clock():
    tree = result("vllm_bench_serve.json")
    seen = vllm.reported(tree)
    assert seen.output_tok_per_s == tree["output_throughput"]
    first = tree["start_times"][0] + tree["ttfts"][0]
    assert seen.stamps.event_ns[0] == pytest.approx(first * 1e9)
    events = sum(len(gaps) + 1 for gaps in tree["itls"])
    assert len(seen.stamps.event_ns) == len(seen.stamps.event_request) == events
    assert seen.gaps.max_ms == pytest.approx(np.max(np.concatenate(tree["itls"])) * 1000)


def test_guidellm_has_no_gaps_to_compare():
    seen = guidellm.reported(result("guidellm.json"))
    assert seen.completed == 16
    assert seen.gaps.p50_ms is None
    assert 90 < seen.ttft.p50_ms < 200


def test_aiperf_keeps_gaps_as_inter_chunk_latency():
    seen = aiperf.reported(result("aiperf_profile_export.json"))
    assert seen.completed == 16
    assert seen.gaps.max_ms == pytest.approx(20.923158)
    assert seen.ttft.p50_ms == pytest.approx(114.169548)


def test_inference_perf_is_in_seconds():
    seen = inference_perf.reported(result("inference_perf_summary.json"))
    assert seen.completed == 16
    assert seen.ttft.p50_ms == pytest.approx(101.22292749997541)
    assert seen.gaps.max_ms == pytest.approx(13.068083)
