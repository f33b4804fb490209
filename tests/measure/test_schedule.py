import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.measure.schedule import poisson_arrivals, with_arrivals, workload_for
from tco.scenario import Scenario
from tco.workload import Workload, plain_workload


def scenario(**shape):
    return Scenario.model_validate(
        {
            "schema": "tco.scenario/1",
            "name": "s",
            "traffic": {"shape": {"input_tokens": 512, "output_tokens": 32, **shape}},
            "hardware": {"rent": {"usd_per_hour": 2}},
        }
    )


def two_sessions():
    return Workload(
        at_s=np.full(3, np.nan),
        session=np.array([4, 4, 9]),
        wait_s=np.array([0.0, 2.0, 0.0]),
        fresh_tokens=np.array([10, 5, 20]),
        output_tokens=np.array([4, 3, 1]),
        block_offsets=np.array([0, 2, 2, 3]),
        block_id=np.array([-1, 6, 0]),
        block_tokens=np.array([100, 50, 70]),
    )


def test_fixed_lengths_are_every_requests():
    workload = workload_for(scenario(), seed=3, rows=10)
    assert workload.input_tokens().tolist() == [512] * 10
    assert workload.output_tokens.tolist() == [32] * 10
    assert workload.block_id.size == 0
    assert np.isnan(workload.at_s).all()


def test_the_same_seed_draws_the_same_requests_and_another_does_not():
    stated = scenario(input_tokens={"mean": 100, "p95": 300})
    one, again, other = (workload_for(stated, seed=seed, rows=50) for seed in (1, 1, 2))
    assert one.fresh_tokens.tolist() == again.fresh_tokens.tolist()
    assert one.fresh_tokens.tolist() != other.fresh_tokens.tolist()


@pytest.mark.parametrize("share", [0.25, 0.5, 0.9])
def test_the_cached_share_is_a_prefix_that_all_requests_have_alike(share):
    stated = scenario(input_tokens={"mean": 400, "p95": 900}, cached_input_share=share)
    workload = workload_for(stated, seed=3, rows=500)
    assert set(workload.block_id.tolist()) == {-1}
    shared = workload.block_tokens.sum() / workload.input_tokens().sum()
    assert shared == pytest.approx(share, abs=2e-3)


def test_a_wholly_cached_prompt_keeps_one_token_of_its_own():
    workload = workload_for(scenario(cached_input_share=1.0), seed=3, rows=4)
    assert workload.fresh_tokens.tolist() == [1] * 4


@given(
    st.floats(0.01, 50),
    st.lists(st.floats(0.1, 100), min_size=1, max_size=4),
    st.integers(0, 99),
)
def test_every_part_of_a_run_has_exactly_its_count_of_arrivals(rate, parts, seed):
    times = poisson_arrivals(rate, parts, seed)
    assert (np.diff(times) >= 0).all()
    edges = np.concatenate([[0], np.cumsum(parts)])
    counts = [round(rate * part) for part in parts]
    assert len(times) == sum(counts)
    place = 0
    for low, high, count in zip(edges[:-1], edges[1:], counts, strict=True):
        part = times[place : place + count]
        assert ((part >= low - 1e-9) & (part <= high + 1e-9)).all()
        place += count


def test_gaps_are_those_of_a_poisson_process():
    gaps = np.diff(poisson_arrivals(100, [200], seed=5))
    assert gaps.mean() == pytest.approx(0.01, rel=0.01)
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=0.03)
    assert np.mean(gaps > 0.02) == pytest.approx(math.exp(-2), abs=0.01)


def test_arrivals_start_sessions_and_repeat_them_with_new_blocks():
    workload = with_arrivals(two_sessions(), np.array([0.5, 1.0, 7.0]))
    assert workload.at_s[[0, 2, 3]].tolist() == [0.5, 1.0, 7.0]
    assert np.isnan(workload.at_s[[1, 4]]).all()
    assert workload.session.tolist() == [0, 0, 1, 2, 2]
    assert workload.block_id.tolist() == [-1, 6, 0, -1, 13]
    assert workload.block_tokens.tolist() == [100, 50, 70, 100, 50]
    assert workload.input_tokens().tolist() == [160, 169, 90, 160, 169]


def test_fewer_arrivals_than_sessions_take_the_first():
    workload = with_arrivals(two_sessions(), np.array([2.0]))
    assert workload.output_tokens.tolist() == [4, 3]


def test_no_arrivals_leave_no_requests():
    assert len(with_arrivals(two_sessions(), np.empty(0))) == 0


def test_nothing_cannot_arrive():
    none = np.empty(0, dtype=np.int64)
    with pytest.raises(ValueError, match="without requests"):
        with_arrivals(plain_workload(none, none), np.array([1.0]))


def test_a_session_is_drawn_as_sessions():
    session = {
        "turns": 3,
        "first_input_tokens": 10,
        "tool_output_tokens": 5,
        "answer_tokens": 2,
    }
    stated = scenario(session=session)
    workload = workload_for(stated, seed=1, rows=30)
    assert workload.input_tokens()[:3].tolist() == [10, 17, 24]


MIX = [
    {"name": "chat", "weight": 3, "input_tokens": 100, "output_tokens": 10},
    {"name": "rag", "input_tokens": 900, "cached_input_share": 0.5, "output_tokens": 20},
]


def test_a_mix_draws_every_shape_by_its_weight_in_random_order():
    workload = workload_for(scenario(mix=MIX), seed=3, rows=400)
    inputs = workload.input_tokens()
    assert [np.count_nonzero(inputs == length) for length in (100, 900)] == [300, 100]
    assert workload.output_tokens[inputs == 900].tolist() == [20] * 100
    assert np.flatnonzero(inputs == 900)[:10].tolist() != list(range(300, 310))
    # Half of each long prompt is the prefix that all have alike; the short ones have none.
    assert (workload.block_id < 0).all()
    assert workload.block_tokens.tolist() == [450] * 100


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=5), st.integers(1, 60))
def test_no_shape_of_a_mix_is_drawn_more_than_one_off_its_share(weights, rows):
    mix = [
        {"name": str(place), "weight": weight, "input_tokens": place + 1, "output_tokens": 1}
        for place, weight in enumerate(weights)
    ]
    inputs = workload_for(scenario(mix=mix), seed=1, rows=rows).input_tokens()
    assert len(inputs) == rows
    for place, weight in enumerate(weights):
        drawn = np.count_nonzero(inputs == place + 1)
        assert abs(drawn - rows * weight / sum(weights)) <= 1 + 1e-6
