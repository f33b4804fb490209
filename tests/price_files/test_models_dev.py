"""models.dev's own file: the head of the one that a package holds."""

import json
from decimal import Decimal
from pathlib import Path

import pytest

from tco.price_files.reading import read_price_file

HEAD = Path(__file__).parents[1] / "data" / "price_files" / "models_dev_head.json"
WRITTEN = json.loads(HEAD.read_text("utf-8"), parse_float=Decimal)


@pytest.fixture(scope="module")
def table():
    return read_price_file(HEAD)


def test_each_price_is_the_text_of_its_number(table):
    for name, listed in table.offers.items():
        provider, _, model = name.partition("/")
        cost = WRITTEN[provider]["models"][model]["cost"]
        rates = listed.offer.prices[0].usd_per_million
        assert (rates.input, rates.output) == (cost["input"], cost["output"])
        assert rates.cached_input == cost.get("cache_read")
        assert WRITTEN[provider]["doc"] in listed.offer.source
    assert len(table.offers) == 5


def test_a_tier_starts_where_it_says_whatever_its_other_name_is(table):
    assert "context_over_200k" in WRITTEN["openai"]["models"]["gpt-5.4"]["cost"]
    assert [row.context_gt for row in table.offers["openai/gpt-5.4"].offer.prices] == [
        None, 272_000
    ]  # fmt: skip
    several = table.offers["aihubmix/doubao-seed-2-0-code-preview"].offer
    assert [row.context_gt for row in several.prices] == [None, 32_000, 128_000]


def test_a_cache_write_at_nothing_bills_as_fresh_and_so_does_a_tier_without_a_cached_price(table):
    base, tier = (row.usd_per_million for row in table.offers["302ai/gpt-5.4"].offer.prices)
    assert (base.cached_input, base.cache_write_5m) == (Decimal("0.25"), None)
    assert (tier.input, tier.cached_input) == (5, None)


def test_reasoning_has_its_own_price_where_there_is_one(table):
    assert table.offers["alibaba/qwen-plus"].offer.prices[0].usd_per_million.reasoning == 4


def test_a_model_without_a_price_is_left_out(table):
    assert [(each.name, each.reason) for each in table.left_out] == [
        ("cohere/c4ai-aya-expanse-32b", "it has no price")
    ]
