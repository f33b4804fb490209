"""The capacity in words."""

import pytest

from tco.comparison import Capacity, Interval
from tco.measurement import ImportedFrom
from tco.report.capacity import capacity_words, interval_words, origin_words, rule_words
from tco.report.headline import in_ascii

RATES = {
    "requests_per_s": 1.0,
    "input_tok_per_s": 512.0,
    "output_tok_per_s": 512.0,
    "total_tok_per_s": 1024.0,
}
TERM = {"latency": "ttft", "quantile": 0.95, "limit_ms": 2000, "seen_ms": 77.84, "holds": True}


def capacity(**changes):
    return Capacity(**RATES | {"origin": "measured", "interval": None} | changes)


@pytest.mark.parametrize(
    ("rule", "streams", "words"),
    [
        ("stated_concurrency", 16, "the closed loop that the scenario states, 16 streams"),
        ("closed_loop", 1, "the best closed loop, 1 stream"),
        ("open_loop", None, "the rate of an open loop"),
        ("service_level", None, "the highest open-loop rate that kept the service level"),
        ("lowest_load", None, "the lowest load tried, as none is known to keep"),
        ("closed_loop", None, "the best closed loop, streams not stated"),
    ],
)
def test_each_rule_has_its_words(rule, streams, words):
    assert rule_words(capacity(rule=rule, streams=streams)).startswith(words)


@pytest.mark.parametrize("rule", ["imported", "published", None])
def test_a_rate_that_others_found_has_no_rule_of_ours(rule):
    assert rule_words(capacity(rule=rule)) == ""


def test_an_interval_says_what_it_covers_and_a_bracket_has_no_level():
    within = Interval(low=11700, high=11980, level=0.95, covers="within one run")
    assert in_ascii(interval_words(within)) == "11,700 to 11,980 (95 %, within one run)"
    bracket = Interval(low=11700, high=11980, level=None, covers="bracket of the search")
    assert interval_words(bracket) == "11,700 to 11,980 (bracket of the search)"
    assert interval_words(None) == "no interval"


def test_the_line_has_rate_rule_origin_and_verdict(make_comparison, measurement):
    verdict = {"holds": True, "seen_at": "target", "terms": [TERM]}
    said = in_ascii(capacity_words(make_comparison(service=verdict), measurement))
    assert said.startswith("Capacity of one replica: 11,840 output tokens a second, no interval")
    assert "measured by tco" in said
    assert (
        "Service level TTFT p95 <= 2 s, kept: yes (TTFT p95 77.8 ms at the load to verify)." in said
    )


def test_no_service_level_and_no_latency_are_said(make_comparison, measurement):
    assert "No service level is set." in capacity_words(make_comparison(), measurement)
    verdict = {"holds": None, "seen_at": None, "terms": [TERM | {"seen_ms": None, "holds": None}]}
    said = capacity_words(make_comparison(service=verdict), measurement)
    assert "kept: not shown (the rate comes without latencies)." in said


def test_a_rate_of_another_tool_names_it_and_no_name_acts(make_measurement):
    source = ImportedFrom(
        tool="guide\x1bllm", tool_version=None, file_name="r.json", file_sha256="0" * 64, lacks=()
    )
    found = origin_words(make_measurement(origin="imported", imported=source))
    assert found == "imported from guide\\x1bllm (version not stated)"
