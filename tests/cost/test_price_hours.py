"""The hours of a week by the rows in force: what the sum over all its minutes gives."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco.cost.price_hours import price_hours
from tco.errors import InputError
from tco.prices import ListedOffer, Offer, PriceTables
from tco.scenario import Alternative

DAY = dt.date(2026, 12, 2)
EVEN = (1.0,) * 168
BASE = {"usd_per_million": {"input": 1, "output": 2}}
MONDAY = dt.datetime(2026, 11, 30, tzinfo=dt.UTC)


def listed(*rows):
    offer = Offer(model="m", source="s", date="2026-12-01", prices=rows)
    return PriceTables({"p/m": ListedOffer("t", "p", offer)})


def hours(*rows, weights=EVEN, date=DAY, service="standard"):
    alternative = Alternative(catalog="p/m", service=service)
    return price_hours(alternative, 0, listed(*rows), date, weights)


def window(start, end, *weekdays):
    return {"weekdays": weekdays or (1, 2, 3, 4, 5, 6, 7), "from": start, "to": end}


def row(usd, *windows, **changes):
    return {"usd_per_million": {"input": usd, "output": usd}, "windows_utc": windows, **changes}


def test_a_price_without_windows_is_one_group():
    (one,) = hours(BASE, row(2, service="batch"))
    assert one.share == 1
    assert [each.usd_per_million.input for each in one.rows] == [1]


@settings(max_examples=20)
@given(
    st.lists(st.tuples(st.integers(0, 1439), st.integers(0, 1439), st.integers(1, 7)), max_size=4),
    st.lists(st.floats(0, 5), min_size=24, max_size=24).filter(lambda each: sum(each) > 0.1),
)
def test_the_groups_are_the_minutes_of_the_week_summed(spans, day_weights):
    windows = [
        window(f"{a // 60:02}:{a % 60:02}:00", f"{b // 60:02}:{b % 60:02}:00", weekday)
        for a, b, weekday in spans
    ]
    rows = (BASE, *(row(2 + place, each) for place, each in enumerate(windows)))
    got = hours(*rows, weights=tuple(day_weights) * 7)
    offer = listed(*rows).find("p/m").offer
    shares, total = {}, sum(day_weights) * 7 * 60
    for minute in range(7 * 24 * 60):
        found = offer.rows("standard", MONDAY + dt.timedelta(minutes=minute))
        weight = day_weights[minute // 60 % 24] / total
        shares[found] = shares.get(found, 0.0) + weight
    assert {each.rows: each.share for each in got} == pytest.approx(
        {rows: share for rows, share in shares.items() if share > 0}
    )
    assert [each.share for each in got] == sorted((each.share for each in got), reverse=True)


def test_168_weights_begin_on_monday_at_midnight_utc():
    weights = [0.0] * 168
    weights[24 + 3] = 1.0
    tuesday = row(2, window("03:00:00", "04:00:00", 2))
    (one,) = hours(BASE, tuesday, weights=weights)
    assert one.rows[-1].usd_per_million.input == 2


def test_windows_within_a_week_count_whatever_day_the_price_is_of():
    saturday = row(2, window("00:00:00", "00:00:00", 6))
    for day in range(7):
        got = hours(BASE, saturday, date=DAY + dt.timedelta(days=day))
        assert [each.share for each in got] == pytest.approx([6 / 7, 1 / 7])


def test_a_row_that_is_not_valid_on_the_day_is_not_in_force_at_any_hour():
    ended = row(2, window("01:00:00", "02:00:00"), valid_to="2026-12-02T12:00:00Z")
    assert len(hours(BASE, ended)) == 1
    assert len(hours(BASE, ended, date=DAY - dt.timedelta(days=1))) == 2


def test_an_hour_without_a_price_is_an_error_only_where_requests_come():
    by_day = row(2, window("08:00:00", "20:00:00"))
    with pytest.raises(InputError, match=r"no standard price on Monday at 00:00 UTC") as caught:
        hours(by_day)
    assert caught.value.key == "alternatives.0.service"
    office = ([0.0] * 8 + [1.0] * 12 + [0.0] * 4) * 7
    assert len(hours(by_day, weights=office)) == 1


def test_a_service_that_is_not_sold_names_those_that_are():
    with pytest.raises(InputError, match="no batch price in force on 2026-12-02") as caught:
        hours(BASE, service="batch")
    assert caught.value.remedy == "the table has standard"


def test_the_hours_of_a_price_are_told_as_shares_of_each_hour_of_the_week():
    most, least = hours(BASE, row(2, window("16:30:00", "18:00:00", 2)))
    expected = [0.0] * 168
    expected[24 + 16], expected[24 + 17] = 0.5, 1.0
    assert least.of_hours == pytest.approx(expected)
    assert most.of_hours == pytest.approx([1 - each for each in expected])
