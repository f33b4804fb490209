"""LiteLLM's own file: the head of the one its package holds, and rows with one thing changed."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tco.price_files.reading import read_price_file
from tco.price_row import TokenCounts, price_request

HEAD = Path(__file__).parents[1] / "data" / "price_files" / "litellm_head.json"
WRITTEN = json.loads(HEAD.read_text("utf-8"), parse_float=str)
NOON = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)


@pytest.fixture(scope="module")
def table():
    return read_price_file(HEAD)


@pytest.fixture
def one(tmp_path):
    """Read one chat row of a provider, the rest of which is as given."""

    def read(**row):
        path = tmp_path / "p.json"
        base = {"litellm_provider": "acme", "mode": "chat"}
        path.write_text(json.dumps({"acme/m": {**base, **row}}))
        return read_price_file(path)

    return read


def usd(table, name, counts, service="standard", at=NOON):
    offer = table.offers[name].offer
    return price_request(offer, TokenCounts(**counts), service, at).total_usd


def test_each_flat_price_is_a_million_times_the_text_of_its_number(table):
    compared = 0
    for key, row in WRITTEN.items():
        name = f"{row['litellm_provider']}/{key.removeprefix(row['litellm_provider'] + '/')}"
        if name not in table.offers or "input_cost_per_token" not in row:
            continue
        rates = table.offers[name].offer.prices[0].usd_per_million
        assert rates.input == Decimal(row["input_cost_per_token"]) * 10**6
        assert rates.output == Decimal(row["output_cost_per_token"]) * 10**6
        compared += 1
    assert compared > 8


def test_a_lifetime_of_a_cache_is_no_tier(table):
    offer = table.offers["anthropic/claude-opus-5"].offer
    assert [row.context_gt for row in offer.prices if row.service == "standard"] == [None]
    rates = offer.prices[0].usd_per_million
    assert rates.cache_write_1h > rates.cache_write_5m > rates.input


def test_a_tier_takes_the_whole_request_one_token_above_its_start(table):
    name = next(name for name in table.offers if name.endswith("/gemini-2.5-pro"))
    below = usd(table, name, {"fresh_input": 200_000, "output": 1000})
    above = usd(table, name, {"fresh_input": 200_001, "output": 1000})
    assert (below, above) == (Decimal("0.26"), Decimal("0.5150025"))


def test_services_have_their_own_rows_and_one_not_sold_is_no_guess(table):
    counts = {"fresh_input": 3000, "cached_input": 9000, "output": 800}
    assert usd(table, "openai/gpt-5", counts) == Decimal("0.012875")
    assert usd(table, "openai/gpt-5", counts, "flex") < usd(table, "openai/gpt-5", counts)
    with pytest.raises(LookupError, match="no batch price"):
        usd(table, "perplexity/sonar-pro", counts, "batch")


@pytest.mark.parametrize(
    ("day_and_hour", "rate"),
    [("02T00:59", "0.66"), ("02T01:00", "1.32"), ("02T04:00", "0.66"), ("02T06:00", "1.32"),
     ("02T10:00", "0.66"), ("02T23:59", "0.66"), ("05T02:00", "0.66")],
)  # fmt: skip
def test_off_peak_hours_lie_in_utc_and_the_other_ones_are_peak(table, day_and_hour, rate):
    at = dt.datetime.fromisoformat(f"2026-12-{day_and_hour}Z")
    found = usd(table, "deepseek/deepseek-v4-pro", {"fresh_input": 10**6}, at=at)
    assert found == Decimal(rate)


def test_what_is_no_model_or_no_text_is_left_out_with_its_reason(table):
    why = {each.name: each.reason for each in table.left_out if each.is_whole}
    assert "describes the file" in why["sample_spec"]
    assert "mode is embedding" in why["openai/text-embedding-3-small"]
    assert "two clocks" in why["tencent/deepseek-v4-pro-0813"]


def test_a_row_twice_stands_once(table):
    assert any("stands twice" in each.reason for each in table.left_out)


def test_a_service_of_which_half_is_missing_is_left_out_and_said(one):
    found = one(
        input_cost_per_token=1e-6, output_cost_per_token=2e-6, input_cost_per_token_batches=5e-7
    )
    assert found.offers["acme/m"].offer.services() == ("standard",)
    assert "its batch price" in found.left_out[0].reason


def test_prices_of_services_that_are_not_ours_are_named(one):
    found = one(
        input_cost_per_token=1e-6, output_cost_per_token=2e-6, input_cost_per_token_ultrafast=5e-6,
        cache_creation_input_token_cost_above_12hr=9e-6,
    )  # fmt: skip
    assert found.left_out[0].reason == (
        "without input_cost_per_token_ultrafast, cache_creation_input_token_cost_above_12hr"
    )


def test_a_fee_is_of_each_request(one):
    found = one(input_cost_per_token=1e-6, output_cost_per_token=1e-6, input_cost_per_request=0.005)
    assert usd(found, "acme/m", {"fresh_input": 1000}) == Decimal("0.006")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({}, "no price of input and output"),
        ({"input_cost_per_token": "1e-6", "output_cost_per_token": 1e-6}, "no number"),
        ({"input_cost_per_token": -1, "output_cost_per_token": 1e-6}, "it varies"),
        ({"input_cost_per_token": 1, "output_cost_per_token": 9999}, "at most"),
        ({"tiered_pricing": [{"input_cost_per_token": 1e-6}]}, "not ranges"),
        ({"tiered_pricing": [], "input_cost_per_token": 1e-6}, "a list of tiers"),
    ],
)
def test_a_row_that_cannot_be_expressed_is_left_out(one, row, words):
    found = one(**row)
    assert not found.offers
    assert words in found.left_out[0].reason
