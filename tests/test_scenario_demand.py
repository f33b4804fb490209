"""A demand that the trace tells: its rate, its peak, its hours."""

import datetime as dt

import numpy as np
import pytest

from tco.cost.compare import compare
from tco.errors import InputError
from tco.measurement_file import published_measurement
from tco.prices import PriceTables
from tco.scenario_file import load_scenario

TEXT = """\
schema: tco.scenario/1
name: t
traffic:
  shape: {shape}
  demand: {demand}
measurement: {{published: {{requests_per_s: 0.01, source: s, date: 2026-10-15}}}}
hardware:
  rent: {{usd_per_hour: 2}}
alternatives:
  - {{name: api, usd_per_million: {{input: 1, output: 2}}}}
"""
DAY_S, HOUR_S = 86400, 3600


@pytest.fixture
def load(tmp_path):
    def loader(times_s, demand="{from_trace: true}", shape="{trace: t.csv}", sets=()):
        head, *rows = "at_s,input_tokens,output_tokens", *(f"{at:.3f},10,5" for at in times_s)
        if times_s is None or not len(times_s):
            head, rows = "input_tokens,output_tokens", ["10,5"]
        (tmp_path / "t.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        path = tmp_path / "s.yaml"
        path.write_text(TEXT.format(shape=shape, demand=demand), encoding="utf-8")
        return load_scenario(path, sets).scenario

    return loader


def compared(scenario):
    return compare(
        scenario,
        published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256="0",
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def steady(span_s, step_s=60.0):
    return np.arange(0, span_s + step_s / 2, step_s)


def test_the_average_is_the_requests_over_the_span_and_the_peak_the_busiest_minute(load):
    times = sorted([*steady(3600), *(1200 + np.arange(9))])
    demand = load(times).traffic.demand
    assert demand.average_requests_per_s.value == pytest.approx(70 / 3600)
    assert demand.peak_to_average.value == pytest.approx(10 / (70 / 60))
    assert demand.profile is None
    assert "70 requests of the trace" in demand.average_requests_per_s.source


def test_scale_multiplies_what_the_trace_tells_in_the_cost_alone(load):
    one = compared(load(steady(3600)))
    ten = compared(load(steady(3600), "{from_trace: true, scale: 10}"))
    assert ten.served.requests_per_s == pytest.approx(10 * one.served.requests_per_s)
    assert ten.self_host.replicas > one.self_host.replicas


def test_a_day_gives_24_hours_and_a_week_168_from_the_first_arrival_on(load):
    night, day = np.arange(0, 12 * HOUR_S, 600), np.arange(12 * HOUR_S, DAY_S, 60)
    one = np.concatenate([night, day])
    times = np.concatenate([one, one + DAY_S, [2 * DAY_S]])
    profile = [each.value for each in load(times).traffic.demand.profile]
    assert len(profile) == 24
    assert np.mean(profile[12:]) == pytest.approx(10 * np.mean(profile[:12]), rel=0.05)
    week = np.concatenate([one + day * DAY_S for day in range(8)])
    assert len(load(week).traffic.demand.profile) == 168


def test_a_part_of_a_day_at_the_end_does_not_count_twice(load):
    profile = load(steady(1.5 * DAY_S)).traffic.demand.profile
    assert [each.value for each in profile] == pytest.approx([1 / 60] * 24, rel=0.02)


def test_the_busiest_minute_of_a_trace_sizes_the_fleet_beside_its_hours(load):
    times = sorted([*steady(DAY_S), *(1200 + np.arange(0, 50, 1.0))])
    scenario = load(times, "{from_trace: true, spares: 0}")
    peak = scenario.traffic.demand.peak_to_average.value
    average = scenario.traffic.demand.average_requests_per_s.value
    assert peak > 40
    assert compared(scenario).self_host.replicas == np.ceil(average * peak / 0.01)


def test_a_trace_of_less_than_a_day_is_said_to_stand_for_the_year(load):
    kinds = {each.kind for each in compared(load(steady(3600))).findings}
    assert "demand_of_short_trace" in kinds
    kinds = {each.kind for each in compared(load(steady(DAY_S))).findings}
    assert "demand_of_short_trace" not in kinds


@pytest.mark.parametrize(
    ("times", "demand", "key", "words"),
    [
        ([], "{from_trace: true}", "from_trace", "states no times"),
        ([0, 20], "{from_trace: true}", "from_trace", "spans 20 s"),
        ([0, 99], "{from_trace: true, profile: [1]}", "profile", "exclude each other"),
        ([0, 99], "{from_trace: true, requests_per_day: 5}", "requests_per_day", "exclude"),
        ([0, 99], "{requests_per_day: 5, scale: 2}", "scale", "from_trace"),
    ],
)
def test_a_demand_that_the_trace_does_not_tell_is_refused_at_its_line(
    load, times, demand, key, words
):
    with pytest.raises(InputError, match=words) as caught:
        load(times, demand)
    assert (caught.value.key, caught.value.line) == (f"traffic.demand.{key}", 5)


def test_without_a_trace_none_tells_the_demand(load):
    with pytest.raises(InputError, match="the shape has none") as caught:
        load([0, 99], shape="{input_tokens: 1, output_tokens: 1}")
    assert (caught.value.key, caught.value.line) == ("traffic.demand.from_trace", 5)
