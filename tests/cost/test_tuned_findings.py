"""Tuned settings: said where they serve another traffic, or were changed by hand."""

import pytest

from tco.cost.tuned_findings import tuned_findings
from tco.measurement import MeasuredShape, ServiceLevel, SloTerm
from tco.scenario import Scenario
from tco.scenario_leaves import atoms_of, leaves

LAUNCH = {"model": "nvidia/nemotron", "args": {"max-num-seqs": 256}}
SHAPE = {
    "input_tokens": 512,
    "cached_input_share": 0.9,
    "output_tokens": 512,
    "requests_per_session": 4,
    "concurrency": 256,
    "slo": {"ttft_p95_ms": 2000},
}
SESSION = {"turns": 4, "first_input_tokens": 100, "tool_output_tokens": 100, "answer_tokens": 512}


def scenario(launch=None, settings=None, **shape):
    tuned = {"shape": SHAPE | shape, "settings": settings or LAUNCH}
    engine = {"launch": LAUNCH | (launch or {}), "concurrency": 256, "tuned": tuned}
    return Scenario.model_validate({
        "schema": "tco.scenario/1",
        "name": "s",
        "traffic": {"shape": {
            "session": SESSION, "input_tokens": 512, "cached_input_share": 0.9,
            "output_tokens": 512,
        }},
        "slo": {"ttft_p95_ms": 2000},
        "engine": engine,
        "hardware": {"rent": {"usd_per_hour": 2}},
    })  # fmt: skip


@pytest.fixture
def measured(make_measurement, make_point):
    """A measurement of just the scenario's traffic and engine, with changes."""

    def make(limit_ms=2000, streams=256, **changes):
        term = SloTerm(latency="ttft", quantile=0.95, limit_ms=limit_ms, seen_ms=9, holds=True)
        level = ServiceLevel(
            holds=True, terms=(term,), goodput_requests_per_s=1, goodput_share=1
        )  # fmt: skip
        point = make_point(service_level=level, concurrency_asked=streams)
        shape = MeasuredShape(input_tokens=512, cached_input_share=0.9, output_tokens=512)
        return make_measurement(**({"points": (point,), "shape": shape} | changes))

    return make


@pytest.fixture
def published(make_measurement):
    return make_measurement(origin="published")


def said(*args):
    return [(each.kind, each.severity) for each in tuned_findings(*args)]


ELSEWHERE = [("tuned_on_another_shape", "warn")]


def test_on_its_own_traffic_nothing_is_said(published):
    assert said(scenario(), published) == []


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ({"input_tokens": 2048}, "input_tokens 2048 there, 512 here"),
        ({"output_tokens": 400}, "output_tokens 400 there, 512 here"),
        ({"cached_input_share": 0.85}, "cached_input_share 0.85 there, 0.9 here"),
        ({"cached_input_share": 1}, "cached_input_share 1 there, 0.9 here"),
        ({"requests_per_session": 8}, "requests_per_session 8 there, 4 here"),
        ({"requests_per_session": None}, "requests_per_session none there, 4 here"),
        ({"concurrency": 64}, "concurrency 64 there, 256 here"),
        ({"concurrency": None}, "concurrency none there, 256 here"),
        ({"slo": {}}, "slo.ttft_p95_ms none there, 2000 here"),
        ({"slo": {"ttft_p95_ms": 500}}, "slo.ttft_p95_ms 500 there, 2000 here"),
    ],
)
def test_each_part_of_another_traffic_is_said_with_both_numbers(shape, words, published):
    (found,) = tuned_findings(scenario(**shape), published)
    assert (found.kind, found.severity) == ELSEWHERE[0]
    assert words in found.message
    assert found.value is None or found.value > found.limit == 0.1


def test_a_tenth_is_no_other_traffic(published):
    near = {"input_tokens": 470, "output_tokens": 560, "cached_input_share": 0.905}
    assert said(scenario(**near, slo={"ttft_p95_ms": 2100}), published) == []


def test_a_measurement_of_this_traffic_and_engine_makes_it_a_note(measured):
    (found,) = tuned_findings(scenario(input_tokens=2048), measured())
    assert (found.kind, found.severity) == ("tuned_on_another_shape", "info")
    assert "measured on this one, and not tuned for it" in found.message


@pytest.mark.parametrize(
    "changes",
    [
        {"origin": "imported"},
        {"engine": None},
        {"limit_ms": 500},
        {"streams": 64},
        {"shape": MeasuredShape(input_tokens=2048, cached_input_share=0.9, output_tokens=512)},
    ],
)
def test_a_measurement_of_something_else_leaves_the_warning(measured, changes):
    assert said(scenario(input_tokens=2048), measured(**changes)) == ELSEWHERE


def test_a_measurement_of_other_settings_leaves_the_warning(measured):
    other = {"args": {"max-num-seqs": 128}}
    tuned_there = scenario(input_tokens=2048, launch=other, settings=LAUNCH | other)
    assert said(tuned_there, measured()) == ELSEWHERE


@pytest.mark.parametrize(
    ("launch", "words"),
    [
        ({"args": {"max-num-seqs": 512}}, "max-num-seqs 512 for 256"),
        ({"args": {}}, "max-num-seqs none for 256"),
        (
            {"args": {"max-num-seqs": 256, "enforce-eager": True}},
            "enforce-eager set for none",
        ),
        ({"env": {"OMP_NUM_THREADS": "1"}}, "env.OMP_NUM_THREADS 1 for none"),
        ({"model": "a/b"}, "model a/b for nvidia/nemotron"),
    ],
)
def test_a_setting_changed_by_hand_is_said(launch, words, published):
    (found,) = tuned_findings(scenario(launch=launch), published)
    assert (found.kind, found.severity) == ("tuned_settings_changed", "warn")
    assert words in found.message


def test_a_secret_that_changes_is_no_setting(published):
    launch = {"env": {"HF_TOKEN": "hidden"}, "args": {"max-num-seqs": "256", "hf-token": "hidden"}}
    assert said(scenario(launch=launch), published) == []


def test_where_settings_come_from_is_no_input_that_two_scenarios_differ_in():
    one, other = scenario(), scenario(input_tokens=2048)
    assert leaves(one, atoms_of([one])) == leaves(other, atoms_of([other]))
