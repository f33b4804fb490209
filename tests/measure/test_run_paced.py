"""A bench against a server of known pace: reported against true."""

import pytest

from tco.errors import EngineError, InputError, InterruptedRunError
from tco.measure.client_log import read_records
from tco.measure.run import bench, bench_plan
from tco.measure.trace import load_trace, parse
from tco.measurement_file import read_measurement
from tco.scenario import Scenario

pytestmark = pytest.mark.slow


def scenario(url="http://127.0.0.1:1", streams=8, output=20, window_s=4, minutes=1, **bench):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "paced",
            "traffic": {"shape": {"input_tokens": 32, "output_tokens": output}},
            "engine": {"attach": {"url": url, "model": "paced"}, "concurrency": streams},
            "bench": {"window_s": window_s, "max_minutes": minutes, **bench},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


@pytest.fixture
def measure(paced):
    def run(folder, *options, **stated):
        with paced(*options) as url:
            return bench(scenario(url, **stated), out_dir=folder, progress=lambda _: None)

    return run


def after(true_ms):
    """A busy machine makes a server late, never early; the median is late by little."""
    return pytest.approx(true_ms * 1.14, rel=0.13)


def kinds(measurement):
    return {f.kind for f in measurement.all_findings()}


def test_reported_times_and_rates_are_those_of_the_server(measure, tmp_path):
    measurement = measure(tmp_path, "--ttft-s", "0.1", "--gap-s", "0.02")
    point = measurement.points[0]
    latency = point.latency
    assert latency.ttft.p50_ms == after(100)
    assert latency.tpot.p50_ms == after(20)
    assert latency.itl.p50_ms == pytest.approx(20, rel=0.3)
    assert latency.e2e.p50_ms == after(100 + 19 * 20)
    # Little's law: what is in flight is the rate of requests times how long one takes.
    assert point.rates.output_tok_per_s == pytest.approx(
        8 * 20 / (latency.e2e.mean_ms / 1000), rel=0.1
    )
    assert point.rates.total_tok_per_s == (
        point.rates.input_tok_per_s + point.rates.output_tok_per_s
    )
    assert point.rates.input_tok_per_s == pytest.approx(point.rates.output_tok_per_s * 32 / 20)
    assert point.concurrency_delivered == pytest.approx(8, rel=0.05)
    assert point.tokens.client_output == point.tokens.usage_output == point.tokens.metrics_output
    assert point.tokens.client_input == point.tokens.usage_input == point.tokens.metrics_input
    assert not {f.kind for f in point.findings if f.severity == "invalid"}
    assert read_measurement(tmp_path / "measurement.json").measurement == measurement


def test_the_raw_record_recomputes_the_count_and_each_prompt_was_new(measure, tmp_path):
    point = measure(tmp_path, window_s=1).points[0]
    trace = load_trace(tmp_path / "raw" / "point-0")
    assert int(trace.event_tokens.sum()) == point.tokens.client_output
    assert len(trace) == point.requests_sent
    assert trace.is_first.sum() == 8


def test_several_tokens_in_an_event_are_all_counted(measure, tmp_path):
    point = measure(tmp_path, "--tokens-per-event", "4", window_s=1).points[0]
    assert point.tokens.client_output == point.tokens.metrics_output
    assert point.tokens_per_event_mean > 2
    assert point.latency.tpot.mean_ms == pytest.approx(20 / 4, rel=0.2)
    assert point.latency.itl.mean_ms == pytest.approx(20, rel=0.2)


@pytest.mark.parametrize(
    ("options", "source"),
    [
        (["--no-token-ids"], "continuous_usage"),
        (["--no-token-ids", "--no-continuous-usage"], "usage"),
    ],
)
def test_less_exact_servers_are_counted_by_what_they_offer(measure, tmp_path, options, source):
    measurement = measure(tmp_path, *options, window_s=1)
    point = measurement.points[0]
    assert point.token_count_source == source
    assert point.tokens.client_output == point.tokens.metrics_output
    assert ("token_times_estimated" in kinds(measurement)) == (source == "usage")


