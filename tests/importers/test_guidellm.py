"""GuideLLM: its e2e ÷ tokens is never TPOT; several benchmarks are several points."""

import copy
import json
from pathlib import Path

import pytest

from tco.errors import InputError

FILE = "guidellm.json"
FOLDER = Path(__file__).resolve().parents[1] / "data" / "imports"
TREE = json.loads((FOLDER / FILE).read_text(encoding="utf-8"))
METRICS = TREE["benchmarks"][0]["metrics"]


def test_rates_and_lengths_are_its_own(imported):
    point = imported(FILE).points[0]
    assert point.rates.output_tok_per_s == METRICS["output_tokens_per_second"]["successful"]["mean"]
    assert point.rates.requests_per_s == pytest.approx(
        METRICS["requests_per_second"]["successful"]["mean"]
    )
    assert imported(FILE).shape.input_tokens == 6211 / 16
    assert point.concurrency_asked == 8
    assert point.concurrency_delivered == pytest.approx(
        METRICS["request_concurrency"]["successful"]["mean"], rel=1e-3
    )
    assert point.seed == 42


def test_no_gap_between_tokens_is_made_up(imported):
    found = imported(FILE)
    assert found.points[0].latency.itl is None
    assert any("ITL" in each for each in found.imported.lacks)


def test_tpot_of_answers_of_one_length_is_the_token_weighted_one(imported):
    tpot = imported(FILE).points[0].latency.tpot
    assert tpot.mean_ms == METRICS["inter_token_latency_ms"]["successful"]["mean"]
    assert tpot.count == 16
    assert tpot.p90_ms is None  # 240 weights, but 16 requests


def test_tpot_weighed_by_tokens_is_left_out_where_lengths_differ(changed):
    key = "benchmarks__0__metrics__output_token_count__successful__max"
    found = changed(FILE, **{key: 20.0})
    assert found.points[0].latency.tpot is None
    left_out = next(f for f in found.all_findings() if f.kind == "not_imported")
    assert "inter_token_latency_ms" in left_out.message
    assert "time_per_output_token_ms" in left_out.message


def test_tpot_comes_from_the_single_requests_where_all_are_there(changed):
    one = TREE["benchmarks"][0]["requests"]["successful"][0]
    requests = [copy.deepcopy(one) | {"inter_token_latency_ms": float(ms)} for ms in range(1, 17)]
    found = changed(FILE, benchmarks__0__requests__successful=requests)
    tpot = found.points[0].latency.tpot
    assert (tpot.count, tpot.mean_ms, tpot.max_ms) == (16, 8.5, 16)


def test_its_time_per_output_token_is_nowhere_in_the_measurement(imported):
    mean = METRICS["time_per_output_token_ms"]["successful"]["mean"]
    assert str(mean)[:8] not in imported(FILE).model_dump_json()


def test_its_own_warning_and_its_lag_reach_the_reader(imported, kinds):
    found = kinds(imported(FILE))
    assert found["tool_warning"] == "warn"
    assert found["client_late"] == "warn"


def with_runs(changed, *changes):
    runs = []
    for change in changes:
        run = copy.deepcopy(TREE["benchmarks"][0])
        change(run)
        runs.append(run)
    return changed(FILE, benchmarks=runs)


def open_loop(run):
    run["config"]["strategy"] = {"type_": "poisson", "rate": 30.0}


def slower(run):
    """The same tokens in twice the time."""
    times = run["scheduler_metrics"]
    longer_s = times["measure_end_time"] - times["measure_start_time"]
    times["measure_end_time"] += longer_s
    times["request_end_time"] += longer_s
    run["metrics"]["output_tokens_per_second"]["successful"]["mean"] /= 2


def as_it_is(run):
    del run["warnings"]


def test_of_several_runs_the_best_that_was_no_open_loop_is_the_capacity(changed):
    found = with_runs(changed, slower, as_it_is, open_loop)
    assert [point.loop for point in found.points] == ["closed", "closed", "open"]
    assert found.capacity_point == 1
    assert found.points[2].offered_requests_per_s == 30


def test_open_loops_only_have_no_capacity(changed, kinds):
    found = with_runs(changed, open_loop, open_loop)
    assert found.capacity_point is None
    assert kinds(found)["no_capacity"] == "warn"


def test_a_window_the_tool_cut_is_not_called_the_whole_run(changed, kinds):
    def cut(run):
        run["warmup_duration"] = 0.1
        run["scheduler_metrics"]["measure_start_time"] += 0.1

    found = with_runs(changed, cut)
    assert found.points[0].warm_up_s == pytest.approx(0.1)
    assert found.points[0].whole_run_rates is None
    assert "whole_run_rate" not in kinds(found)
    assert "a steady window" not in found.imported.lacks


def test_errored_and_unfinished_requests_are_counted(changed, kinds):
    def troubled(run):
        run["metrics"]["request_totals"] |= {"errored": 3, "incomplete": 2, "total": 21}

    found = with_runs(changed, troubled)
    assert (found.points[0].failures.count, found.points[0].requests_unfinished) == (3, 2)
    assert kinds(found)["failures"] == "invalid"


def test_a_run_of_errors_only_has_no_rate(changed):
    with pytest.raises(InputError, match="no request was completed") as caught:
        changed(FILE, benchmarks__0__metrics__request_totals__successful=0)
    assert caught.value.key == "benchmarks.0.metrics.request_totals.successful"


def test_seconds_and_milliseconds_mixed_up_are_refused(changed):
    with pytest.raises(InputError, match="longer than the whole run"):
        changed(FILE, benchmarks__0__metrics__request_latency__successful__mean=207.07)


def test_a_whole_file_gives_tpot_one_a_request(imported):
    """48 requests of 4 to 12 tokens on a server with gaps of 10 ms, every 12th answer cut."""
    found = imported("guidellm_errors.json")
    point = found.points[0]
    theirs = json.loads((FOLDER / "guidellm_errors.json").read_text(encoding="utf-8"))
    weighted = theirs["benchmarks"][0]["metrics"]["inter_token_latency_ms"]["successful"]["mean"]
    assert point.latency.tpot.count == 44
    assert point.latency.tpot.mean_ms == pytest.approx(10, rel=0.05)
    assert point.latency.tpot.mean_ms != pytest.approx(weighted, rel=1e-4)
    assert (point.requests_sent, point.failures.count) == (48, 4)
