import dataclasses
import io

import pytest

from tco.report.traffic_chart import draw_traffic
from tco.report.traffic_figure import traffic_figure
from tco.traffic import parsed_traffic
from tco.traffic.shape import traffic_shape


def figure(text):
    traffic = parsed_traffic(io.BytesIO(text.encode()), "t.csv")
    return traffic_figure(traffic, traffic_shape(traffic, "t.csv"))


def rows(times):
    return "at_s,input_tokens,output_tokens\n" + "".join(f"{t},{100 + t},7\n" for t in times)


def test_bars_hold_every_request_once():
    described = figure(rows([0, 10, 70, 200]))
    assert described.arrivals == (2, 1, 0, 1)
    assert described.mean_per_minute == pytest.approx(4 / (200 / 60))
    for bars in described.lengths:
        assert sum(bars.shares) == pytest.approx(1)
        assert len(bars.edges) == len(bars.shares) + 1
        assert all(bars.edges[0] <= tick <= bars.edges[-1] for tick in bars.ticks)


def test_equal_lengths_have_a_tick_of_their_own():
    assert figure(rows([0])).lengths[1].ticks == (7,)


def test_a_long_trace_shows_the_busiest_of_each_group_of_minutes():
    described = figure(rows([0, *(60 * minute + 30 for minute in range(1, 700)), 42_000, 42_001]))
    assert described.minutes_per_bar == 3
    assert len(described.arrivals) <= 300
    assert max(described.arrivals) == 2
    assert "busiest of every 3 minutes" in described.arrivals_title


def test_the_same_trace_gives_the_same_drawing():
    described = figure(rows([0, 70]))
    assert draw_traffic(described, ".svg") == draw_traffic(described, ".svg")


def test_a_name_in_any_script_is_drawn(recwarn):
    described = dataclasses.replace(figure(rows([0])), title="$x$ \u8bf7\u6c42.csv")
    assert draw_traffic(described, ".png").startswith(b"\x89PNG")
    assert not recwarn.list
