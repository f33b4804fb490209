"""One request priced at all providers of the same weights."""

import datetime as dt
from decimal import Decimal

import pytest

from tco.errors import InputError
from tco.price_files.table import ListedOffer, PriceFaultError
from tco.price_quotes import quotes, request_of, same_name, short_name
from tco.price_row import Offer
from tco.prices import PriceTables, load_tables

DAY = dt.date(2026, 12, 2)
ONE = request_of(1000, 500, 0)


def listed(name, *prices, weights=None, table="t.yaml"):
    provider, _, model = name.partition("/")
    offer = Offer(model=model, weights=weights, source="s", date="2026-12-01", prices=prices)
    return ListedOffer(table, provider, offer)


def row(usd, **changes):
    return {"usd_per_million": {"input": usd, "output": usd}, **changes}


def tables(*offers, second=()):
    behind = {one.name: one for one in second}
    return PriceTables({one.name: one for one in offers}, {}, behind.get, lambda: list(behind))


def found(model, *offers, second=(), counts=ONE):
    return quotes(model, tables(*offers, second=second), counts, DAY).quotes


def test_offers_of_the_same_weights_stand_side_by_side_cheapest_first():
    offers = [
        listed("dear/big", row(2), weights="Lab/Big-70B"),
        listed("cheap/lab-big-70b-fp8", row(1), weights="lab/big-70b"),
        listed("other/small", row(1), weights="Lab/Small"),
    ]
    for name in ("Lab/Big-70B", "dear/big", "BIG"):
        assert [quote.provider for quote in found(name, *offers)] == ["cheap", "dear"]
    assert found("big", *offers)[0].usd_per_request == Decimal("0.0015")


def test_each_service_is_a_quote_of_its_own():
    services = [q.service for q in found("m", listed("p/m", row(2), row(1, service="batch")))]
    assert services == ["batch", "standard"]


def test_offers_of_the_second_source_are_the_same_by_name_alone():
    ours = listed("p/m", row(2), weights="Lab/M")
    theirs = listed("q/lab/m:free", row(0), table="genai-prices")
    silent = listed("q/lab/n", row(1))
    got = found("Lab/M", ours, second=[theirs, silent])
    assert [(quote.provider, quote.same_by) for quote in got] == [("p", "weights"), ("q", "name")]


def test_the_same_bill_of_one_provider_in_two_tables_is_one_quote():
    ours = listed("p/m", row(2), weights="Lab/M")
    again, dearer = listed("p/lab/m", row(2)), listed("p/labs/m", row(3))
    assert len(found("Lab/M", ours, second=[again, dearer])) == 2


def test_a_price_of_nothing_is_no_cheapest_and_one_not_in_force_says_so():
    later = row(1, valid_from="2027-01-01T00:00:00Z")
    got = found("m", listed("a/m", row(0)), listed("b/m", later), listed("c/m", row(9)))
    assert [quote.provider for quote in got] == ["c", "a", "b"]
    assert got[2].usd_per_request is None
    assert got[2].usd_per_request_reason == "m has no standard price in force on 2026-12-02"


def test_the_tier_of_the_request_is_shown():
    tiers = listed("p/m", row(1), row(3, context_gt=999))
    assert found("m", tiers)[0].input_usd_per_million == 3


def test_a_row_of_the_second_source_that_prices_no_text_is_passed_over():
    def second(name):
        raise PriceFaultError(f"{name} is sold by pages")

    behind = PriceTables({}, {}, second, lambda: ["p/m"])
    with pytest.raises(InputError, match="no price table knows the model `m`"):
        quotes("m", behind, ONE, DAY)


def test_an_unknown_model_names_the_nearest():
    with pytest.raises(InputError) as caught:
        found("p/nemotrn", listed("p/nemotron", row(1)))
    assert caught.value.remedy == "did you mean `p/nemotron`?"


