"""Price rows, tables and exact bills, against the worked examples of tests/data/prices.json."""

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest

from tco.errors import InputError
from tco.price_row import Offer, TokenCounts
from tco.prices import load_tables, price_request

CASES = json.loads((Path(__file__).parent / "data" / "prices.json").read_text("utf-8"))["cases"]
NAMES = {"cache_read": "cached_input"}
COUNTS = ("fresh_input", "cache_read", "cache_write_5m", "cache_write_1h", "output", "reasoning")


def offer(case):
    rows = []
    for row in case["prices"]:
        plain = {k: v for k, v in row.items() if k not in {"usd_per_mtok", "usd_per_request"}}
        rates = {NAMES.get(k, k): Decimal(v) for k, v in row["usd_per_mtok"].items()}
        fee = Decimal(row.get("usd_per_request", "0"))
        rows.append({**plain, "usd_per_million": rates, "usd_per_request": fee})
    return Offer(model="m", source="s", date="2026-12-02", prices=rows)


def bill(case, request):
    counts = TokenCounts(**{NAMES.get(k, k): request[k] for k in COUNTS if k in request})
    at = dt.datetime.fromisoformat(request["at"])
    return price_request(offer(case), counts, request.get("service", "standard"), at)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_bill_is_the_worked_example_to_the_last_digit(case):
    bills = [bill(case, request) for request in case["requests"]]
    counts = [request["count"] for request in case["requests"]]
    expected = case["expected"]
    assert [b.total_usd for b in bills] == [Decimal(each) for each in expected["usd_each"]]
    for name, part in (("total", "total_usd"), ("input", "input_usd"), ("output", "output_usd"),
                       ("fees", "fee_usd")):  # fmt: skip
        total = sum(getattr(b, part) * n for b, n in zip(bills, counts, strict=True))
        assert total == Decimal(expected[f"usd_{name}"])


ROW = {"usd_per_million": {"input": 1, "output": 2}}


def one(**changes):
    return Offer(model="m", source="s", date="2026-12-02", prices=[{**ROW, **changes}])


NOON = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)


def test_a_service_that_is_not_sold_is_no_guess():
    with pytest.raises(LookupError, match="no batch price"):
        price_request(one(), TokenCounts(output=1), "batch", NOON)


def test_an_inclusive_tier_starts_at_its_threshold_and_nothing_holds_below():
    tier = one(context_ge=100)
    assert price_request(tier, TokenCounts(fresh_input=100), "standard", NOON).total_usd > 0
    with pytest.raises(LookupError, match="99 tokens"):
        price_request(tier, TokenCounts(fresh_input=99), "standard", NOON)


def test_a_row_ends_at_its_valid_to():
    row = one(valid_to="2026-12-02T12:00:00Z")
    with pytest.raises(LookupError, match="no standard price in force"):
        price_request(row, TokenCounts(output=1), "standard", NOON)


def test_reasoning_has_its_own_price_where_the_row_gives_one():
    row = one(usd_per_million={"input": 1, "output": 2, "reasoning": 10})
    counts = TokenCounts(output=1_000_000, reasoning=400_000)
    assert price_request(row, counts, "standard", NOON).output_usd == Decimal("5.2")


@pytest.mark.parametrize("amount", [-1, "1", True, float("nan")])
def test_an_amount_that_is_no_price_is_refused(amount):
    with pytest.raises(ValueError, match="must be"):
        one(usd_per_million={"input": amount, "output": 1})


def test_both_kinds_of_threshold_exclude_each_other():
    with pytest.raises(ValueError, match="exclude each other"):
        one(context_gt=1, context_ge=1)


def test_the_hash_is_of_the_row():
    assert one().sha256() == one().sha256()
    assert one().sha256() != one(service="batch").sha256()


def test_shipped_offers_all_name_source_and_date_and_hold_on_that_day():
    for name, listed in load_tables().offers.items():
        assert name == f"{listed.provider}/{listed.offer.model}"
        assert "genai-prices" in listed.offer.source
        at = dt.datetime.combine(listed.offer.date, dt.time(12), tzinfo=dt.UTC)
        assert listed.offer.rows("standard", at)[-1].usd_per_million.output > 0


def test_an_unknown_name_gives_the_nearest():
    with pytest.raises(InputError) as caught:
        load_tables().find("together/nemotron-3.5-super-v")
    assert "`together/nemotron-3.5-super-vl`" in caught.value.remedy


TABLE = """\
schema: tco.prices/1
provider: together
offers:
  - model: nemotron-3.5-super-vl
    source: my contract
    date: 2026-12-01
    prices: [{usd_per_million: {input: 9, output: 9}}]
"""


def test_rows_of_ones_own_table_win(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(TABLE)
    found = load_tables([mine]).find("together/nemotron-3.5-super-vl")
    assert found.table == "mine.yaml"
    assert found.offer.prices[0].usd_per_million.input == 9


def test_a_model_twice_in_a_table_is_an_error_with_its_line(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(TABLE + TABLE.split("offers:\n")[1])
    with pytest.raises(InputError, match="stands twice") as caught:
        load_tables([mine])
    assert caught.value.line == 8


def test_ones_own_table_must_say_when_its_prices_were_seen(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text(TABLE.replace("    date: 2026-12-01\n", ""))
    with pytest.raises(InputError, match="date"):
        load_tables([mine])


def test_a_window_up_to_midnight_ends_with_the_day():
    window = {"weekdays": [3], "from": "22:00:00", "to": "00:00:00"}
    evening = one(windows_utc=[window])
    for at, is_open in (("02T21:59", False), ("02T22:00", True), ("02T23:59", True),
                        ("03T00:00", False)):  # fmt: skip
        when = dt.datetime.fromisoformat(f"2026-12-{at}Z")
        assert evening.prices[0].in_force(when) is is_open


def test_a_public_table_is_as_good_as_ones_own(tmp_path):
    path = tmp_path / "api.json"
    cost = {"input": 0.1, "output": 0.4}
    path.write_text(json.dumps({"together": {"models": {"nemotron-3.5-super-vl": {"cost": cost}}}}))
    found = load_tables([path]).find("together/nemotron-3.5-super-vl")
    assert (found.table, found.offer.date) == ("api.json", None)
    assert found.offer.prices[0].usd_per_million.output == Decimal("0.4")


def test_a_price_beyond_any_price_is_refused(tmp_path):
    path = tmp_path / "p.yaml"
    path.write_text(
        "schema: tco.prices/1\nprovider: me\noffers:\n"
        "  - {model: m, source: s, date: 2026-12-01, prices: "
        "[{usd_per_million: {input: 1, output: 1e200}}]}\n"
    )
    with pytest.raises(InputError, match=r"output must be at most 1e\+09") as caught:
        load_tables([path])
    assert caught.value.line == 4
