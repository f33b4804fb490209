"""Each kind of finding of a price table, provoked."""

import datetime as dt
from decimal import Decimal

import pytest

from tco.price_check import check_files, check_tables
from tco.price_faults import kind_of_zero
from tco.price_files.table import ListedOffer, Table
from tco.price_row import Offer

DAY = dt.date(2026, 12, 2)


def row(usd=1, out=2, **changes):
    return {"usd_per_million": {"input": usd, "output": out}, **changes}


def table(*prices, name="t.yaml", provider="p", model="m", date="2026-12-01"):
    made = Table(name, "test")
    offer = Offer(model=model, source="s", date=date, prices=prices or (row(),))
    made.offers[f"{provider}/{model}"] = ListedOffer(name, provider, offer)
    return made


def kinds(*tables, **options):
    return {f.kind: f.severity for f in check_tables(tables, DAY, **options)}


def test_a_sound_table_gives_no_finding():
    assert kinds(table()) == {}


@pytest.mark.parametrize(
    "usd", ["1.5e-7", "0.00015", "150000"], ids=["per token", "per thousand", "a million times"]
)
def test_a_price_in_another_unit_is_invalid(usd):
    assert kinds(table(row(Decimal(usd), Decimal(usd)))) == {"price_unit": "invalid"}


def test_a_price_a_hundred_times_another_tables_is_a_unit_too():
    cents = table(row(15, 60), name="cents.yaml")
    found = kinds(table(row(0.15, 0.6)), cents)
    assert found == {"price_unit": "invalid", "row_twice": "info"}


def test_a_disagreement_is_said_and_rounding_is_none():
    assert kinds(table(), table(row(2, 2), name="u")) == {
        "row_twice": "info", "price_disagreement": "warn"
    }  # fmt: skip
    assert kinds(table(), table(row(1.004, 2), name="u")) == {"row_twice": "info"}


def test_the_second_source_is_held_against_every_row():
    other = table(row(3, 3), name="genai-prices").offers
    assert kinds(table(), second=other.get) == {"price_disagreement": "warn"}


@pytest.mark.parametrize(
    ("provider", "model", "kind"),
    [("openrouter", "lab/m:free", "free"), ("ollama", "m", "local"), ("p", "m-trial", "trial"),
     ("p", "m", "unknown")],
)  # fmt: skip
def test_a_price_of_nothing_says_which_kind_it_is(provider, model, kind):
    free = table(row(0, 0), provider=provider, model=model)
    assert kinds(free) == {"price_is_zero": "warn"}
    assert kind_of_zero(f"{provider}/{model}") == kind
    assert f"asks nothing ({kind})" in check_tables([free], DAY)[0].message


def test_prices_that_ended_have_not_begun_or_will_change_are_said():
    ended, begins = {"valid_to": "2026-12-01T00:00:00Z"}, {"valid_from": "2027-01-01T00:00:00Z"}
    assert kinds(table(row(**ended))) == {"price_expired": "warn"}
    assert kinds(table(row(**begins))) == {"price_not_yet": "warn"}
    assert kinds(table(row(), row(2, 3, **begins))) == {"price_will_change": "info"}


def test_dates_that_are_old_ahead_or_missing_are_said():
    assert kinds(table(date="2026-09-02")) == {"price_is_old": "warn"}
    assert kinds(table(date="2026-12-03")) == {"price_of_the_future": "warn"}
    assert kinds(table(date=None)) == {"price_without_date": "warn"}


def test_a_row_that_a_later_one_hides_is_said():
    assert kinds(table(row(3, 3, context_gt=10), row())) == {"row_never_holds": "warn"}
    assert kinds(table(row(), row(3, 3, context_gt=10))) == {}


def test_a_cached_or_a_batch_price_above_the_usual_one_is_said():
    cached = {"usd_per_million": {"input": 1, "cached_input": 2, "output": 2}}
    assert kinds(table(cached)) == {"cached_above_input": "warn"}
    assert kinds(table(row(), row(2, 4, service="batch"))) == {"service_above_standard": "warn"}


def test_what_is_left_out_is_counted_by_its_reason():
    made = table()
    made.leave("p/a", "it varies")
    made.leave("p/b", "it varies")
    found = check_tables([made], DAY)
    assert [f.message for f in found] == ["is read without 2 rows (p/a, p/b): it varies"]


def test_the_shipped_tables_are_sound_on_the_day_of_their_data():
    found = check_files((), dt.date(2026, 11, 9))
    assert found.rows >= 20
    assert [f for f in found.findings if f.severity != "info"] == []


def test_no_more_than_three_names_are_told_and_notes_are_told_too():
    made = table()
    for name in "abcde":
        made.leave(f"p/{name}", "it varies")
    made.note("p/m", "without its batch price")
    found = {each.kind: each.message for each in check_tables([made], DAY)}
    assert found["rows_left_out"] == "is read without 5 rows (p/a, p/b, p/c and 2 more): it varies"
    assert found["rows_in_part"] == "is read with a note on 1 row (p/m): without its batch price"


def test_a_price_by_the_token_is_written_without_an_exponent():
    (found,) = check_tables([table(row(Decimal("1.5e-7"), 1))], DAY)
    assert (
        "asks 0.00000015 USD for a million input tokens, which is what one token" in found.message
    )


@pytest.mark.parametrize(("usd", "out", "is_said"), [(1, 0, True), (0, 1, False), (1, 2, False)])
def test_a_price_of_input_alone_is_said(usd, out, is_said):
    assert ("output_is_free" in kinds(table(row(usd, out)))) is is_said
