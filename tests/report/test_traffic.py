"""The traffic in words and tables, and its arrivals as a chart."""

import xml.etree.ElementTree as ET

import pytest

from tco.report.arrivals import arrivals
from tco.report.arrivals_chart import draw_arrivals
from tco.report.document import compose
from tco.report.html import render_html
from tco.report.lengths import lengths
from tco.report.lengths_chart import draw_lengths
from tco.report.sheet import WIDTH_PT
from tco.report.traffic import traffic_tables, traffic_words
from tco.traffic.shape import TrafficShape

LENGTHS = {
    f"{name}_{each}": value
    for name, values in (("input", (512.5, 400, 900, 1200, 2000, 4096)), ("output", (1,) * 6))
    for each, value in zip(("mean", "p50", "p90", "p95", "p99", "max"), values, strict=True)
}


def trace(**changes):
    values = {
        "file": "requests.csv", "sha256": "0" * 64, "format": "Azure LLM trace", "requests": 200,
        "left_out": 3, "span_s": 180.0, "requests_per_s": 1.11, "peak_to_average": 1.35,
        "arrivals_per_minute": (60, 90, 50), "reusable_prefix_share": None, "sessions": 200,
        "requests_per_session": 1.0, "wait_mean_s": None,
    }  # fmt: skip
    return TrafficShape.model_validate(values | LENGTHS | changes)


def shaped(make_scenario, shape):
    return make_scenario(traffic={"shape": shape, "target_utilisation": 1.0})


def said(make_scenario, shape):
    return traffic_words(shaped(make_scenario, shape)).replace("\u00a0", " ")


def test_plain_means_are_said(make_scenario):
    shape = {"input_tokens": 512, "cached_input_share": 0.25, "output_tokens": 128.5}
    assert said(make_scenario, shape) == (
        "Each request: 512 tokens in, 128.5 out, 25 % of the input cached."
    )


def test_a_mix_names_its_shapes_and_their_shares(make_scenario):
    chat = {"name": "chat", "weight": 3, "input_tokens": 100, "output_tokens": 10}
    long = {"name": "long", "input_tokens": {"mean": 900, "p95": 1800}, "output_tokens": 20}
    words = said(make_scenario, {"mix": [chat, long], "input_tokens": 300, "output_tokens": 12.5})
    assert words == (
        "A mix on one fleet: chat (75 % of the requests: 100 tokens in, 10 out, 0 % of the input "
        "cached); long (25 % of the requests: 900 (p95 1,800) tokens in, 20 out, 0 % of the input "
        "cached). On average a request has 300 tokens in, 12.5 out, 0 % of the input cached."
    )


def test_a_spread_has_its_percentile_and_how_it_is_drawn(make_scenario):
    shape = {"input_tokens": {"mean": 512, "p95": 1500}, "output_tokens": 128}
    words = said(make_scenario, shape)
    assert "512 (p95 1,500) tokens in, 128 out" in words
    assert "drawn from a lognormal distribution" in words


MEANS = {"input_tokens": 900, "output_tokens": 200}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arrivals": True}, "requests.csv, at its own arrival times;"),
        ({"arrivals": True, "speed_up": 2}, "at its own arrival times, 2 times as fast;"),
        ({"arrivals": False}, "requests.csv, without its arrival times;"),
    ],
)
def test_a_trace_is_named_with_how_its_times_are_used(options, words, make_scenario):
    found = said(make_scenario, MEANS | {"trace": {"file": "requests.csv"} | options})
    assert words in found
    assert "on average 900 tokens in, 200 out" in found


def test_a_hostile_file_name_does_not_act(make_scenario):
    found = said(make_scenario, MEANS | {"trace": {"file": "a\x1b[2J" + "b" * 999}})
    assert "\x1b" not in found
    assert len(found) < 300


