"""What a server's /metrics says of itself: counters and gauges, absent ones as None."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prometheus_client.parser import text_string_to_metric_families

from tco.measurement import ServerLoad
from tco.units import NS_PER_S

# Field of a sample → the metric's name; engines of one server are summed.
_NAMES: Final = {
    "output_tokens": "vllm:generation_tokens_total",
    "input_tokens": "vllm:prompt_tokens_total",
    "cached_tokens": "vllm:prompt_tokens_cached_total",
    "cache_queries": "vllm:prefix_cache_queries_total",
    "cache_hits": "vllm:prefix_cache_hits_total",
    "preemptions": "vllm:num_preemptions_total",
    "running": "vllm:num_requests_running",
    "waiting": "vllm:num_requests_waiting",
    "kv_cache_usage": "vllm:kv_cache_usage_perc",
}


@dataclass(frozen=True, slots=True)
class MetricsSample:
    """One reading of /metrics; `kv_cache_usage` is a share, the rest are counts."""

    time_ns: int
    output_tokens: float | None = None
    input_tokens: float | None = None
    cached_tokens: float | None = None
    cache_queries: float | None = None
    cache_hits: float | None = None
    preemptions: float | None = None
    running: float | None = None
    waiting: float | None = None
    kv_cache_usage: float | None = None

    @property
    def is_idle(self) -> bool:
        """Say whether the server reports nothing running and nothing waiting."""
        return not self.running and not self.waiting


def parse_metrics(text: str, time_ns: int) -> MetricsSample:
    """Read the metrics we know from a page; a page without them gives Nones."""
    wanted = set(_NAMES.values())
    lines = [line for line in text.splitlines() if line.partition("{")[0].split(" ")[0] in wanted]
    totals: dict[str, float] = {}
    peak: dict[str, float] = {}
    try:
        for family in text_string_to_metric_families("\n".join(lines) + "\n"):
            for sample in family.samples:
                totals[sample.name] = totals.get(sample.name, 0.0) + sample.value
                peak[sample.name] = max(peak.get(sample.name, 0.0), sample.value)
    except ValueError:
        return MetricsSample(time_ns)
    usage = _NAMES["kv_cache_usage"]
    if usage in peak:
        totals[usage] = peak[usage]
    return MetricsSample(time_ns, **{field: totals.get(name) for field, name in _NAMES.items()})


def growth(before: MetricsSample, after: MetricsSample, field: str) -> int | None:
    """Return how far a counter grew; None if it is absent or was reset."""
    first, last = getattr(before, field), getattr(after, field)
    if first is None or last is None or last < first:
        return None
    return round(float(last - first))


def server_load(samples: Sequence[MetricsSample], start_ns: int, stop_ns: int) -> ServerLoad | None:
    """Return the server's own account of the window; None without a sample in it."""
    inside = [sample for sample in samples if start_ns <= sample.time_ns <= stop_ns]
    inside = [sample for sample in inside if sample.running is not None or sample.output_tokens]
    if not inside:
        return None
    first, last = inside[0], inside[-1]
    length_s = (last.time_ns - first.time_ns) / NS_PER_S
    tokens, hits = growth(first, last, "output_tokens"), growth(first, last, "cache_hits")
    queries = growth(first, last, "cache_queries")
    usages = [s.kv_cache_usage for s in inside if s.kv_cache_usage is not None]
    return ServerLoad(
        samples=len(inside),
        running_mean=_mean([s.running for s in inside]),
        waiting_mean=_mean([s.waiting for s in inside]),
        kv_cache_usage_max=max(usages, default=None),
        preemptions=growth(first, last, "preemptions"),
        prefix_cache_hit_share=hits / queries if queries and hits is not None else None,
        output_tok_per_s=tokens / length_s if tokens is not None and length_s > 0 else None,
    )


def _mean(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
