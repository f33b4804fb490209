"""The same price as each public table writes it comes out to the same exact dollars."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco.errors import InputError
from tco.price_files.reading import read_price_file
from tco.price_row import TokenCounts, price_request
from tco.prices import load_tables

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "prices.json").read_text("utf-8"), parse_float=str)["cases"]
NOON = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)
SHAPE = TokenCounts(fresh_input=6000, cached_input=4000, output=500)


@pytest.fixture
def table(tmp_path):
    """Read a document, as its publisher would write it, from a file."""

    def read(document, name="acme.json", **options):
        path = tmp_path / name
        text = document if isinstance(document, str) else json.dumps(document)
        path.write_text(text, "utf-8")
        return read_price_file(path, **options)

    return read


def usd(offer, counts=SHAPE, service="standard", at=NOON):
    return price_request(offer, counts, service, at).total_usd


# USD 2.50, 0.25 (cached) and 10 per million, in each table's unit and in its own digits.
WRITTEN = {
    "litellm": '{"m": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 2.5e-06,'
    ' "cache_read_input_token_cost": 2.5e-07, "output_cost_per_token": 1e-05}}',
    "models.dev": '{"acme": {"models": {"m": {"cost": {"input": 2.5, "output": 10,'
    ' "cache_read": 0.25}}}}}',
    "portkey": '{"m": {"pricing_config": {"pay_as_you_go": {"request_token": {"price": 0.00025},'
    ' "response_token": {"price": 0.001}, "cache_read_input_token": {"price": 0.000025}}}}}',
    "genai-prices": '[{"id": "acme", "models": [{"id": "m", "match": {"equals": "m"}, "prices":'
    ' {"input_mtok": 2.5, "cache_read_mtok": 0.25, "output_mtok": 10}}]}]',
    "csv": "provider,model,input_usd_per_million,cached_input_usd_per_million,"
    "output_usd_per_million\nacme,m,2.50,0.25,10\n",
    "csv of tokens": "provider,model,input_usd_per_token,cached_input_usd_per_token,"
    "output_usd_per_thousand\nacme,m,2.5e-6,0.00000025,0.01\n",
    "our yaml": "schema: tco.prices/1\nprovider: acme\noffers:\n  - {model: m, source: s, date: "
    "2026-12-01, prices: [{usd_per_million: {input: 2.5, cached_input: 0.25, output: 10}}]}\n",
}


@pytest.mark.parametrize("format_name", WRITTEN)
def test_one_price_in_every_tables_unit_is_the_same_dollars(table, format_name):
    offer = table(WRITTEN[format_name]).offers["acme/m"].offer
    rates = offer.prices[0].usd_per_million
    assert (rates.input, rates.cached_input, rates.output) == (
        Decimal("2.5"), Decimal("0.25"), Decimal(10)
    )  # fmt: skip
    assert usd(offer) == Decimal("0.021")


def test_openrouter_writes_text_and_names_the_weights(table):
    pricing = {"prompt": "0.0000025", "completion": "0.00001", "input_cache_read": "0.00000025",
               "internal_reasoning": "0", "request": "0.001", "image": "0.002"}  # fmt: skip
    model = {"id": "lab/m", "hugging_face_id": "Lab/M-70B", "pricing": pricing}
    offer = table({"data": [model]}).offers["openrouter/lab/m"].offer
    assert offer.weights == "Lab/M-70B"
    assert offer.prices[0].usd_per_million.reasoning is None
    assert usd(offer) == Decimal("0.022")


def test_a_price_that_varies_is_refused_where_it_is_asked_for(tmp_path):
    path = tmp_path / "models.json"
    auto = {"id": "openrouter/auto", "pricing": {"prompt": "-1", "completion": "-1"}}
    path.write_text(json.dumps({"data": [auto]}))
    with pytest.raises(InputError, match="is -1: it varies"):
        load_tables([path]).find("openrouter/openrouter/auto")


@pytest.mark.parametrize(
    ("at", "expected"),
    [("11:59", "0.66"), ("12:00", "1.32"), ("23:59", "1.32"), ("00:00", "0.66")],
)
def test_openrouters_hours_are_utc_and_end_before_their_last_minute(table, at, expected):
    pricing = {"prompt": "0.00000066", "completion": "0.00000198",
               "overrides": [{"utc_start": 1200, "utc_end": 0, "prompt": "0.00000132"}],
               }  # fmt: skip
    offer = table({"data": [{"id": "m", "pricing": pricing}]}).offers["openrouter/m"].offer
    when = dt.datetime.fromisoformat(f"2026-12-02T{at}Z")
    assert usd(offer, TokenCounts(fresh_input=10**6), at=when) == Decimal(expected)


def test_openrouters_tier_starts_at_its_smallest_prompt(table):
    pricing = {"prompt": "0.000003", "completion": "0.000015",
               "overrides": [{"min_prompt_tokens": 200000, "prompt": "0.000006"}]}  # fmt: skip
    offer = table({"data": [{"id": "m", "pricing": pricing}]}).offers["openrouter/m"].offer
    assert usd(offer, TokenCounts(fresh_input=199_999)) == Decimal("0.599997")
    assert usd(offer, TokenCounts(fresh_input=200_000)) == Decimal("1.2")


def test_an_override_under_an_unknown_condition_leaves_the_model_out(table):
    pricing = {"prompt": "0.000003", "completion": "0.000015",
               "overrides": [{"region": "eu", "prompt": "0.000006"}]}  # fmt: skip
    found = table({"data": [{"id": "m", "pricing": pricing}]})
    assert not found.offers
    assert found.left_out[0].reason == "a price of it holds under region"


def test_an_override_on_some_days_leaves_the_model_out(table):
    hours = {"utc_start": 1200, "utc_end": 0, "utc_days": ["monday"], "prompt": "0.000006"}
    pricing = {"prompt": "0.000003", "completion": "0.000015", "overrides": [hours]}
    found = table({"data": [{"id": "m", "pricing": pricing}]})
    assert not found.offers
    assert "utc_days" in found.left_out[0].reason


def test_openrouters_writes_for_an_hour_have_their_price(table):
    pricing = {"prompt": "0.000005", "completion": "0.000025", "input_cache_write": "0.00000625",
               "input_cache_write_1h": "0.00001", "web_search": "0.01", "image": "0"}  # fmt: skip
    offer = table({"data": [{"id": "m", "pricing": pricing}]}).offers["openrouter/m"].offer
    rates = offer.prices[0].usd_per_million
    assert (rates.cache_write_5m, rates.cache_write_1h) == (Decimal("6.25"), 10)


def test_an_override_of_the_fee_and_of_images_holds_like_any(table):
    longer = {"min_prompt_tokens": 1000, "request": "0.02", "image": "0.1"}
    pricing = {"prompt": "0.000001", "completion": "0", "request": "0.01", "overrides": [longer]}
    offer = table({"data": [{"id": "m", "pricing": pricing}]}).offers["openrouter/m"].offer
    assert usd(offer, TokenCounts(fresh_input=999)) == Decimal("0.010999")
    assert usd(offer, TokenCounts(fresh_input=1000)) == Decimal("0.021")


@pytest.mark.parametrize(("discount", "notes"), [(0, 0), ("0", 0), (Decimal("0.5"), 1)])
def test_a_discount_that_may_be_in_the_price_already_is_said(table, discount, notes):
    pricing = {"prompt": "0.000003", "completion": "0.000015", "discount": 0}
    text = json.dumps({"data": [{"id": "m", "pricing": pricing}]})
    raw = f'"{discount}"' if isinstance(discount, str) else str(discount)
    found = table(text.replace('"discount": 0', f'"discount": {raw}'))
    assert "openrouter/m" in found.offers
    assert len(found.left_out) == notes
    assert all("discount of 0.5" in each.reason for each in found.left_out)


def test_portkeys_writes_for_an_hour_have_their_price(table):
    row = {"pricing_config": {"pay_as_you_go": {
        "request_token": {"price": 0.0003}, "response_token": {"price": 0.0015},
        "cache_write_input_token": {"price": 0.000375},
        "additional_units": {"cache_write_1h": {"price": 0.0006}, "web_search": {"price": 1}},
    }, "batch_config": {"request_token": {"price": 0.00015},
                        "response_token": {"price": 0.00075}}}}  # fmt: skip
    standard, batch = table({"m": row}, "lab.json").offers["lab/m"].offer.prices
    rates = standard.usd_per_million
    assert (rates.input, rates.cache_write_5m, rates.cache_write_1h) == (3, Decimal("3.75"), 6)
    assert (batch.service, batch.usd_per_million.cache_write_1h) == ("batch", None)


def raw_cases():
    for case in CASES:
        raw = case.get("raw", [])
        for index, each in enumerate([raw] if isinstance(raw, dict) else raw):
            yield pytest.param(case, each, id=f"{case['id']}-{index}")


@pytest.mark.parametrize(("case", "raw"), list(raw_cases()))
def test_a_public_row_of_a_worked_example_is_its_prices(table, case, raw):
    document = {
        "litellm": lambda: {raw["key"]: raw["row"]},
        "openrouter": lambda: {"data": [raw["row"]]},
        "portkey": lambda: {"default": raw["row"], raw["model"]: raw["row"]},
    }[raw["format"]]()
    # The digits of the example, not those of a float.
    text = json.dumps(document)
    for number in sorted(_numbers(document), key=len, reverse=True):
        text = text.replace(f'"{number}"', number) if raw["format"] != "openrouter" else text
    found = table(text, "openai.json")
    assert len(found.offers) == 1
    offer = next(iter(found.offers.values())).offer
    assert len(offer.prices) == len(case["prices"])
    for request in case["requests"]:
        names = {"cache_read": "cached_input"}
        kinds = ("fresh_input", "cache_read", "output")
        counts = TokenCounts(**{names.get(k, k): request[k] for k in kinds if k in request})
        each = usd(offer, counts, request.get("service", "standard"),
                   dt.datetime.fromisoformat(request["at"]))  # fmt: skip
        assert each in [Decimal(usd_each) for usd_each in case["expected"]["usd_each"]]


def _numbers(tree):
    if isinstance(tree, dict):
        return {n for value in tree.values() for n in _numbers(value)}
    if isinstance(tree, list):
        return {n for value in tree for n in _numbers(value)}
    return {tree} if isinstance(tree, str) and tree[:1].isdigit() else set()


def test_portkeys_default_row_is_no_model_and_a_cache_at_nothing_bills_as_fresh(table):
    row = {"pricing_config": {"pay_as_you_go": {
        "request_token": {"price": 0.001}, "response_token": {"price": 0.002},
        "cache_write_input_token": {"price": 0},
        "cache_read_input_token": {"price": 0}}}}  # fmt: skip
    found = table({"default": row, "m": row}, "lab.json")
    assert list(found.offers) == ["lab/m"]
    assert found.left_out[0].name == "lab/default"
    rates = found.offers["lab/m"].offer.prices[0].usd_per_million
    assert (rates.input, rates.cached_input, rates.cache_write_5m) == (10, None, None)
    assert "lab/m" not in table({"m": row}, "lab.json", provider="other").offers


def test_portkeys_other_currencies_are_left_out(table):
    prices = {"request_token": {"price": 1}, "response_token": {"price": 1}}
    row = {"pricing_config": {"currency": "EUR", "pay_as_you_go": prices}}
    assert table({"m": row}).left_out[0].reason == "its price is in EUR"


def test_models_devs_context_over_200k_is_whatever_tier_there_is(table):
    tier = {"input": 4, "output": 12, "cache_read": 1}
    cost = {"input": 2, "output": 6, "cache_read": 0.5, "context_over_200k": tier}
    sized = {**cost, "tiers": [{**tier, "tier": {"type": "context", "size": 272000}}]}
    models = {"old": {"cost": cost}, "new": {"cost": sized}, "free of charge": {}}
    found = table({"acme": {"models": models}})
    at_least = {name: one.offer.prices[-1].context_gt for name, one in found.offers.items()}
    assert at_least == {"acme/old": 200_000, "acme/new": 272_000}
    assert len(found.offers["acme/new"].offer.prices) == 2
    assert [(each.name, each.is_whole) for each in found.left_out] == [
        ("acme/old", False), ("acme/free of charge", True)
    ]  # fmt: skip


def test_models_devs_tiers_of_another_kind_are_left_out(table):
    cost = {"input": 2, "output": 6, "tiers": [{"input": 1, "output": 1, "tier": {"type": "day"}}]}
    found = table({"acme": {"models": {"m": {"cost": cost}}}})
    assert "not at a context size" in found.left_out[0].reason


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": NaN}', "NaN"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"a": ', "not valid JSON"),
        ('{"a": {"b": 1}}', "no price table of a known format"),
        ("[" * 100_000, "nested too deep"),
        ("", "is empty"),
        ("model,input_usd_per_million,output_usd_per_million,colour\n", "'colour' is not known"),
        ("model,input_usd_per_million\nm,1\n", "no column of output"),
        ("provider,model,input_usd_per_million,output_usd_per_million\na,m,1\n", "3 cells"),
        ("provider,model,input_usd_per_million,output_usd_per_million\na,m,x,1\n", "'x', and no"),
        ("provider,model,input_usd_per_million,output_usd_per_million\na,m,-1,1\n", "it varies"),
    ],
)
def test_what_is_no_price_table_is_said_in_a_sentence(table, text, words):
    with pytest.raises(InputError, match=words):
        table(text, "t.txt")


def test_csv_without_a_provider_column_takes_the_one_that_is_given(table):
    text = (
        "model,service,context_gt,valid_from,input_usd_per_million,output_usd_per_million,"
        "usd_per_request,weights,source,date\n"
        'm,,,,1,2,,Lab/M,"price page, seen",2026-11-30\n'
        "m,,1000,,3,4,,,,\n"
        "m,batch,,,0.5,1,0.01,,,\n"
        "m,,,2027-01-01T00:00:00Z,9,9,,,,\n"
    )
    offer = table(text, "x.csv", provider="lab").offers["lab/m"].offer
    assert (offer.weights, offer.source) == ("Lab/M", "price page, seen")
    assert offer.date == dt.date(2026, 11, 30)
    assert usd(offer, TokenCounts(fresh_input=1000)) == Decimal("0.001")
    assert usd(offer, TokenCounts(fresh_input=1001)) == Decimal("0.003003")
    assert usd(offer, TokenCounts(fresh_input=1000), "batch") == Decimal("0.0105")
    later = dt.datetime(2027, 1, 1, tzinfo=dt.UTC)
    assert usd(offer, TokenCounts(fresh_input=1000), at=later) == Decimal("0.009")
    with pytest.raises(InputError, match="no column of provider"):
        table(text, "x.csv")


per_million = st.decimals(0, 1000, places=8, allow_nan=False).filter(bool)


def written(usd_per_million, power, style):
    """The amount in another unit, by its digits, as tables write it."""
    amount = usd_per_million.scaleb(-power)
    return format(amount, "f") if style == "plain" else format(amount, "e")


IN_ANY_FORMAT = {
    "acme/m": (
        6,
        (
            '{"m": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": IN, '
            '"output_cost_per_token": OUT}}'
        ),
    ),
    "openrouter/m": (
        6,
        '{"data": [{"id": "m", "pricing": {"prompt": "IN", "completion": "OUT"}}]}',
    ),
    "portkey/m": (
        4,
        (
            '{"m": {"pricing_config": {"pay_as_you_go": {"request_token": {"price": IN}, '
            '"response_token": {"price": OUT}}}}}'
        ),
    ),
    "dev/m": (0, '{"dev": {"models": {"m": {"cost": {"input": IN, "output": OUT}}}}}'),
    "lab/m": (
        0,
        (
            '[{"id": "lab", "models": [{"id": "m", "prices": {"input_mtok": IN, '
            '"output_mtok": OUT}}]}]'
        ),
    ),
    "csv/m": (6, "provider,model,input_usd_per_token,output_usd_per_token\ncsv,m,IN,OUT\n"),
}


@pytest.mark.parametrize("name", IN_ANY_FORMAT)
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(per_million, per_million, st.sampled_from(["plain", "exponent"]))
def test_any_price_is_exact_to_its_last_digit(table, name, usd_in, usd_out, style):
    power, text = IN_ANY_FORMAT[name]
    for word, usd_per_million in (("IN", usd_in), ("OUT", usd_out)):
        text = text.replace(word, written(usd_per_million, power, style))
    rates = table(text, "portkey.json").offers[name].offer.prices[0].usd_per_million
    assert (rates.input, rates.output) == (usd_in, usd_out)


def test_a_csv_row_at_fault_is_named_with_what_to_do(tmp_path):
    path = tmp_path / "mine.csv"
    head = "provider,model,input_usd_per_million,output_usd_per_million"
    path.write_text(f"{head}\nacme,good,1,2\nacme,half,,2\nacme,broken,abc,2\n")
    with pytest.raises(InputError) as caught:
        load_tables([path])
    assert caught.value.message == (
        "acme/half: usd_per_million.input is missing (2 rows have faults)"
    )
    assert caught.value.line == 3
    assert "correct the row" in caught.value.remedy


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("provider,model,input_eur_per_million", "the column 'input_eur_per_million' is not known"),
        ("provider,model", "has no column of input"),
    ],
)
def test_a_csv_without_prices_that_are_known_is_told_by_its_columns(tmp_path, head, words):
    path = tmp_path / "mine.csv"
    path.write_text(f"{head}\nacme,good\n")
    with pytest.raises(InputError) as caught:
        load_tables([path])
    assert (caught.value.message, caught.value.line) == (words, 1)
