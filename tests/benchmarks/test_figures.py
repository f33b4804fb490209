"""From runs to figures."""

import pytest

from benchmarks.client_tables import cost_table, time_table
from benchmarks.figures import figures_of
from benchmarks.load import NOTHING, Load, Pace, Reported, Spread
from benchmarks.side_by_side import Pair, Row
from benchmarks.tables import as_text
from benchmarks.trial import Trial
from benchmarks.truth import Truth


def trial(cpu_s, events, ttft=NOTHING, gaps=NOTHING, served=900.0):
    true = Spread(100.0, 110.0, 120.0)
    return Trial(
        client="x", output_tokens=16, load_average=0.5, cpu_run_s=cpu_s / 2, cpu_s=cpu_s,
        truth=Truth(8, events, served, ttft=true, gaps=true, turnaround=NOTHING, late=true),
        reported=Reported(8, served * 0.9, ttft, gaps), lag=None,
    )  # fmt: skip


def row(name, *costs_us, start_s=1.0, **more):
    """A client that pays `start_s` once and so much an event."""
    pairs = [
        Pair(trial(start_s + 1000 * cost / 1e6, 1000, **more), trial(start_s + 16 * cost / 1e6, 16))
        for cost in costs_us
    ]
    return Row(name, tuple(pairs))


def test_what_a_client_does_once_is_no_cost_of_an_event():
    figures = figures_of(row("x", 30.0, start_s=5.0), None, 1000.0)
    assert figures.cpu_us_per_event == pytest.approx(30)


def test_a_ratio_is_of_the_same_round():
    # The machine was half as fast in the second round: for both.
    figures = figures_of(row("x", 10.0, 20.0, 11.0), row("base", 40.0, 80.0, 40.0), 1000.0)
    assert figures.cpu_ratio == pytest.approx(0.25)
    assert (figures.lowest_us_per_event, figures.highest_us_per_event) == pytest.approx((10, 20))


def test_errors_are_what_is_reported_less_what_was():
    figures = figures_of(row("x", 1.0, ttft=Spread(130.0, 140.0, None)), None, 1000.0)
    assert (figures.ttft_error.p50_ms, figures.ttft_error.p99_ms) == pytest.approx((30, 30))
    assert figures.ttft_error.max_ms is None
    assert figures.gap_error == NOTHING
    assert figures.served_share == pytest.approx(0.9)
    assert figures.reported_share == pytest.approx(0.9)


def test_a_client_without_a_run_is_said_to_be_not_measured():
    figures = [figures_of(Row("gone", (), "no Python"), None, 1.0)]
    for table in (cost_table(figures), time_table(figures)):
        assert "not measured" in as_text(table)
        assert all(len(cells) == len(table[0]) for cells in table[1])


def test_a_closed_loop_gives_at_most_its_streams_over_the_length_of_an_answer():
    load = Load("", "m", 10, 20, 1, 101, 0, None, None)
    assert Pace(events_per_s=100.0, ttft_s=0.195).possible_tok_per_s(load) == pytest.approx(
        10 * 101 / 1.2
    )
