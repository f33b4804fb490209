"""A bench against a server of known pace: reported against true."""

import pytest

from tco.errors import EngineError, InputError
from tco.measure.run import bench, bench_plan
from tco.measure.trace import load_trace
from tco.measurement_file import read_measurement
from tco.scenario import Scenario

pytestmark = pytest.mark.slow


def scenario(url="http://127.0.0.1:1", streams=8, output=20, window_s=4, **engine):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "paced",
            "traffic": {"shape": {"input_tokens": 32, "output_tokens": output}},
            "engine": {"attach": {"url": url, "model": "paced"}, "concurrency": streams, **engine},
            "bench": {"window_s": window_s, "max_minutes": 1},
            "hardware": {"rent": {"usd_per_hour": 1}},
        }
    )


@pytest.fixture
def measure(paced):
    def run(folder, *options, **stated):
        with paced(*options) as url:
            return bench(scenario(url, **stated), out_dir=folder, progress=lambda _: None)

    return run


def kinds(measurement):
    return {f.kind for f in measurement.all_findings()}


def test_reported_times_and_rates_are_those_of_the_server(measure, tmp_path):
    measurement = measure(tmp_path, "--ttft-s", "0.1", "--gap-s", "0.02")
    point = measurement.points[0]
    true_e2e_ms = 100 + 19 * 20
    assert point.latency.ttft.p50_ms == pytest.approx(100, abs=20)
    assert point.latency.tpot.p50_ms == pytest.approx(20, rel=0.1)
    assert point.latency.itl.mean_ms == pytest.approx(20, rel=0.1)
    assert point.latency.e2e.p50_ms == pytest.approx(true_e2e_ms, rel=0.1)
    assert point.rates.output_tok_per_s == pytest.approx(8 * 20 / 0.48, rel=0.1)
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
    trace = load_trace(tmp_path / "raw" / "point-0" / "trace.npz")
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
    found = kinds(measure(tmp_path, "--no-token-prompts", window_s=1))
    assert "prompt_is_text" in found
    assert "lengths_not_as_asked" in found
    assert "counts_differ" not in found


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


@pytest.mark.parametrize(
    ("fault", "kind"),
    [("error_event", "error_event"), ("cut", "stream_cut"), ("http_503", "http_503")],
)
def test_failures_are_counted_by_kind_and_kept_out_of_the_rates(measure, tmp_path, fault, kind):
    point = measure(tmp_path, "--fault", fault, "--fault-every", "7", window_s=2).points[0]
    assert point.failures.by_kind.keys() == {kind}
    assert point.failures.count > 0
    assert 0 < point.failures.share < 0.5
    assert point.latency.e2e.max_ms > 19 * 20


def test_a_server_that_closes_after_each_answer_is_reconnected_to(measure, tmp_path):
    point = measure(tmp_path, "--close", window_s=2).points[0]
    assert point.failures.count == 0
    assert point.requests_in_window > 8
    assert point.latency.ttft.p50_ms == pytest.approx(50, abs=20)


def test_an_engine_that_fails_every_request_is_one_error(measure, tmp_path):
    with pytest.raises(EngineError, match="HTTP 503"):
        measure(tmp_path, "--fault", "http_503")
    assert not (tmp_path / "measurement.json").exists()


def test_a_bench_is_refused_before_any_engine_starts(tmp_path):
    stated = scenario().model_dump(by_alias=True, exclude_none=True)
    del stated["engine"]["concurrency"]
    with pytest.raises(InputError) as caught:
        bench_plan(Scenario.model_validate(stated))
    assert caught.value.key == "engine.concurrency"
    stated["engine"]["concurrency"] = 4
    stated["traffic"]["shape"]["output_tokens"] = {"mean": 100, "p95": 200}
    with pytest.raises(InputError) as caught:
        bench_plan(Scenario.model_validate(stated))
    assert caught.value.key == "traffic.shape.output_tokens"
    stated["traffic"]["shape"]["output_tokens"] = 100
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
