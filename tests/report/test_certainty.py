"""How sure a saving is, in the headline, in words, tables and the tornado."""

import re
from html import unescape
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco import answer, load_case
from tco.report.certainty import (
    SURE_HEADS,
    certainty_words,
    held_words,
    sure_table,
    varied_table,
)
from tco.report.charts import draw_cost_curve
from tco.report.costs import utilisation_tables
from tco.report.figures import cost_curve
from tco.report.headline import headline
from tco.report.sheet import TEXT_PT, width_of
from tco.report.tornado_chart import draw_tornado, tornado_bars
from tco.uncertainty import Bar, Tornado

SCENARIO = """\
schema: tco.scenario/1
name: ranged
date: 2026-12-02
traffic: {shape: {input_tokens: 512, output_tokens: 512}, target_utilisation: 0.5}
measurement: {published: {output_tok_per_s: 11840, source: s, date: 2026-10-15}}
hardware: {purchase: {price_usd: 96996, life_years: 4}}
power: {load_w: 1192, usd_per_kwh: 0.1437}
alternatives: [{name: api, usd_per_million: {input: 0.1, output: 0.5}, same_weights: true}]
"""
UTILISATION = "traffic.target_utilisation={value: 0.5, low: 0.25, high: 0.8}"
PRICE = "alternatives.0.usd_per_million.output={value: 0.5, low: 0.3, high: 0.7}"
CAPITAL = "hardware.purchase.price_usd={value: 96996, low: 85000, high: 113299}"


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    path = tmp_path_factory.mktemp("sure") / "s.yaml"
    path.write_text(SCENARIO)
    return lambda *sets: answer(load_case(path, sets=sets))


def test_without_ranges_nothing_is_said(compared):
    bare = compared()
    assert "interval of the saving" not in headline(bare)
    assert certainty_words(bare) is None
    assert sure_table(bare) is varied_table(bare) is tornado_bars(bare) is None
    assert held_words(bare) is None


def test_the_headline_carries_the_interval_and_from_how_many_ranges(compared):
    ranged = compared(UTILISATION)
    saving = ranged.uncertainty.alternatives[0].saving
    ends = f"{saving.low:.1%} to {saving.high:.1%}".replace("%", " %").replace(".0 ", " ")
    assert f"(90 % interval of the saving {ends}, from 1 ranged figure)" in headline(ranged)


def test_it_says_what_is_covered_and_why_there_is_no_probability(compared):
    words = certainty_words(compared(UTILISATION, PRICE))
    assert "covers the ranges of utilisation, output price of api; " in words
    assert "other figures are held as stated" in words
    assert words.endswith(
        "No probability is stated against api: that takes a range of the price or rent of the "
        "hardware."
    )


def test_all_that_a_probability_takes_is_listed_as_a_sentence_lists(compared):
    words = certainty_words(compared("power.pue={value: 1.5, low: 1.2}"))
    assert words.endswith(
        "that takes a range of the utilisation or demand, the API's price and the price or rent "
        "of the hardware."
    )


OTHER = (
    "alternatives=[{name: api, usd_per_million: {input: 0.1, output: 0.5}, same_weights: true}, "
    "{name: dear, usd_per_million: {input: 1, output: {value: 5, low: 3}}}]"
)


def test_a_range_of_another_alternative_gives_the_headline_no_interval(compared):
    ranged = compared(OTHER)
    assert "interval" not in headline(ranged)
    words = certainty_words(ranged)
    assert words.startswith(
        "The saving against api has no interval, as no range moves it (ranged: "
        "output price of dear); "
    )
    assert [cell.text for cell in sure_table(ranged).rows[0].cells] == [
        "api", *["none"] * 5, "not stated",
    ]  # fmt: skip
    assert tornado_bars(ranged) is None


def test_a_range_of_another_alternative_is_not_counted_or_covered(compared):
    ranged = compared(OTHER, UTILISATION)
    assert "from 1 ranged figure)" in headline(ranged)
    assert "covers the ranges of utilisation;" in certainty_words(ranged)


def test_a_price_stated_as_zero_has_no_saving_whatever_its_range(compared):
    free = "alternatives=[{name: api, usd_per_million: {input: 0, output: {value: 0, high: 1}}}]"
    ranged = compared(free, UTILISATION)
    assert ranged.uncertainty.alternatives[0].saving_reason == "zero_price"
    assert certainty_words(ranged).startswith("There is no saving against api")
    assert "interval" not in headline(ranged)


def test_a_range_down_to_a_price_of_zero_is_covered_though_a_tornado_cannot_show_it(compared):
    price = "{input: 0, output: {value: 0.5, low: 0, high: 1}}"
    ranged = compared(f"alternatives.0.usd_per_million={price}", UTILISATION)
    assert tornado_bars(ranged) is None
    assert "output price of api;" in certainty_words(ranged)


def test_a_catalog_row_is_said_to_take_its_range_as_a_discount(compared):
    row = "alternatives=[{catalog: baseten/nemotron-3.5-super-vl, same_weights: true}]"
    words = certainty_words(compared(UTILISATION, CAPITAL, row))
    assert "its discount may carry one, or write its prices in the scenario" in words
    ranged = row.replace("same", "discount: {value: 0, low: 0, high: 0.2}, same")
    words = certainty_words(compared(UTILISATION, CAPITAL, ranged))
    assert "Own hardware is cheaper than baseten/nemotron-3.5-super-vl in" in words


