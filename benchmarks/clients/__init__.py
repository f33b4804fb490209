"""The clients that are set side by side."""

from __future__ import annotations

from benchmarks.clients import aiperf, guidellm, inference_perf, own, vllm

OWN, VLLM = own.CLIENT, vllm.CLIENT
CLIENTS = (OWN, VLLM, aiperf.CLIENT, guidellm.CLIENT, inference_perf.CLIENT)
