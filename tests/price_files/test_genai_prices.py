"""genai-prices behind our tables: the same dollars as its own library, on any date and service."""

import datetime as dt
import json
import random
import subprocess
import sys
import threading
import warnings
from decimal import Decimal

import pytest
from genai_prices import Usage
from genai_prices.data import providers

from tco.errors import InputError
from tco.price_files.genai_prices import bundled_name, bundled_names, bundled_offer
from tco.price_files.genai_rows import SERVICES
from tco.price_files.reading import read_price_file
from tco.price_files.table import PriceFaultError
from tco.price_row import TokenCounts, price_request
from tco.prices import load_tables

NOON = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)
MODELS = {f"{p.id}/{m.id}": (p, m) for p in providers for m in p.models}
DAYS = [dt.date(2025, 1, 1), dt.date(2026, 3, 13), dt.date(2026, 10, 13), dt.date(2026, 12, 2)]
SIZES = [16, 4000, 32_000, 128_016, 200_000, 200_016, 272_016, 600_000]
# What its data has of each kind of condition.
KINDS = [
    "anthropic/claude-opus-4-6", "openai/gpt-5", "deepseek/deepseek-v4-pro",
    "deepseek/deepseek-chat", "perplexity/sonar-pro", "google/gemini-2.5-pro",
    "openrouter/nvidia/nemotron-3.5-super-vl", "avian/deepseek/deepseek-v4-flash",
]  # fmt: skip


def their_usd(name, size, service, at):
    provider, model = MODELS[name]
    usage = Usage(
        input_tokens=size, cache_read_tokens=size // 2, cache_write_tokens=size // 8,
        cache_write_1h_tokens=size // 16, output_tokens=777, output_reasoning_tokens=77,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.calc_price(
            usage, provider, genai_request_timestamp=at, price_context=dict(SERVICES[service])
        ).total_price


def our_usd(offer, size, service, at):
    counts = TokenCounts(
        fresh_input=size - size // 2 - size // 8, cached_input=size // 2,
        cache_write_5m=size // 16, cache_write_1h=size // 16, output=777, reasoning=77,
    )  # fmt: skip
    return price_request(offer, counts, service, at).total_usd


@pytest.mark.parametrize("seed", range(40))
def test_our_rows_bill_what_its_own_library_bills(seed):
    draw = random.Random(seed)  # noqa: S311 - which models are compared
    name = KINDS[seed] if seed < len(KINDS) else draw.choice(sorted(MODELS))
    try:
        offer = bundled_offer(name).offer
    except PriceFaultError:
        return
    for day in DAYS:
        at = dt.datetime.combine(day, dt.time(draw.randrange(24), 30), tzinfo=dt.UTC)
        size = draw.choice(SIZES)
        for service in offer.services():
            try:
                found = our_usd(offer, size, service, at)
            except LookupError:
                continue  # not sold so early
            assert found == their_usd(name, size, service, at)


def test_it_is_asked_for_names_that_no_table_of_ours_has():
    listed = load_tables().find("openai/gpt-5")
    assert listed.table == bundled_name() == "genai-prices 0.2.3"
    assert listed.offer.date == dt.date(2026, 11, 9)
    assert "https://developers.openai.com" in listed.offer.source
    assert len(listed.offer.sha256()) == 64


def test_a_name_that_it_says_is_the_same_is_found_and_one_that_begins_alike_is_not():
    tables = load_tables()
    assert tables.find("openai/gpt-5-2025-08-07").offer.model == "gpt-5"
    with pytest.raises(InputError, match="no price row `openai/gpt-5-of-mine`") as caught:
        tables.find("openai/gpt-5-of-mine")
    assert "did you mean `openai/gpt-5" in caught.value.remedy


def test_our_own_rows_win_and_never_import_it():
    code = (
        "import sys; from tco.prices import load_tables\n"
        "print(load_tables().find('together/nemotron-3.5-super-vl').table)\n"
        "print([name for name in sys.modules if name.startswith('genai_prices')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "pricing/api/together.yaml\n[]\n"


def test_no_thread_of_it_is_started():
    load_tables().find("openai/gpt-5")
    assert not [t for t in threading.enumerate() if "genai" in t.name.casefold()]


def test_a_service_that_it_does_not_sell_is_no_guess_though_it_takes_any():
    offer = bundled_offer("groq/llama-3.1-8b-instant").offer
    service = next(s for s in SERVICES if s not in offer.services())
    assert their_usd("groq/llama-3.1-8b-instant", 1000, service, NOON) > 0
    with pytest.raises(LookupError, match=f"no {service} price"):
        our_usd(offer, 1000, service, NOON)


def test_a_service_is_not_sold_before_its_price_was_seen():
    offer = bundled_offer("openai/gpt-5").offer
    with pytest.raises(LookupError, match="no batch price in force on 2026-10-13"):
        our_usd(offer, 1000, "batch", dt.datetime(2026, 10, 13, 12, tzinfo=dt.UTC))


def test_a_model_of_which_it_has_no_token_price_says_so():
    name = next(n for n in bundled_names() if n.startswith("openai/text-embedding"))
    with pytest.raises(InputError, match="cannot be used: it has no price of input and output"):
        load_tables().find(name)


DATA = [{
    "id": "acme",
    "pricing_urls": ["https://acme.example/prices"],
    "models": [
        {"id": "tiers", "match": {"equals": "tiers"}, "prices": {
            "input_mtok": {"base": 1, "tiers": [{"start": 1000, "price": 3}]}, "output_mtok": 2}},
        {"id": "dated", "prices": [
            {"prices": {"input_mtok": 1, "output_mtok": 1}},
            {"constraint": {"start_date": "2026-12-02"},
             "prices": {"input_mtok": 2, "output_mtok": 2}},
            {"constraint": {"start_time": "22:00:00Z", "end_time": "13:00:00Z"},
             "prices": {"input_mtok": 4, "output_mtok": 4}}],
         "price_variants": [{"when": {"processing": "batch"}, "prices": {"output_mtok": 0.5}}]},
        {"id": "weekly", "prices": [{"constraint": {"weekday": 3}, "prices": {"input_mtok": 1}}]},
        {"id": "pages", "prices": {"input_document_kpages": 1}},
    ],
}]  # fmt: skip


def test_its_data_file_is_read_by_the_same_rules(tmp_path):
    path = tmp_path / "data.json"
    path.write_text(json.dumps(DATA))
    found = read_price_file(path)
    tiers, dated = (found.offers[f"acme/{name}"].offer for name in ("tiers", "dated"))
    assert our_usd(tiers, 992, "standard", NOON) == Decimal("0.002546")
    assert our_usd(tiers, 1008, "standard", NOON) == Decimal("0.004578")
    assert [row.context_gt for row in tiers.prices] == [None, 1000]
    assert "https://acme.example/prices" in tiers.source
    assert tiers.date is None
    inputs = [
        dated.rows(service, dt.datetime.fromisoformat(f"2026-12-{at}Z"))[-1].usd_per_million.input
        for service, at in (
            ("standard", "01T12:00"),
            ("standard", "01T13:00"),
            ("standard", "02T13:00"),
            ("standard", "02T23:00"),
            ("batch", "02T14:00"),
        )
    ]
    assert inputs == [4, 1, 2, 4, 2]
    assert {each.name: each.reason for each in found.left_out} == {
        "acme/weekly": "a price of it holds under a mapping",
        "acme/pages": "it has no price of input and output tokens",
    }