def test_sessions_are_said_with_their_calls_and_waits(make_scenario):
    session = {
        "turns": 6, "system_tokens": 1000, "first_input_tokens": 300, "tool_output_tokens": 250,
        "answer_tokens": 80, "final_answer_tokens": 500, "tool_wait_s": 2,
    }  # fmt: skip
    found = said(make_scenario, MEANS | {"session": session})
    assert found.startswith("Agent sessions of 6 model calls each: a system prompt of 1,000")
    assert "answers of 80, the last 500; 2 s in a tool, 0 s until the next task." in found


def test_a_trace_shows_its_lengths_and_facts():
    lengths, facts = traffic_tables(trace())
    assert [cell.text for cell in lengths.rows[0].cells] == [
        "Input", "512.5", "400", "900", "1,200", "2,000", "4,096",
    ]  # fmt: skip
    cells = [cell.text for row in facts.rows for cell in row.cells]
    pairs = dict(zip(cells[::2], cells[1::2], strict=True))
    assert pairs["Requests, left out"] == "200, 3"
    assert pairs["Span"] == "180 s"
    assert pairs["Input that a cache could have"] == "not stated"


def test_without_a_trace_or_its_times_there_is_no_chart():
    assert traffic_tables(None) == ()
    assert arrivals(None) is None
    nothing = dict.fromkeys(("span_s", "requests_per_s", "peak_to_average"))
    assert arrivals(trace(arrivals_per_minute=(), **nothing)) is None
    assert arrivals(trace(arrivals_per_minute=(200,))) is None


def test_the_arrivals_are_bars_and_their_mean():
    chart = arrivals(trace())
    assert (chart.counts, chart.minutes_per_bar) == ((60, 90, 50), 1)
    assert chart.mean_per_minute == pytest.approx(66.6)
    assert chart.description == (
        "Bar chart of requests by minute over 3 minutes: from 50 to 90; "
        "the busiest minute has 1.35 times the average."
    )
    svg = draw_arrivals(chart)
    assert svg == draw_arrivals(chart)
    assert "mean 66.6" in svg


def test_a_long_trace_shows_the_busiest_minute_of_each_group():
    chart = arrivals(trace(arrivals_per_minute=tuple(range(1000))))
    assert chart.minutes_per_bar == 9
    assert chart.counts[:2] == (8, 17)
    assert chart.unit == "Requests a minute, the busiest of every 9"
    for bar in ET.fromstring(draw_arrivals(chart)).iter("{http://www.w3.org/2000/svg}rect"):  # noqa: S314  our own
        assert 0 <= float(bar.get("x")) <= WIDTH_PT


def test_the_report_shows_the_trace_that_it_is_given(comparison, make_scenario, measurement):
    document = compose(comparison, make_scenario(), measurement, trace())
    page = render_html(document, "screen")
    assert "Arrivals of the trace" in page
    assert document.arrivals.description in page
    assert "Azure LLM trace" in page
    without = render_html(compose(comparison, make_scenario(), measurement), "screen")
    assert "Arrivals of the trace" not in without
    assert "Each request: 512 tokens in, 512 out" in without


def test_the_lengths_are_drawn_with_mean_and_quantiles_on_one_scale():
    chart = lengths(trace())
    assert [(row.title, row.mean) for row in chart.rows] == [("Input", 512.5), ("Output", 1.0)]
    assert dict(chart.rows[0].quantiles)["p95"] == 1200
    assert chart.low < 1
    assert chart.high > 4096
    assert "input mean 512.5, p50 400, p90 900, p95 1,200, p99 2,000, most 4,096" in (
        chart.description
    )
    svg = draw_lengths(chart)
    assert svg == draw_lengths(lengths(trace()))
    assert "mean 512.5" in svg
    assert lengths(None) is None


def test_names_of_lengths_that_would_touch_are_left_to_the_table():
    svg = draw_lengths(lengths(trace(input_p90=401)))
    assert "p50 400" in svg
    assert "p90 401" not in svg
