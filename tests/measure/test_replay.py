from pathlib import Path

import numpy as np
import pytest

from tco.errors import InputError
from tco.measure.replay import replay_for
from tco.measure.schedule import workload_for
from tco.scenario_file import load_scenario
from tco.traffic import load_traffic

TRACES = Path(__file__).parents[1] / "data" / "traces"
MOONCAKE = TRACES / "mooncake_conversation_first40.jsonl"
AZURE = TRACES / "azure_llm_code_2023_first200.csv"


@pytest.fixture
def load(tmp_path):
    def loader(shape):
        path = tmp_path / "s.yaml"
        path.write_text(
            f"schema: tco.scenario/1\nname: t\ntraffic:\n  shape: {shape}\n"
            "hardware:\n  rent: {usd_per_hour: 2}\n",
            encoding="utf-8",
        )
        return load_scenario(path).scenario

    return loader


def test_a_closed_loop_takes_a_plain_traces_requests_in_an_order_of_each_pass(load):
    scenario = load(f"{{trace: {AZURE}}}")
    workload, known = workload_for(scenario, seed=1, rows=350), load_traffic(AZURE).workload
    assert len(workload) == 400
    one, other = workload.fresh_tokens[:200], workload.fresh_tokens[200:]
    assert sorted(one) == sorted(other) == sorted(known.fresh_tokens)
    assert one.tolist() != other.tolist()
    assert np.isnan(workload.at_s).all()
    assert workload_for(scenario, seed=1, rows=350).fresh_tokens.tolist() == (
        workload.fresh_tokens.tolist()
    )
    means = scenario.traffic.shape
    assert workload.input_tokens().mean() == pytest.approx(means.input_tokens.value)
    assert workload.output_tokens.mean() == pytest.approx(means.output_tokens.value)


def test_a_trace_with_shared_prefixes_keeps_its_order_and_shares_within_a_pass(load):
    workload, known = (
        workload_for(load(f"{{trace: {MOONCAKE}}}"), seed=1, rows=41),
        load_traffic(MOONCAKE).workload,
    )
    assert workload.input_tokens().tolist() == [*known.input_tokens(), *known.input_tokens()]
    half = len(known.block_id)
    assert workload.block_id[:half].tolist() == known.block_id.tolist()
    assert not set(workload.block_id[:half].tolist()) & set(workload.block_id[half:].tolist())


def test_a_stated_share_becomes_a_prefix_of_every_request(load):
    workload = workload_for(load(f"{{trace: {AZURE}, cached_input_share: 0.4}}"), seed=1, rows=1)
    assert workload.block_tokens.sum() / workload.input_tokens().sum() == pytest.approx(
        0.4, abs=1e-3
    )


def test_a_replay_keeps_order_and_arrivals_at_its_speed(load):
    known = load_traffic(AZURE).workload
    replay = replay_for(load(f"{{trace: {{file: {AZURE}, speed_up: 4}}}}"))
    assert replay.at_s.tolist() == (known.at_s / 4).tolist()
    assert replay.fresh_tokens.tolist() == known.fresh_tokens.tolist()


@pytest.mark.parametrize(
    "shape",
    [f"{{trace: {{file: {AZURE}, arrivals: false}}}}", "{input_tokens: 5, output_tokens: 5}"],
)
def test_without_arrivals_there_is_nothing_to_replay(load, shape):
    assert replay_for(load(shape)) is None


def test_sessions_of_a_trace_stay_whole_in_any_order(load, tmp_path):
    rows = "".join(f"{100 + k},10,{k}\n{150 + k},10,{k}\n" for k in range(20))
    (tmp_path / "a.csv").write_text(f"input_tokens,output_tokens,session\n{rows}", "utf-8")
    workload = workload_for(load("{trace: a.csv}"), seed=3, rows=1)
    starts = workload.input_tokens()[::2]
    assert sorted(starts) == [100 + k for k in range(20)]
    assert starts.tolist() != sorted(starts)
    assert (workload.input_tokens()[1::2] - starts == 50).all()


def test_a_trace_that_changed_after_the_scenario_was_read_is_refused(load, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("input_tokens,output_tokens\n5,1\n", "utf-8")
    scenario = load("{trace: a.csv}")
    path.write_text("input_tokens,output_tokens\n5,2\n", "utf-8")
    with pytest.raises(InputError, match="has changed since"):
        workload_for(scenario, seed=1, rows=1)
