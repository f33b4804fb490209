"""AIPerf: units stand beside each metric, and the server's own counts go first."""

import json
from pathlib import Path

import pytest

from tco.errors import InputError

FILE = "aiperf_profile_export.json"
REQUESTS = "aiperf_profile_export_3_requests.jsonl"
FOLDER = Path(__file__).resolve().parents[1] / "data" / "imports"
TREE = json.loads((FOLDER / FILE).read_text(encoding="utf-8"))


def test_rates_count_the_tokens_of_the_servers_usage(imported, kinds):
    found = imported(FILE)
    point = found.points[0]
    assert point.rates.output_tok_per_s == pytest.approx(TREE["output_token_throughput"]["avg"])
    assert found.shape.input_tokens == 3083 / 16  # AIPerf itself counted 256 each
    assert (point.tokens.client_input, point.tokens.usage_input) == (4096, 3083)
    assert point.model_dump()["token_count_source"].startswith("usage")
    assert kinds(found)["counts_differ"] == "warn"


def test_its_inter_token_latency_is_tpot_and_its_chunks_are_the_gaps(imported):
    latency = imported(FILE).points[0].latency
    assert latency.tpot.mean_ms == TREE["inter_token_latency"]["avg"]
    assert latency.tpot.count == 16
    assert latency.itl.count == 240
    assert latency.itl.p95_ms == TREE["inter_chunk_latency"]["p95"]
    assert (latency.ttft.p50_ms, latency.ttft.p95_ms) == (TREE["time_to_first_token"]["p50"], None)


def test_tpot_over_tokens_the_server_did_not_count_is_left_out(changed, kinds):
    found = changed(FILE, usage_completion_tokens__sum=300.0)
    assert found.points[0].latency.tpot is None
    assert found.shape.output_tokens == 300 / 16
    assert kinds(found)["not_imported"] == "info"


def test_without_usage_its_own_counts_stand(changed, kinds):
    found = changed(FILE, usage_completion_tokens=None, usage_prompt_tokens=None)
    assert found.shape.input_tokens == 256
    assert found.points[0].token_count_source is None
    assert "counts_differ" not in kinds(found)


@pytest.mark.parametrize(("unit", "factor"), [("ns", 1e-6), ("us", 1e-3), ("ms", 1), ("sec", 1e3)])
def test_a_latency_in_any_unit_of_time_comes_in_ms(changed, unit, factor):
    found = changed(FILE, time_to_first_token={"unit": unit, "avg": 0.1, "count": 16})
    assert found.points[0].latency.ttft.mean_ms == pytest.approx(0.1 * factor)


def test_an_unknown_unit_is_refused(changed):
    with pytest.raises(InputError, match="unit of time") as caught:
        changed(FILE, request_latency__unit="hours")
    assert caught.value.key == "request_latency.unit"


def test_the_load_is_told_by_its_phases(imported, changed):
    assert imported(FILE).points[0].concurrency_asked == 8
    phase = {"name": "profiling", "kind": "profiling", "type": "poisson", "rate": 12.0}
    found = changed(FILE, input_config__phases=[{"kind": "warmup", "type": "concurrency"}, phase])
    assert (found.points[0].loop, found.points[0].offered_requests_per_s) == ("open", 12)


def test_errors_are_counted_by_their_kind(changed, kinds):
    error = {"error_details": {"type": "ConnectionError", "code": 503, "message": "m"}, "count": 2}
    found = changed(FILE, error_request_count={"avg": 3.0, "unit": "r"}, error_summary=[error])
    assert found.points[0].failures.by_kind == {"ConnectionError 503": 2, "not said": 1}
    assert kinds(found)["failures"] == "invalid"


def test_a_rate_that_does_not_fit_the_duration_is_refused(changed):
    with pytest.raises(InputError) as caught:
        changed(FILE, benchmark_duration__unit="ms")
    assert caught.value.key == "request_throughput.avg"


def test_a_cancelled_run_is_said(changed, kinds):
    assert kinds(changed(FILE, was_cancelled=True))["tool_warning"] == "warn"


def test_a_run_of_errors_only_has_no_rate(changed):
    with pytest.raises(InputError, match="no request was completed"):
        changed(FILE, request_count=None)


def test_single_requests_give_figures_of_their_own(imported, kinds):
    found = imported(REQUESTS)
    point = found.points[0]
    lines = [json.loads(line) for line in (FOLDER / REQUESTS).read_text().splitlines()]
    metrics = [line["metrics"] for line in lines]
    assert point.requests_in_window == 3
    assert point.latency.ttft.mean_ms == pytest.approx(
        sum(each["time_to_first_token"]["value"] for each in metrics) / 3
    )
    assert point.latency.tpot.mean_ms == pytest.approx(
        sum(each["inter_token_latency"]["value"] for each in metrics) / 3
    )
    assert point.latency.itl.count == 15  # five gaps each, as cut
    assert kinds(found)["load_unknown"] == "warn"
    assert point.loop is None


def requests_with(tmp_path, change):
    from tco.importers.import_result import import_result

    lines = [json.loads(line) for line in (FOLDER / REQUESTS).read_text().splitlines()]
    change(lines)
    path = tmp_path / REQUESTS
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    from datetime import UTC, datetime

    return import_result(path, created_at=datetime.now(UTC))


def test_failed_warm_up_and_cancelled_requests_are_kept_apart(tmp_path):
    def change(lines):
        lines[0]["error"] = {"type": "Timeout", "message": "m"}
        lines[1]["metadata"]["was_cancelled"] = True
        lines.append(json.loads(json.dumps(lines[2])))
        lines[3]["metadata"]["benchmark_phase"] = "warmup"

    point = requests_with(tmp_path, change).points[0]
    assert point.requests_in_window == 1
    assert point.requests_unfinished == 1
    assert point.failures.by_kind == {"Timeout": 1}


def test_an_answer_without_tokens_is_a_failure(tmp_path):
    def change(lines):
        lines[0]["metrics"]["output_sequence_length"]["value"] = 0

    assert requests_with(tmp_path, change).points[0].failures.by_kind == {"empty": 1}


def test_a_line_at_fault_is_named(tmp_path):
    def change(lines):
        lines[1]["metrics"]["request_latency"]["value"] = "slow"

    with pytest.raises(InputError) as caught:
        requests_with(tmp_path, change)
    assert (caught.value.line, caught.value.key) == (2, "metrics.request_latency.value")


def test_real_failures_are_told_alike_by_both_files(imported):
    """48 requests of 8 tokens on a server with gaps of 10 ms; a cut or a 503 every 12th."""
    summary = imported("aiperf_profile_export_errors.json").points[0]
    single = imported("aiperf_profile_export_errors.jsonl").points[0]
    kinds = {"ClientPayloadError": 2, "X 503": 2}  # X is the server's own reason
    assert summary.failures.by_kind == single.failures.by_kind == kinds
    assert summary.requests_sent == single.requests_sent == 48
    assert summary.latency.e2e.mean_ms == pytest.approx(single.latency.e2e.mean_ms)
    assert summary.rates.output_tok_per_s == pytest.approx(single.rates.output_tok_per_s, rel=0.05)


def test_from_single_requests_tpot_is_by_the_servers_count(imported):
    # AIPerf's tokenizer took each answer for one token, so its own summary has no TPOT.
    assert imported("aiperf_profile_export_errors.json").points[0].latency.tpot is None
    tpot = imported("aiperf_profile_export_errors.jsonl").points[0].latency.tpot
    assert tpot.mean_ms == pytest.approx(10, rel=0.05)
