"""The interval of own cost along the utilisation."""

import pytest

from tco import load_case
from tco.explore.answer import answer

BASE = """\
schema: tco.scenario/1
name: case
date: 2026-12-02
traffic: {shape: {input_tokens: 512, output_tokens: 512}, target_utilisation: 0.5}
measurement: {published: {output_tok_per_s: 11840, source: s, date: 2026-10-15}}
hardware: {purchase: {price_usd: 100000, life_years: 4}}
finance: {method: straight_line}
alternatives:
  - {name: api, usd_per_million: {input: 0.1, output: 0.5}, same_weights: true}
"""
PRICE = "hardware.purchase.price_usd={value: 100000, low: 80000, high: 120000}"


@pytest.fixture
def asked(tmp_path):
    def ask(*sets):
        path = tmp_path / "case.yaml"
        path.write_text(BASE, encoding="utf-8")
        return answer(load_case(path, sets=sets))

    return ask


def test_the_band_of_a_uniform_price_holds_nine_tenths_of_it(asked):
    comparison = asked(PRICE)
    curve = {row.utilisation: row.usd_per_million_output for row in comparison.utilisation}
    band = comparison.uncertainty.cost_band
    assert {row.utilisation for row in band} <= curve.keys()
    for row in band:
        # All of the cost is the purchase: the middle 90 % of 0.8 to 1.2 of it.
        assert row.low / curve[row.utilisation] == pytest.approx(0.82, abs=0.005)
        assert row.high / curve[row.utilisation] == pytest.approx(1.18, abs=0.005)


def test_how_busy_the_fleet_is_widens_no_band_along_that_very_axis(asked):
    use = "traffic.target_utilisation={value: 0.5, low: 0.1, high: 0.9}"
    both, price_alone = asked(PRICE, use), asked(PRICE)
    assert both.uncertainty.cost_band == price_alone.uncertainty.cost_band
    assert asked(use).uncertainty.cost_band == ()


def test_a_range_that_moves_no_own_cost_draws_none(asked):
    api = "alternatives.0.usd_per_million.output={value: 0.5, low: 0.3, high: 0.7}"
    assert asked(api).uncertainty.cost_band == ()
