"""How sure a saving is, in the headline, in words, tables and the tornado."""

import pytest

from tco import answer, load_case
from tco.report.certainty import certainty_words, held_words, sure_table, varied_table
from tco.report.headline import headline
from tco.report.tornado_chart import draw_tornado, tornado_bars

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
    assert held_words(bare.uncertainty) is None


def test_the_headline_carries_the_interval_and_from_how_many_ranges(compared):
    ranged = compared(UTILISATION)
    saving = ranged.uncertainty.alternatives[0].saving
    ends = f"{saving.low:.1%} to {saving.high:.1%}".replace("%", " %").replace(".0 ", " ")
    assert f"(90 % interval of the saving {ends}, from 1 ranged figure)" in headline(ranged)


def test_it_says_what_is_covered_and_why_there_is_no_probability(compared):
    words = certainty_words(compared(UTILISATION, PRICE))
    assert "covers the ranges of traffic.target_utilisation" in words
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
        "alternatives.1.usd_per_million.output); "
    )
    assert [cell.text for cell in sure_table(ranged).rows[0].cells] == [
        "api", *["none"] * 5, "not stated",
    ]  # fmt: skip
    assert tornado_bars(ranged) is None


def test_a_range_of_another_alternative_is_not_counted_or_covered(compared):
    ranged = compared(OTHER, UTILISATION)
    assert "from 1 ranged figure)" in headline(ranged)
    assert "covers the ranges of traffic.target_utilisation;" in certainty_words(ranged)


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
    assert [bar.label for bar in chart.bars] == [
        "traffic.target_utilisation",
        "hardware.purchase.price_usd",
    ]
    svg = draw_tornado(chart)
    assert svg == draw_tornado(chart)
    for bar in chart.bars:
        assert bar.label in svg
        assert bar.low_words in svg
        assert bar.high_words in svg
        assert bar.label in chart.description
