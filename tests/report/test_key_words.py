"""Keys of a scenario in words that need no knowledge of its file."""

import pytest

from tco import answer, load_case
from tco.report.key_words import WORDS, key_words, measured, titled
from tco.scenario_template import scenario_text
from tco.ui.offers import ALTERNATIVE, GROUPS

SCENARIO = """\
schema: tco.scenario/1
name: of every kind
date: 2026-12-02
traffic:
  shape:
    mix:
      - {name: chat, weight: 3, input_tokens: 900, output_tokens: 200, requests_per_s: 9}
      - {name: code, input_tokens: {mean: 9000, p95: 20000}, output_tokens: 600, requests_per_s: 1}
  demand: {requests_per_day: 90000, peak_to_average: 3, availability: 0.99, spares: 1}
  by_year: [1, 1.5]
hardware:
  purchase: {price_usd: 250000, accelerators: 8, life_years: 4, residual_share: 0.1}
  one_off: {network_usd: 4000}
power: {idle_w: 900, load_w: 1192, pue: 1.3, usd_per_kwh: 0.1437, price_growth_per_year: 0.02}
operations: {fte: {value: 0.5, high: 1}, fte_usd_per_year: 200000, hosting_usd_per_month: 100}
finance: {tax_rate: 0.2, horizon_years: 5}
alternatives:
  - {name: api, usd_per_million: {input: 0.1, output: {value: 0.5, low: 0.4}}, token_ratio: 1.1}
  - {catalog: baseten/nemotron-3.5-super-vl}
"""


def test_whatever_a_comparison_rests_on_has_words(tmp_path):
    path = tmp_path / "s.yaml"
    for text in (SCENARIO, scenario_text()):
        path.write_text(text)
        found = answer(load_case(path)).uncertainty
        keys = [each.key for each in (*found.varied, *found.held)]
        assert len(keys) > 10
        assert [key for key in keys if key_words(key) == key] == []


def test_every_number_of_the_what_if_page_has_words():
    offers = [offer for _, group in GROUPS for offer in group] + list(ALTERNATIVE)
    assert all(offer.label == titled(offer.key) for offer in offers if "*" not in offer.key)
    assert {offer.key for offer in offers} <= WORDS.keys()


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("hardware.rent.usd_per_hour", "rent of a server"),
        ("alternatives.1.discount", "discount of a contract"),
        ("alternatives.2.catalog", "prices of alternative 3"),
        ("traffic.shape.mix.0.weight", "weight of kind of request 1"),
        ("traffic.shape.output_tokens.mean", "output tokens of a request"),
        ("capacity.output_tok_per_s", "the measured rate"),
        ("no.such_key", "no.such_key"),
    ],
)
def test_a_key_is_said_with_whose_it_is(key, words):
    assert key_words(key, ["api", "a contract"]) == words


def test_a_head_has_the_unit_of_its_values_but_none_of_a_share():
    assert measured("hardware.rent.usd_per_hour") == "Rent of a server, USD per hour"
    assert measured("alternatives.0.discount", ["api"]) == "Discount of api"
