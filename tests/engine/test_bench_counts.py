"""On the real engine the client's tokens equal the server's, by usage and by /metrics."""

import pytest

from tco.measure.run import bench

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("streams", [16, 64])
def test_every_token_is_counted_alike_by_client_usage_and_metrics(real_engine, tmp_path, streams):
    scenario = real_engine.scenario(concurrency=streams)
    tree = scenario.model_dump(by_alias=True, exclude_none=True)
    tree["traffic"]["shape"] = {"input_tokens": 128, "output_tokens": 128}
    tree["bench"] = {"window_s": 8, "max_minutes": 1}
    measurement = bench(
        type(scenario).model_validate(tree), out_dir=tmp_path, progress=lambda _: None
    )
    point = measurement.points[0]
    counts = point.tokens
    assert point.failures.count == 0
    assert counts.client_output == counts.usage_output == counts.metrics_output
    assert counts.client_input == counts.usage_input == counts.metrics_input
    assert point.token_count_source == "token_ids"  # noqa: S105  not a password
    assert point.rates.output_tok_per_s > 0
    assert point.concurrency_delivered == pytest.approx(streams, rel=0.05)
    assert not [f for f in point.findings if f.kind in ("counts_differ", "lengths_not_as_asked")]
