"""inference-perf: seconds everywhere, three latencies a token, failures apart."""

import json
from pathlib import Path

import pytest

from tco.errors import InputError

FILE = "inference_perf_summary.json"
TREE = json.loads(
    (Path(__file__).resolve().parents[1] / "data" / "imports" / FILE).read_text(encoding="utf-8")
)
GOOD = TREE["successes"]


def test_rates_are_its_own(imported):
    point = imported(FILE).points[0]
    theirs = GOOD["throughput"]
    assert point.rates.output_tok_per_s == pytest.approx(theirs["output_tokens_per_sec"])
    assert point.rates.total_tok_per_s == pytest.approx(theirs["total_tokens_per_sec"])
    assert point.rates.requests_per_s == pytest.approx(theirs["requests_per_sec"])


def test_seconds_become_ms_and_the_normalised_latency_is_not_tpot(imported):
    latency = imported(FILE).points[0].latency
    assert latency.tpot.mean_ms == GOOD["latency"]["time_per_output_token"]["mean"] * 1000
    assert latency.e2e.max_ms == GOOD["latency"]["request_latency"]["max"] * 1000
    assert latency.itl.count == 240
    assert latency.ttft.p95_ms is None  # of 16 requests


def test_gaps_of_zero_between_tokens_of_one_event_are_left_out(changed, kinds):
    found = changed(FILE, successes__latency__inter_token_latency__min=0.0)
    assert found.points[0].latency.itl is None
    assert kinds(found)["not_imported"] == "info"


def test_answers_of_one_token_leave_the_number_of_ttfts_unknown(changed):
    latency = changed(FILE, successes__output_tokens__min=1.0).points[0].latency
    assert latency.ttft is None
    assert latency.e2e.count == 16


def test_what_the_summary_does_not_say_of_the_load_is_said(imported, kinds):
    assert kinds(imported(FILE))["load_unknown"] == "warn"


@pytest.mark.parametrize(
    ("stage", "loop", "asked", "offered"),
    [
        ({"requested_rate": 20.0}, "open", None, 20),
        ({"requested_rate": 20.0, "concurrency": 8}, "closed", 8, None),
    ],
)
def test_the_file_of_a_stage_tells_its_load(changed, stage, loop, asked, offered):
    point = changed(FILE, load_summary=TREE["load_summary"] | stage).points[0]
    assert (point.loop, point.concurrency_asked, point.offered_requests_per_s) == (
        loop,
        asked,
        offered,
    )


def test_failures_are_counted_by_label(changed, kinds):
    failures = {"count": 3, "by_label": {"timeout": {"count": 2, "messages": []}}}
    found = changed(FILE, failures=failures)
    assert found.points[0].failures.by_kind == {"timeout": 2, "not said": 1}
    assert kinds(found)["failures"] == "invalid"


def test_a_late_client_is_said(changed, kinds):
    load = TREE["load_summary"] | {"requested_rate": 20.0}
    assert "client_late" not in kinds(changed(FILE, load_summary=load))
    late = load | {"schedule_delay": {"mean": 0.02}}
    assert kinds(changed(FILE, load_summary=late))["client_late"] == "warn"
    # With a fixed concurrency that delay is the wait for a stream.
    assert "client_late" not in kinds(changed(FILE, load_summary=late | {"concurrency": 4}))


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"successes__count": 0}, "successes.count"),
        ({"benchmark_time_seconds": 1152.07}, "successes.throughput.requests_per_sec"),
        (
            {"successes__latency__request_latency__mean": 179.7},
            "successes.latency.request_latency.mean",
        ),
        ({"successes__throughput": None}, "successes"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_with_its_key(changed, changes, key):
    with pytest.raises(InputError) as caught:
        changed(FILE, **changes)
    assert caught.value.key == key


ERRORS = "inference_perf_stage_errors.json"


def test_where_its_tokenizer_miscounts_the_servers_count_is_used_and_tpot_left_out(imported, kinds):
    found = imported(ERRORS)
    point = found.points[0]
    assert (point.tokens.client_output, point.tokens.usage_output) == (44, 352)
    assert found.shape.output_tokens == 8
    assert point.latency.tpot is None
    assert point.latency.itl.mean_ms == pytest.approx(10, rel=0.1)  # the paced server's gap
    assert {"counts_differ", "not_imported"} <= kinds(found).keys()


def test_real_failures_have_the_tools_labels(imported, kinds):
    found = imported(ERRORS)
    assert found.points[0].failures.by_kind == {
        "503 - Service Unavailable": 2,
        "clientpayloaderror": 2,
    }
    assert found.points[0].requests_sent == 48
    assert kinds(found)["failures"] == "invalid"


def test_usage_of_only_some_requests_is_no_count_of_all(changed):
    mixed = {"prompt": 0, "output": 3}
    found = changed(ERRORS, successes__client_fallback_requests=mixed)
    assert found.points[0].tokens.usage_output is None
    assert found.shape.output_tokens == 1