def test_a_server_without_token_prompts_is_asked_by_chat(measure, tmp_path):
    measurement = measure(tmp_path, "--no-token-prompts", window_s=2)
    found = kinds(measurement)
    assert "prompt_is_text" in found
    assert not {"lengths_not_as_asked", "counts_differ"} & found
    rates = measurement.points[0].rates
    assert rates.input_tok_per_s == pytest.approx(rates.output_tok_per_s * 32 / 20, rel=0.02)


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        (["--short", "3"], "lengths_not_as_asked"),
        (["--cached", "16"], "cache_share_not_as_asked"),
        (["--lost-tokens", "5"], "counts_differ"),
        (["--max-running", "3"], "fewer_streams_than_asked"),
        (["--fault", "error_event", "--fault-every", "10"], "failures"),
    ],
)
def test_a_fault_of_the_server_is_a_finding(measure, tmp_path, options, kind):
    found = [f for f in measure(tmp_path, *options, window_s=2).all_findings() if f.kind == kind]
    assert found
    assert found[0].value is not None
    assert found[0].limit is not None


FAULTS = {
    "http_429": "http_429",
    "http_503": "http_503",
    "error_event": "error_event",
    "cut": "stream_cut",
    "empty": "zero_tokens",
    "stop": "wrong_finish_reason",
    "no_done": "no_done",
}


def test_failures_are_counted_by_kind_and_kept_out_of_the_rates(measure, tmp_path):
    point = measure(tmp_path, "--fault", ",".join(FAULTS), "--fault-every", "7").points[0]
    assert point.failures.by_kind.keys() == set(FAULTS.values())
    assert point.failures.count == sum(point.failures.by_kind.values())
    assert point.failures.share == pytest.approx(1 / 7, abs=0.03)
    assert point.latency.e2e.p50_ms == pytest.approx(50 + 19 * 20, rel=0.2)
    assert point.latency.e2e.max_ms > 19 * 20
    assert "failures" in {f.kind for f in point.findings if f.severity == "invalid"}


def test_an_answer_without_usage_is_a_failure_where_only_usage_counts(measure, tmp_path):
    options = ["--no-token-ids", "--no-continuous-usage", "--fault", "no_usage"]
    point = measure(tmp_path, *options, "--fault-every", "7", window_s=1).points[0]
    assert point.failures.by_kind.keys() == {"no_usage"}


def test_a_server_that_never_counts_its_tokens_is_refused(measure, tmp_path):
    with pytest.raises(EngineError, match="nowhere how many tokens"):
        measure(tmp_path, "--no-token-ids", "--no-continuous-usage", "--no-usage")


def test_events_of_changing_size_cut_into_single_bytes_are_counted_right(measure, tmp_path):
    point = measure(tmp_path, "--bursts", "1,4,2", "--crlf", "--byte-chunks").points[0]
    counts = point.tokens
    assert counts.client_output == counts.usage_output == counts.metrics_output
    assert point.failures.count == 0
    # 20 tokens in 9 events: 8 gaps of 20 ms over the 19 tokens after the first event. A server that
    # writes single bytes falls behind on a busy machine, and its events then come in clumps.
    itl, tpot = point.latency.itl, point.latency.tpot
    assert itl.mean_ms > 0.98 * 20
    assert 8 * itl.mean_ms == pytest.approx(19 * tpot.mean_ms, rel=0.1)


def test_a_stall_of_the_server_is_said(measure, tmp_path):
    measurement = measure(tmp_path, "--stall-at-s", "10", "--stall-s", "2", window_s=8)
    stalled = [f for f in measurement.all_findings() if f.kind == "stalled"]
    assert stalled[0].value > 1.4
    assert measurement.points[0].latency.itl.max_ms > 1400


