"""The service level in words."""

import pytest

from tco.measurement import SloTerm
from tco.report.service import limit_words, limits_words, ms_words, quantile_name


@pytest.mark.parametrize(
    ("limit_ms", "words"),
    [(50, "50 ms"), (12.5, "12.5 ms"), (2000, "2 s"), (1500, "1.5 s"), (999, "999 ms")],
)
def test_a_limit_is_said_in_the_unit_one_would_use(limit_ms, words):
    assert limit_words(limit_ms).replace("\u00a0", " ") == words


def test_a_latency_that_was_seen_has_three_digits():
    said = [ms_words(ms).replace("\u00a0", " ") for ms in (77.84, 1240.4, 0.0512)]
    assert said == ["77.8 ms", "1,240 ms", "0.0512 ms"]


def test_every_limit_is_named():
    terms = [
        SloTerm(latency=name, quantile=quantile, limit_ms=100, seen_ms=None, holds=None)
        for name, quantile in (("itl", 0.99), ("e2e", 0.5))
    ]
    assert limits_words(terms).replace("\u00a0", " ") == "ITL p99 ≤ 100 ms, e2e p50 ≤ 100 ms"
    assert quantile_name("ttft", 0.95) == "TTFT p95"