def test_the_worked_example_comes_out_of_the_shipped_tables():
    # prices.json, price-s01: 10,000 requests cost USD 6.645
    counts = request_of(10_000, 500, 0.835)
    got = quotes("together/nemotron-3.5-super-vl", load_tables(), counts, DAY).quotes
    together = next(quote for quote in got if quote.provider == "together")
    assert together.usd_per_request * 10_000 == Decimal("6.645")
    assert together.same_by == "weights"
    assert {"together", "baseten", "openrouter"} <= {quote.provider for quote in got}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [((-1, 1, 0), "--input-tokens"), ((1, 1e9, 0), "--output-tokens"),
     ((1, float("nan"), 0), "--output-tokens"), ((1, 1, 1.5), "--cached-input-share")],
)  # fmt: skip
def test_a_request_that_cannot_be_is_refused(arguments, words):
    with pytest.raises(InputError, match=words):
        request_of(*arguments)


def test_a_short_name_has_neither_maker_nor_variant():
    assert short_name("nvidia/Nemotron-3.5:free") == "nemotron-3.5"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("aws/openai.gpt-oss-120b-1:0", "openai/gpt-oss-120b"),
        ("databricks/databricks-gpt-oss-120b", "openai/gpt-oss-120b"),
        ("aws/meta.llama3-3-70b-instruct-v1:0", "meta-llama/Llama-3.3-70B-Instruct"),
        ("fireworks/deepseek-v3p2", "deepseek/deepseek-v3.2"),
        ("novita/deepseek/deepseek_v3", "deepseek-ai/DeepSeek-V3"),
    ],
)
def test_spellings_of_one_name_are_the_same(one, other):
    assert same_name(one) == same_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("gpt-oss-120b", "gpt-oss-20b"),
        ("o4", "o4-mini"),
        ("llama-3.1-8b-instruct", "llama-3.1-70b-instruct"),
        ("llama-3.3-70b-instruct", "Llama-3.3-70B-Instruct-Turbo"),
        ("llama-3.3-70b-instruct", "llama-3.3-70b-instruct-fp8-fast"),
        ("deepseek-v3", "deepseek-v3-0324"),
        ("nvidia.nemotron-nano-9b-v2:0", "nemotron-nano-9b"),
        ("claude-3-5-sonnet-20241022-v2:0", "claude-3-5-sonnet-20241022"),
    ],
)
def test_another_size_date_version_or_precision_is_another_name(one, other):
    assert same_name(one) != same_name(other)


def test_every_spelling_of_the_bundled_tables_is_found_and_no_bill_stands_twice():
    got = quotes("gpt-oss-120b", load_tables(), ONE, DAY).quotes
    assert {"aws", "databricks"} <= {quote.provider for quote in got}
    assert all("-20b" not in quote.model and "safeguard" not in quote.model for quote in got)
    batch = [
        q for q in got if q.provider == "openrouter" and q.usd_per_request == got[0].usd_per_request
    ]
    assert len(batch) == 1


def test_a_row_under_the_makers_name_that_one_public_table_alone_has_is_said():
    found = quotes("openai/gpt-oss-120b", load_tables(), ONE, DAY)
    (said,) = found.findings
    assert (said.kind, said.severity, said.path) == (
        "maker_as_provider", "warn", "openai/gpt-oss-120b"
    )  # fmt: skip
    assert "genai-prices" in said.message


@pytest.mark.parametrize("model", ["openai/gpt-5", "deepseek-v3.2", "llama-3.3-70b-instruct"])
def test_closed_models_and_weights_that_no_table_states_give_no_such_warning(model):
    assert quotes(model, load_tables(), ONE, DAY).findings == ()


def test_a_maker_that_a_table_with_weights_lists_is_not_doubted():
    offer = Offer(
        model="m", weights="lab/m", source="page", date=DAY,
        prices=[{"usd_per_million": {"input": 1, "output": 2}}],
    )  # fmt: skip
    tables = PriceTables({"lab/m": ListedOffer("mine.yaml", "lab", offer)})
    assert quotes("lab/m", tables, ONE, DAY).findings == ()
