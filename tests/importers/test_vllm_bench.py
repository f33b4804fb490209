"""`vllm bench serve`: our figures are its own summary's, and what would mislead is left out."""

import json
from pathlib import Path

import pytest

from tco.errors import InputError
from tco.quantiles import needed

FILES = Path(__file__).resolve().parents[1] / "data" / "imports"
SUMMARY_NAMES = {"ttft": "ttft", "tpot": "tpot", "itl": "itl", "e2e": "e2el"}
CUT = "vllm_bench_serve.json"
DETAILED = "vllm_bench_serve_detailed.json"
PLAIN = "vllm_bench_serve_plain.json"
OPEN = "vllm_bench_serve_open.json"


def summary_of(name):
    return json.loads((FILES / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [CUT, DETAILED, PLAIN, OPEN])
def test_rates_are_those_of_its_own_summary(imported, name):
    theirs, point = summary_of(name), imported(name).points[0]
    assert point.rates.output_tok_per_s == pytest.approx(theirs["output_throughput"])
    assert point.rates.requests_per_s == pytest.approx(theirs["request_throughput"])
    assert point.rates.total_tok_per_s == pytest.approx(theirs["total_token_throughput"])
    assert point.requests_in_window == theirs["completed"]


@pytest.mark.parametrize("latency", SUMMARY_NAMES)
def test_from_the_lists_come_the_figures_of_its_own_summary(imported, latency):
    theirs = summary_of(DETAILED)
    ours = getattr(imported(DETAILED).points[0].latency, latency)
    name = SUMMARY_NAMES[latency]
    assert ours.mean_ms == pytest.approx(theirs[f"mean_{name}_ms"])
    for percent in (50, 90, 95, 99):
        seen = getattr(ours, f"p{percent}_ms")
        if ours.count >= needed(percent / 100):
            assert seen == pytest.approx(theirs[f"p{percent}_{name}_ms"])
        else:
            assert seen is None


def test_a_plain_file_gives_the_latencies_it_states(imported):
    theirs, latency = summary_of(PLAIN), imported(PLAIN).points[0].latency
    assert latency.ttft.p50_ms == theirs["median_ttft_ms"]
    assert latency.ttft.p99_ms is None  # 240 requests carry no p99
    assert latency.ttft.max_ms is None  # no maximum is stated
    assert latency.tpot.mean_ms == theirs["mean_tpot_ms"]
    assert latency.itl.p99_ms == theirs["p99_itl_ms"]  # thousands of gaps do
    assert latency.e2e.count == 240  # from its list of latencies


def test_the_number_of_gaps_follows_from_their_mean_and_the_time_they_fill(imported):
    lists = summary_of(DETAILED)
    gaps = sum(len(request) for request in lists["itls"])
    assert imported(DETAILED).points[0].latency.itl.count == gaps
    # The issue's own file: 6,032 events of 48 requests, its lists cut.
    assert imported(CUT).points[0].latency.itl.count == 6032 - 48


def test_lists_that_are_cut_are_not_taken_for_the_run(imported, kinds):
    found = imported(CUT)
    assert found.points[0].latency.ttft.count == 48
    assert kinds(found)["not_imported"] == "info"


def test_streams_asked_and_running_are_told(imported):
    point = imported(DETAILED).points[0]
    assert (point.loop, point.concurrency_asked) == ("closed", 16)
    assert 14 < point.concurrency_delivered <= 16
    assert point.offered_requests_per_s is None  # the text "inf"


def test_a_request_rate_is_an_open_loop_and_no_capacity(imported, kinds):
    found = imported(OPEN)
    assert (found.points[0].loop, found.points[0].offered_requests_per_s) == ("open", 20)
    assert found.capacity_point is None
    assert kinds(found)["no_capacity"] == "warn"
    assert kinds(found)["load_not_as_asked"] == "warn"


def test_a_run_of_failures_only_has_no_rate(imported):
    with pytest.raises(InputError, match="no request was completed") as caught:
        imported("vllm_bench_serve_failed.json")
    assert caught.value.key == "completed"


def test_failed_requests_are_counted_and_make_it_invalid(changed, kinds):
    found = changed(PLAIN, failed=10)
    assert (found.points[0].failures.count, found.points[0].requests_sent) == (10, 250)
    assert kinds(found)["failures"] == "invalid"
    # One latency a request sent would be among the failures' zeros.
    assert found.points[0].latency.e2e is None


def test_an_older_file_without_a_count_of_failures_has_those_it_did_not_complete(changed):
    assert changed(PLAIN, failed=None, num_prompts=243).points[0].failures.count == 3


def test_an_empty_answer_is_a_failure(changed):
    lists = summary_of(DETAILED)
    found = changed(DETAILED, output_lens=[0, *lists["output_lens"][1:]])
    assert found.points[0].failures.by_kind == {"empty": 1}
    assert found.points[0].latency.ttft.count == 119


def test_several_runs_in_a_file_are_points_and_the_best_is_the_capacity(tmp_path, kinds):
    import datetime as dt

    from tco.importers.import_result import import_result

    slow, fast = summary_of(PLAIN), summary_of(DETAILED)
    path = tmp_path / "appended.json"
    path.write_text(f"{json.dumps(slow)}\n{json.dumps(fast)}\n", encoding="utf-8")
    found = import_result(path, created_at=dt.datetime.now(dt.UTC))
    assert (len(found.points), found.capacity_point) == (2, 1)
    assert kinds(found)["several_runs"] == "info"


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"output_throughput": 1.42}, "output_throughput"),  # thousands
        ({"mean_ttft_ms": 0.14}, "mean_ttft_ms"),  # seconds
        ({"duration": "2.7"}, "duration"),
        ({"duration": 0}, "duration"),
        ({"completed": 119.5}, "completed"),
        ({"total_output_tokens": None}, None),
        ({"ttfts__3": "fast"}, "ttfts.3"),
        ({"itls__3__1": -1.0}, "itls.3.1"),
    ],
)
def test_a_figure_that_cannot_be_is_refused_with_its_key(changed, changes, key):
    with pytest.raises(InputError) as caught:
        changed(DETAILED, **changes)
    assert caught.value.key == key
    assert caught.value.file


def test_latencies_that_need_more_streams_than_there_were_are_refused(changed):
    with pytest.raises(InputError, match="at most 2 did"):
        changed(DETAILED, max_concurrency=2)
