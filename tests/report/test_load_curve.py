"""What the throughput-latency chart shows, and how it is drawn."""

import itertools
import xml.etree.ElementTree as ET

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tco.report.load_chart import draw_load_curve
from tco.report.load_curve import load_curve
from tco.report.loads import only_load_words
from tco.report.sheet import TEXT_PT, WIDTH_PT, width_of


def test_each_limit_has_a_panel_the_one_that_binds_first(searched):
    curve = load_curve(searched)
    assert [panel.title for panel in curve.panels] == ["TPOT p95, ms", "TTFT p95, ms (logarithmic)"]
    assert [panel.limit_ms for panel in curve.panels] == [50, 2000]
    assert [panel.limit_label for panel in curve.panels] == ["≤ 50\u00a0ms", "≤ 2\u00a0s"]


def test_there_is_a_mark_for_each_load_with_its_loop_and_verdict(searched):
    marks = load_curve(searched).panels[0].marks
    assert [mark.output_tok_per_s for mark in marks] == [
        point.rates.output_tok_per_s for point in searched.points
    ]
    assert [mark.loop for mark in marks] == ["closed"] * 5 + ["open"] * 5
    assert [mark.state for mark in marks] == ["kept"] * 6 + ["broken"] * 2 + ["kept"] * 2
    assert [mark.chosen for mark in marks] == [False] * 8 + [True] * 2


def test_the_path_joins_the_closed_loops_in_order_of_their_streams(make_measurement, make_load):
    points = [make_load(n * 100, n, n, streams=n) for n in (64, 1, 16)]
    path = load_curve(make_measurement(points=points)).panels[0].path
    assert [rate for rate, _ in path] == [100, 1600, 6400]


def test_capacity_target_and_band_are_marked(searched):
    curve = load_curve(searched)
    assert [(each.label, each.output_tok_per_s) for each in curve.chosen] == [
        ("capacity 10,100 tok/s", 10100),
        ("target 8,000 tok/s", 8000),
    ]
    assert curve.band == (10100, 10200)
    assert curve.band_label == "interval of the capacity (bracket of the search)"


def test_one_load_that_is_both_has_one_label(searched):
    both = searched.model_copy(update={"target_point": 8})
    assert [each.label for each in load_curve(both).chosen] == ["capacity and target 10,100 tok/s"]


def test_the_description_says_the_same_in_words(searched):
    words = load_curve(searched).description.replace("\u00a0", " ")
    for said in (
        "Chart of 10 loads, output tokens a second against TPOT p95 and TTFT p95.",
        "TPOT p95 goes from 8.16 ms at 131.9 to 58 ms at 10,600; the limit is 50 ms.",
        "The service level is kept at 8 and not kept at 2.",
        "Marked: capacity 10,100 tok/s (19.73 requests/s).",
        "Marked: target 8,000 tok/s (15.62 requests/s).",
        "The band is the interval of the capacity, 10,100 to 10,200 (bracket of the search).",
    ):
        assert said in words


def test_without_a_service_level_ttft_and_tpot_are_shown_without_a_line(
    make_measurement, make_load
):
    points = [make_load(n * 100, n, n, streams=n, limits=None) for n in (1, 2, 4)]
    curve = load_curve(make_measurement(points=points))
    assert [(panel.title, panel.limit_ms) for panel in curve.panels] == [
        ("TTFT p95, ms", None),
        ("TPOT p95, ms", None),
    ]
    assert {mark.state for panel in curve.panels for mark in panel.marks} == {"unjudged"}


def test_where_no_p95_could_be_told_a_lower_quantile_is_shown(make_measurement, make_load):
    points = []
    for streams in (1, 2):
        point = make_load(streams * 100, 9, 9, streams=streams, limits=None)
        few = point.latency.ttft.model_copy(update={"p95_ms": None, "p90_ms": None})
        points.append(
            point.model_copy(update={"latency": point.latency.model_copy(update={"ttft": few})})
        )
    panels = load_curve(make_measurement(points=points)).panels
    assert [panel.title for panel in panels] == ["TTFT p50, ms", "TPOT p95, ms"]


def test_loads_without_a_quantile_are_left_out_and_counted(make_measurement, make_load):
    points = [make_load(100, 9, 9), make_load(200, 9, 9), make_load(300, None, 9)]
    curve = load_curve(make_measurement(points=points))
    by_title = {panel.title.partition(",")[0]: len(panel.marks) for panel in curve.panels}
    assert by_title == {"TTFT p95": 2, "TPOT p95": 3}
    assert "1 without enough requests for TTFT p95 are not drawn." in curve.description


def test_a_service_level_that_no_load_kept_has_its_line_inside_the_panel(
    make_measurement, make_load
):
    points = [make_load(100, 9e4, 400), make_load(200, 9.5e4, 500)]
    panel = load_curve(make_measurement(points=points)).panels[0]
    assert {mark.state for mark in panel.marks} == {"broken"}
    assert panel.low_ms < panel.limit_ms < panel.high_ms