def test_a_server_that_slows_down_without_end_is_invalid(measure, tmp_path):
    point = measure(tmp_path, "--slow-down", "0.3", minutes=0.5).points[0]
    assert "not_steady" in {f.kind for f in point.findings if f.severity == "invalid"}


def test_a_server_that_dies_is_an_engine_error_and_its_records_are_kept(measure, tmp_path):
    with pytest.raises(EngineError, match="died under load"):
        measure(tmp_path, "--die-at-s", "7", window_s=10)
    trace = parse(read_records(tmp_path / "raw" / "point-0"))
    assert (trace.failure == "").sum() > 8
    assert not (tmp_path / "measurement.json").exists()


def test_connections_the_server_refuses_are_missing_streams(measure, tmp_path):
    point = measure(tmp_path, "--max-connections", "5", minutes=0.2).points[0]
    assert point.concurrency_delivered < 7.8
    assert point.failures.by_kind.keys() == {"connection_lost"}
    assert {"fewer_streams_than_asked", "failures"} <= {f.kind for f in point.findings}


def test_a_server_that_closes_after_each_answer_is_reconnected_to(measure, tmp_path):
    point = measure(tmp_path, "--close", window_s=2).points[0]
    assert point.failures.count == 0
    assert point.requests_in_window > 8
    assert point.latency.ttft.p50_ms == pytest.approx(50, abs=20)


def test_an_engine_that_fails_every_request_is_one_error(measure, tmp_path):
    with pytest.raises(EngineError, match="HTTP 503"):
        measure(tmp_path, "--fault", "http_503")
    assert not (tmp_path / "measurement.json").exists()


def test_a_point_is_given_its_share_of_the_time_and_a_seed_of_its_own(measure, tmp_path):
    (tmp_path / "raw" / "point-7").mkdir(parents=True)
    (tmp_path / "raw" / "point-7" / "events.parquet").touch()
    measurement = measure(tmp_path, window_s=1, repeats=2)
    first, second = measurement.points
    assert first.seed != second.seed
    rates = sorted(point.rates.output_tok_per_s for point in measurement.points)
    assert measurement.capacity().output_tok_per_s == rates[0]
    assert {p.name for p in (tmp_path / "raw").iterdir()} == {"point-0", "point-1", "run.json"}
    assert bench_plan(scenario(window_s=1, repeats=4)).limit_s == 15


def test_an_interrupted_bench_says_where_its_records_are(paced, tmp_path):
    def interrupt(progress):
        if progress.phase == "window":
            raise KeyboardInterrupt

    with (
        paced() as url,
        pytest.raises(InterruptedRunError, match=r"recorded until then is in .*m-raw"),
    ):
        bench(scenario(url), output=tmp_path / "m.json", progress=interrupt)
    trace = parse(read_records(tmp_path / "m-raw" / "point-0"))
    assert (trace.failure == "").sum() > 8
    assert (trace.failure == "aborted").sum() == 8
    assert not (tmp_path / "m.json").exists()


def test_bad_input_leaves_no_folder_and_a_folder_is_no_output(tmp_path):
    stated = scenario("http://example.invalid:1")
    with pytest.raises(InputError, match="not this machine"):
        bench(stated, out_dir=tmp_path / "a" / "b", progress=lambda _: None)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        bench(stated, output=tmp_path, progress=lambda _: None)


def test_a_bench_is_refused_before_any_engine_starts(tmp_path):
    stated = scenario().model_dump(by_alias=True, exclude_none=True)
    stated["bench"] = {"window_s": 30, "max_minutes": 1}
    with pytest.raises(InputError) as caught:
        bench_plan(Scenario.model_validate(stated))
    assert caught.value.key == "bench.window_s"
    del stated["engine"]
    with pytest.raises(InputError) as caught:
        bench_plan(Scenario.model_validate(stated))
    assert caught.value.key == "engine"
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"):
        bench(scenario(), out_dir=tmp_path / "file", progress=lambda _: None)
