"""Each finding appears when its limit is passed, and only then."""

import pytest

from tco.measure import client_findings as client_look
from tco.measure import findings as look
from tco.measure.steady import Steadiness
from tco.measurement import (
    ClientHealth,
    Failures,
    Interval,
    MeasuredShape,
    ServerLoad,
    TokenCounts,
)


def steady(**given):
    whole = {"interval": Interval(low=1, high=2), "batches": 10, "drift_share": 0, "drifts": False}
    return Steadiness(**{**whole, **given})


def client(lag=0.1, share=0.1, stamp_lag=0.1, **waits):
    return ClientHealth(
        send_lag_p50_ms=lag, send_lag_p99_ms=lag, stamp_lag_p99_ms=stamp_lag,
        cpu_s=1, cpu_share=share, events=1, round_trip_ms=1, **waits,
    )  # fmt: skip


def server(running=10.0, waiting=0.0):
    return ServerLoad(
        samples=3, running_mean=running, waiting_mean=waiting, kv_cache_usage_max=None,
        preemptions=None, prefix_cache_hit_share=None, output_tok_per_s=None,
    )  # fmt: skip


def shape(inputs=100.0, outputs=100.0):
    return MeasuredShape(input_tokens=inputs, cached_input_share=0, output_tokens=outputs)


def counts(**given):
    whole = dict.fromkeys(
        ("client_output", "usage_output", "metrics_output",
         "client_input", "usage_input", "metrics_input"), 1000,
    )  # fmt: skip
    return TokenCounts(**{**whole, "cached_input": None, **given})


def failures(count, share):
    return Failures(count=count, share=share, by_kind={"http_503": count} if count else {})


@pytest.mark.parametrize(
    ("finding", "kind", "severity"),
    [
        (look.not_steady(steady(drifts=True, drift_share=0.2), warmed_up=True),
         "not_steady", "invalid"),
        (look.not_steady(steady(), warmed_up=False), "not_steady", "invalid"),
        (look.not_steady(steady(interval=None), warmed_up=False), "not_steady", "invalid"),
        (look.not_steady(steady(interval=Interval(low=10, high=11)), warmed_up=False),
         "not_steady", "warn"),
        (look.few_batches(steady(interval=None, batches=4)), "no_interval", "info"),
        (look.too_few_requests(99), "too_few_requests", "warn"),
        (look.too_few_requests(0), "too_few_requests", "invalid"),
        (look.stalled(2.1, 2.0), "stalled", "warn"),
        (client_look.client_late(client(lag=11)), "client_late", "warn"),
        (client_look.client_late(client(stamp_lag=11)), "client_late", "warn"),
        (client_look.client_starved(client(share=0.8)), "client_starved", "warn"),
        (client_look.client_starved(client(share=0.95)), "client_starved", "invalid"),
        (client_look.cpu_throttled(client(cpu_throttled_share=0.001)), "cpu_throttled", "warn"),
        (client_look.cpu_throttled(client(cpu_throttled_share=0.02)), "cpu_throttled", "invalid"),
        (client_look.cpu_stolen(client(cpu_stolen_share=0.03)), "cpu_stolen", "warn"),
        (client_look.cpu_busy(client(cpu_wait_share=0.2)), "cpu_busy", "warn"),
        (look.failed_requests(failures(1, 0.001)), "failures", "warn"),
        (look.failed_requests(failures(9, 0.02)), "failures", "invalid"),
        (look.lengths_not_as_asked(shape(), shape(outputs=98)), "lengths_not_as_asked", "invalid"),
        (look.lengths_not_as_asked(shape(), shape(inputs=102)), "lengths_not_as_asked", "invalid"),
        (look.fewer_streams(256, 100, None), "fewer_streams_than_asked", "invalid"),
        (look.fewer_streams(100, 95, None), "fewer_streams_than_asked", "warn"),
        (look.fewer_streams(256, 256, server(128, 128)), "fewer_streams_than_asked", "warn"),
        (look.cache_share(0.0, 0.05), "cache_share_not_as_asked", "warn"),
        (look.cache_share(0.9, 0.0), "cache_share_not_as_asked", "invalid"),
        (look.counts_differ(counts(metrics_output=900)), "counts_differ", "invalid"),
        (look.counts_differ(counts(client_output=9999, metrics_output=9998, usage_output=None)),
         "counts_differ", "warn"),
    ],
)  # fmt: skip
def test_past_its_limit_a_finding_has_kind_number_and_limit(finding, kind, severity):
    assert (finding.kind, finding.severity) == (kind, severity)
    assert finding.value is not None
    assert finding.limit is not None


def test_a_cached_share_that_the_server_does_not_report_is_said():
    finding = look.cache_share(0.9, None)
    assert (finding.kind, finding.severity) == ("cache_share_unseen", "warn")
    assert (finding.value, finding.limit) == (None, 0.9)


@pytest.mark.parametrize(
    "finding",
    [
        look.not_steady(steady(), warmed_up=True),
        look.few_batches(steady()),
        look.stalled(1.0, 1.0),
        look.too_few_requests(100),
        client_look.client_late(client()),
        client_look.client_starved(client()),
        client_look.cpu_throttled(client()),
        client_look.cpu_throttled(client(cpu_throttled_share=0.0)),
        client_look.cpu_stolen(client()),
        client_look.cpu_busy(client()),
        client_look.cpu_busy(client(cpu_wait_share=0.05)),
        client_look.cpu_stolen(client(cpu_stolen_share=0.01)),
        look.failed_requests(failures(0, 0.0)),
        look.lengths_not_as_asked(shape(), shape(outputs=100.5)),
        look.fewer_streams(100, 99, server(99, 1)),
        look.fewer_streams(100, 100, None),
        look.cache_share(0.5, 0.51),
        look.cache_share(0.0, None),
        look.counts_differ(counts()),
        look.counts_differ(counts(usage_output=None, metrics_input=None)),
    ],
)
def test_within_its_limit_there_is_none(finding):
    assert finding is None
