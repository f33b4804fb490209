"""What the charts show, before a line is drawn."""

import itertools
import re

import pytest

from tco.report.charts import draw_cost_curve, spread
from tco.report.figures import cost_curve, part_bars
from tco.report.part_chart import draw_part_bars
from tco.report.sheet import width_of


def test_the_curve_marks_scenario_break_even_and_alternative(comparison):
    curve = cost_curve(comparison)
    own = comparison.self_host
    assert (curve.here.utilisation, curve.here.usd_per_million) == (
        own.utilisation,
        own.usd_per_million_output,
    )
    assert (curve.break_even.utilisation, curve.break_even.usd_per_million) == (0.34, 0.5)
    assert [line.usd_per_million for line in curve.lines] == [0.5]
    assert len(curve.utilisation) == len(comparison.utilisation)


def test_the_description_says_the_same_in_words(comparison):
    words = cost_curve(comparison).description
    assert "this scenario: 60\u00a0%, $0.283" in words
    assert "Together Nemotron $0.500" in words
    assert "break-even 34\u00a0%" in words


def test_a_break_even_that_the_demand_cannot_reach_is_marked_as_that(comparison):
    own = comparison.self_host.model_copy(update={"reachable_utilisation": 0.3})
    curve = cost_curve(comparison.model_copy(update={"self_host": own}))
    assert curve.break_even.label.endswith(", out of reach")


def test_no_break_even_is_said_and_not_marked(make_comparison, make_rival):
    curve = cost_curve(make_comparison(alternatives=(make_rival(break_even_utilisation=None),)))
    assert curve.break_even is None
    assert "no break-even" in curve.description


def test_prices_far_apart_get_a_logarithmic_scale(make_comparison, make_rival):
    far = make_rival(name="far", usd_per_million_output=40.0)
    curve = cost_curve(make_comparison(alternatives=(make_rival(), far)))
    assert curve.log_scale
    assert curve.unit == "USD per million output tokens, logarithmic"


def test_a_line_names_its_service_where_that_is_not_the_standard_one(make_comparison, make_rival):
    source = make_rival().price_source.model_copy(update={"service": "batch"})
    curve = cost_curve(make_comparison(alternatives=(make_rival(price_source=source),)))
    assert [line.label for line in curve.lines] == ["Together Nemotron (batch)"]


def test_the_bars_add_up_to_the_total(comparison):
    *bars, total = part_bars(comparison).bars
    assert sum(bar.length_usd for bar in bars) == pytest.approx(total.length_usd)
    assert total.length_usd == comparison.self_host.usd_per_million_output


def test_the_waterfall_has_the_price_of_the_api_as_its_line(make_comparison):
    chart = part_bars(make_comparison())
    assert (chart.price.label, chart.price.usd_per_million) == ("Together Nemotron", 0.5)
    assert not chart.price_beyond
    assert chart.high_usd == 0.5
    assert "Together Nemotron costs $0.500" in chart.description
    assert "$0.500  Together Nemotron" in draw_part_bars(chart)


def test_a_price_far_above_own_cost_leaves_the_bars_their_length(make_comparison, make_rival):
    chart = part_bars(make_comparison(alternatives=(make_rival(usd_per_million_output=9.0),)))
    assert chart.price_beyond
    assert chart.high_usd == chart.bars[-1].length_usd
    assert "beyond this scale" in draw_part_bars(chart)
    assert part_bars(make_comparison(alternatives=())).price is None


def test_a_chart_is_the_same_every_time_and_takes_no_formula(make_comparison, make_rival):
    odd = make_comparison(alternatives=(make_rival(name="$\\frac{1}{2}$ <b>"),))
    svg = draw_cost_curve(cost_curve(odd))
    assert svg == draw_cost_curve(cost_curve(odd))
    assert "$\\frac{1}{2}$ &lt;b&gt;" in svg
    assert draw_part_bars(part_bars(odd)) == draw_part_bars(part_bars(odd))


def test_labels_are_moved_apart_in_order():
    places = spread([0.5, 0.5, 0.51], 0.1, 0.0, 1.0)
    assert all(b - a >= 0.1 - 1e-12 for a, b in itertools.pairwise(places))
    assert max(spread([0.99, 0.995], 0.1, 0.0, 0.95)) <= 0.95


def test_large_amounts_have_room_left_of_the_axis(make_comparison, make_rival):
    dear = make_comparison(alternatives=(make_rival(usd_per_million_output=4e9),))
    svg = draw_cost_curve(cost_curve(dear))
    labels = re.findall(r'<text x="([0-9.]+)"[^>]*text-anchor:end[^>]*>(\$[^<]*)<', svg)
    assert labels
    assert all(float(x) >= width_of(words) for x, words in labels)


def test_without_an_interval_there_is_no_band(comparison):
    curve = cost_curve(comparison)
    assert (curve.band, curve.band_words) == ((), "")
    assert "interval" not in draw_cost_curve(curve)
