"""Which way an objective goes, how good a value is, and the latency of the front."""

import math

import pytest

from tco.tune.search.objective import Objective, front_latency


@pytest.mark.parametrize(
    ("field", "aim"),
    [
        ("usd_per_million_output", "minimise"),
        ("ttft_p95_ms", "minimise"),
        ("replicas", "minimise"),
        ("output_tok_per_s", "maximise"),
        ("goodput_share", "maximise"),
        ("saving", "maximise"),
        ("saving_usd_per_year", "maximise"),
    ],
)
def test_costs_latencies_and_counts_are_made_low_rates_and_savings_high(field, aim):
    assert Objective(field).aim == aim


@pytest.mark.parametrize(
    ("field", "better", "worse", "ratio"),
    [
        ("usd_per_million_output", 2.0, 3.0, 1.5),
        ("output_tok_per_s", 300.0, 100.0, 3.0),
        ("saving", 0.5, 0.0, 2.0),  # half is left to pay
        ("saving", 0.0, -1.0, 2.0),
    ],
)
def test_a_ratio_of_goodness_is_one_of_costs_or_rates(field, better, worse, ratio):
    goodness = Objective(field).goodness
    assert goodness(better) / goodness(worse) == pytest.approx(ratio)


@pytest.mark.parametrize(
    ("field", "value"),
    [("ttft_p95_ms", 0.0), ("output_tok_per_s", -1.0), ("saving", 1.0), ("ttft_p95_ms", math.inf)],
)
def test_a_value_without_a_ratio_is_no_good(field, value):
    assert Objective(field).goodness(value) is None


def test_the_front_takes_the_first_latency_of_the_service_level():
    assert front_latency({"tpot_p99_ms": 50, "ttft_p95_ms": 900}) == "tpot_p99_ms"
    assert front_latency({}) == "ttft_p95_ms"