@pytest.mark.parametrize("latency", [None, "no_quantiles"])
def test_loads_without_latencies_have_no_chart(latency, make_measurement, make_point):
    none = dict.fromkeys(("ttft", "tpot", "itl", "e2e"))
    if latency:
        values = {"count": 3, "mean_ms": 1.0, "max_ms": None}
        quantiles = values | dict.fromkeys(("p50_ms", "p90_ms", "p95_ms", "p99_ms"))
        none |= {"ttft": quantiles, "tpot": quantiles}
    assert load_curve(make_measurement(points=[make_point(latency=none)] * 2)) is None


def test_a_single_load_is_said_in_words_and_has_no_chart(measurement):
    assert load_curve(measurement) is None
    assert only_load_words(measurement).replace("\u00a0", " ") == (
        "One load was held, 256 streams: 11,840 output tokens a second, "
        "11,700 to 11,980 (95 %, within one run); TTFT p95 756 ms, TPOT p95 37.8 ms."
    )


def test_a_single_load_without_latencies_says_so(make_measurement, make_point):
    none = dict.fromkeys(("ttft", "tpot", "itl", "e2e"))
    point = make_point(latency=none, loop=None, concurrency_asked=None)
    words = only_load_words(make_measurement(points=(point,)))
    assert "streams not stated" in words
    assert words.endswith("no quantile of a latency is known.")


def test_a_single_load_of_few_requests_says_the_quantile_it_has(make_measurement, make_load):
    point = make_load(100, 9, 9)
    few = point.latency.ttft.model_copy(update={"p95_ms": None, "p90_ms": None})
    latency = point.latency.model_copy(update={"ttft": few, "tpot": None})
    point = point.model_copy(update={"latency": latency, "service_level": None})
    words = only_load_words(make_measurement(points=(point,)))
    assert words.replace("\u00a0", " ").endswith("; TTFT p50 4.5 ms.")


def test_several_loads_or_none_need_no_such_words(searched, make_measurement):
    assert only_load_words(searched) is None
    assert only_load_words(make_measurement(points=(), capacity_point=None)) is None


def texts(svg):
    """Return each word's box: left, right, middle."""
    boxes = []
    for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):  # noqa: S314  our own
        wide = width_of(node.text, bold="font-weight:600" in node.get("style"))
        anchor = node.get("style").partition("text-anchor:")[2].partition(";")[0]
        left = float(node.get("x")) - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        boxes.append((node.text, left, left + wide, float(node.get("y"))))
    return boxes


def overlapping(svg):
    return [
        (a[0], b[0])
        for a, b in itertools.combinations(texts(svg), 2)
        if a[1] < b[2] and b[1] < a[2] and abs(a[3] - b[3]) < TEXT_PT
    ]


@pytest.mark.parametrize("count", [2, 3, 15, 30])
def test_no_words_lie_on_others_however_many_loads_there_are(count, make_measurement, make_load):
    points = [make_load(9000 + 40 * n, 300 + 90 * n, 30 + n) for n in range(count)]
    measured = make_measurement(points=points, capacity_point=count - 1, target_point=count - 2)
    svg = draw_load_curve(load_curve(measured))
    assert overlapping(svg) == []
    assert all(left >= 0 and right <= WIDTH_PT for _, left, right, _ in texts(svg))


LOADS = st.lists(
    st.tuples(st.floats(0.5, 1e6), st.floats(0.01, 1e6), st.floats(0.01, 1e4)),
    min_size=2,
    max_size=12,
)


@example(loads=[(774195.0, 1.0, 1.0), (956674.0, 1.0, 1.0)])
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(loads=LOADS)
def test_any_loads_are_drawn_inside_the_sheet(loads, make_measurement, make_load):
    points = [make_load(*load, streams=n % 3 * 32 or None) for n, load in enumerate(loads)]
    last = len(points) - 1
    measured = make_measurement(points=points, capacity_point=last, target_point=0)
    svg = draw_load_curve(load_curve(measured))
    assert overlapping(svg) == []
    assert all(left >= 0 for _, left, _, _ in texts(svg))
    for node in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}circle"):  # noqa: S314  our own
        assert 0 <= float(node.get("cx")) <= WIDTH_PT


def test_a_chart_is_the_same_every_time_and_shows_what_the_marks_mean(searched):
    svg = draw_load_curve(load_curve(searched))
    assert svg == draw_load_curve(load_curve(searched))
    for words in ("closed loop", "open loop", "service level kept", "not kept"):
        assert f">{words}<" in svg


def test_verdicts_differ_without_colour(make_measurement, make_load):
    """Kept is filled, not kept hollow, not told hollow with a point; loops differ by shape."""
    points = [make_load(100, 1, 1), make_load(200, 9e9, 1), make_load(300, None, 1)]
    svg = draw_load_curve(load_curve(make_measurement(points=points)))
    assert "not told: too few requests" in svg
    assert svg.count('r="1"') > 1


def test_loads_of_another_tool_may_have_a_loop_that_nobody_states(make_measurement, make_load):
    points = [
        make_load(rate, 9, 9, streams=1).model_copy(update={"loop": None}) for rate in (100, 200)
    ]
    curve = load_curve(make_measurement(points=points, origin="imported"))
    assert {mark.loop for mark in curve.panels[0].marks} == {"unstated"}
    assert curve.panels[0].path == ()
    assert ">loop not stated<" in draw_load_curve(curve)
