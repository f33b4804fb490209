"""A public table written as one of ours, and two tables held against each other."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.errors import InputError
from tco.price_changes import changes_between
from tco.price_files.own_text import own_text
from tco.price_files.reading import read_price_file
from tco.price_import import check_new, import_prices, left_out_words
from tco.price_row import Offer

HEAD = Path(__file__).parent / "data" / "price_files" / "litellm_head.json"
DAY = dt.date(2026, 11, 20)


@pytest.mark.parametrize("provider", ["openai", "deepseek", "dashscope", "anthropic"])
def test_what_is_written_reads_back_as_the_same_prices(tmp_path, provider):
    made = import_prices(HEAD, provider=provider, date=DAY)
    path = tmp_path / "own.yaml"
    path.write_text(made.text, "utf-8")
    own, theirs = read_price_file(path), read_price_file(HEAD)
    assert len(own.offers) == made.offers > 0
    for name, listed in own.offers.items():
        assert listed.offer.prices == theirs.offers[name].offer.prices
        assert listed.offer.date == DAY
        assert "LiteLLM" in listed.offer.source


def test_a_file_of_many_providers_needs_one_named():
    with pytest.raises(InputError, match="and a table of ours those of one") as caught:
        import_prices(HEAD, date=DAY)
    assert "--provider: anthropic" in caught.value.remedy
    with pytest.raises(InputError, match="no row of opnai") as caught:
        import_prices(HEAD, provider="opnai", date=DAY)
    assert caught.value.remedy == "did you mean `openai`?"


def test_a_file_that_does_not_say_when_needs_a_date():
    with pytest.raises(InputError, match="when its prices were seen") as caught:
        import_prices(HEAD, provider="openai")
    assert "--date" in caught.value.remedy


def test_a_filter_that_matches_nothing_is_an_error():
    with pytest.raises(InputError, match="matches 'nothing'"):
        import_prices(HEAD, provider="openai", model="nothing", date=DAY)


def test_what_is_left_out_is_said_once_for_each_reason():
    made = import_prices(HEAD, provider="openai", date=DAY)
    words = left_out_words(made.left_out)
    assert any("mode is embedding" in line and "text-embedding" in line for line in words)
    assert all(f"# {line}" in made.text for line in words)


def test_a_table_is_not_written_over_unasked(tmp_path):
    path = tmp_path / "t.yaml"
    path.write_text("")
    with pytest.raises(InputError, match="exists already"):
        check_new(path, force=False)
    check_new(path, force=True)


def test_a_table_too_large_to_be_read_is_not_written():
    long = Offer(model="m" * 1000, source="s" * 1000, date=DAY, prices=[
        {"usd_per_million": {"input": 1, "output": 1}}])  # fmt: skip
    offers = [long.model_copy(update={"model": f"{n}" + long.model}) for n in range(600)]
    with pytest.raises(InputError, match="larger than 1 MiB"):
        own_text("p", offers)


amounts = st.decimals(0, 1000, places=9).map(lambda d: Decimal(format(d.normalize(), "f")))
texts = st.text(
    st.characters(min_codepoint=32, max_codepoint=0xD7FF, blacklist_characters="\x7f"), min_size=1
).filter(lambda text: text.isprintable())
rows = st.fixed_dictionaries(
    {
        "usd_per_million": st.fixed_dictionaries(
            {"input": amounts, "output": amounts},
            optional={"cached_input": amounts, "cache_write_1h": amounts, "reasoning": amounts},
        )
    },
    optional={
        "usd_per_request": amounts,
        "service": st.sampled_from(["batch", "flex", "priority"]),
        "context_gt": st.integers(0, 10**7),
        "valid_from": st.datetimes(timezones=st.just(dt.UTC)),
        "windows_utc": st.just([{"weekdays": [1, 7], "from": dt.time(1, 30), "to": dt.time(0, 0)}]),
    },
)


@settings(max_examples=60, deadline=None)
@given(st.lists(rows, min_size=1, max_size=4), texts, texts)
def test_any_offer_is_written_so_that_it_reads_back_the_same(prices, model, source):
    offer = Offer(model=model, source=source, weights="a/b", date=DAY, prices=prices)
    own_text("p", [offer])  # it reads it back itself, and refuses to differ


def test_changes_name_each_amount_that_moved_with_its_ratio(tmp_path):
    def priced(name, models):
        path = tmp_path / name
        path.write_text(
            json.dumps({"acme": {"models": {k: {"cost": v} for k, v in models.items()}}})
        )
        return read_price_file(path)

    tier = {"input": 4, "output": 8, "tier": {"type": "context", "size": 1000}}
    old = priced("old.json", {"a": {"input": 1, "output": 2}, "b": {"input": 1, "output": 2},
                              "gone": {"input": 1, "output": 1}})  # fmt: skip
    new = priced("new.json", {"a": {"input": 1.5, "output": 2, "cache_read": 0.1, "tiers": [tier]},
                              "b": {"input": 1, "output": 2.0},
                              "came": {"input": 1, "output": 1}})  # fmt: skip
    found = changes_between(old, new)
    assert (found.added, found.removed, found.unchanged) == (("acme/came",), ("acme/gone",), 1)
    assert [(c.row, c.amount, c.old_usd, c.new_usd, c.ratio) for c in found.changed] == [
        ("standard", "input", 1, Decimal("1.5"), 1.5),
        ("standard", "cached_input", None, Decimal("0.1"), None),
        ("standard, above 1,000 tokens", "input", None, 4, None),
        ("standard, above 1,000 tokens", "output", None, 8, None),
    ]