def test_with_all_three_ranged_it_states_the_probability(compared):
    ranged = compared(UTILISATION, PRICE, CAPITAL)
    words = certainty_words(ranged).replace("\u00a0", " ")
    assert "draws." in words
    assert "Own hardware is cheaper than api in" in words
    assert "probability" not in words
    (row,) = sure_table(ranged).rows
    assert row.cells[0].text == "api"
    assert row.cells[-1].text != "not stated"


def test_the_tornado_is_widest_first_and_names_each_end(compared):
    chart = tornado_bars(compared(UTILISATION, CAPITAL))
    assert [(bar.label, bar.range_words) for bar in chart.bars] == [
        ("Utilisation", "25\u00a0% to 80\u00a0%"),
        ("Price of a server", "85,000 to 113,299 USD"),
    ]
    svg = draw_tornado(chart)
    assert svg == draw_tornado(chart)
    for bar in chart.bars:
        assert bar.label in svg
        assert bar.low_words in svg
        assert bar.high_words in svg
        assert bar.label in chart.description
        assert "against api" in chart.caption
        assert "against api" in chart.description


@pytest.fixture(scope="module")
def charted(compared):
    """Return the chart of any bars, in the place of those of a real comparison."""
    ranged = compared(UTILISATION)
    found = ranged.uncertainty

    def chart(base, *ends, key="power.pue"):
        bars = tuple(
            Bar(key=f"{key}{place}", low=1, high=2, at_low=low, at_high=high)
            for place, (low, high) in enumerate(ends)
        )
        rival = found.alternatives[0].model_copy(
            update={"saving_tornado": Tornado(base=base, bars=bars)}
        )
        sure = found.model_copy(update={"alternatives": (rival,)})
        return tornado_bars(ranged.model_copy(update={"uncertainty": sure}))

    return chart


def placed_words(svg):
    """Return the left, right, and middle of each text of a drawing."""
    for x, y, anchor, text in re.findall(
        r'<text x="(.*?)" y="(.*?)".*?anchor:(\w+).*?>(.*?)<', svg
    ):
        wide = width_of(unescape(text))
        left = float(x) - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        yield left, left + wide, float(y)


saving = st.floats(-20, 1)


@given(saving, st.lists(st.tuples(saving, saving), min_size=1, max_size=12))
def test_no_two_words_of_a_tornado_touch_and_none_leaves_the_sheet(charted, base, ends):
    words = list(placed_words(draw_tornado(charted(base, *ends))))
    for left, right, _ in words:
        assert left >= 0
        assert right <= 496.8
    for (left, right, y), (other_left, other_right, other_y) in combinations(words, 2):
        apart = abs(y - other_y) >= TEXT_PT or right <= other_left or other_right <= left
        assert apart, (left, right, y, other_left, other_right, other_y)


def test_two_ends_on_one_side_have_a_bar_and_a_number_each(charted):
    svg = draw_tornado(charted(0.5, (0.2, 0.35)))
    low, high = (re.search(rf'y="(\S+)"[^>]*>{each}\b', svg).group(1) for each in (20, 35))
    assert float(high) - float(low) == pytest.approx(10)


def test_what_was_drawn_and_held_is_said_in_words_and_found_by_its_key(compared):
    ranged = compared(UTILISATION, PRICE)
    (utilisation, price) = varied_table(ranged).rows
    assert [cell.text for cell in utilisation.cells][:4] == [
        "Utilisation (traffic.target_utilisation)",
        *("50\u00a0%", "25\u00a0%", "80\u00a0%"),
    ]
    assert price.cells[0].text == (
        "Output price of api, USD per million tokens (alternatives.0.usd_per_million.output)"
    )
    held = held_words(ranged)
    assert "price of a server; power of a server, under load; life of the hardware; " in held
    assert "input price of api" in held
    assert "." not in held.removesuffix(".")


def test_long_words_are_cut_and_more_than_ten_bars_are_counted(charted):
    chart = charted(0.5, *[(0.4, 0.6)] * 15, key=f"power.{'long_' * 12}")
    assert len(chart.bars[0].label) <= 44
    assert chart.bars[0].label.endswith("…")
    assert len(chart.bars) == 10
    assert chart.caption.endswith("; the 10 that move it most, of 15")


def test_ends_that_hardly_move_the_saving_have_short_bars(charted):
    chart = charted(0.5, (0.4999, 0.5001))
    assert chart.high - chart.low >= 0.02


def test_the_interval_of_own_cost_is_a_band_along_the_curve_and_in_the_table(compared):
    ranged = compared(CAPITAL)
    curve = cost_curve(ranged)
    assert len(curve.band) == len(ranged.uncertainty.cost_band) > 20
    assert curve.band_words == "90\u00a0% interval of own cost at each utilisation"
    assert curve.band_words in curve.description
    assert f">{curve.band_words}<" in draw_cost_curve(curve)
    (table,) = utilisation_tables(ranged)
    assert [column.title for column in table.columns][2:4] == ["90\u00a0%, from", "90\u00a0%, to"]
    own, low, high = (float(cell.text[1:]) for cell in table.rows[-1].cells[1:4])
    assert low < own < high


def test_no_two_heads_of_a_table_are_the_same():
    assert len(set(SURE_HEADS)) == len(SURE_HEADS)
