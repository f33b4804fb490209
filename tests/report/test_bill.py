"""A report whose traffic is a bill: the headline, the facts, and a price that is one sum."""

import datetime as dt

import pytest

from tco.comparison import BillResult
from tco.report.bill import bill_tables
from tco.report.document import compose
from tco.report.headline import headline
from tco.report.html import render_html
from tco.report.price_tables import prices_table


def bill(**changes):
    values = {
        "files": ("usage.json", "costs.json"),
        "formats": ("OpenAI usage", "OpenAI costs"),
        "first_day": dt.date(2026, 11, 1),
        "last_day": dt.date(2026, 11, 30),
        "days": 30.0,
        "requests": 63_000.0,
        "is_counted": True,
        "input_tokens": 9e7,
        "cached_tokens": None,
        "output_tokens": 1.2e7,
        "usd": 1200.0,
        "usd_per_month": 1216.67,
    }
    return BillResult(**values | changes)


@pytest.fixture(scope="module")
def billed(make_comparison, make_rival):
    paid = make_rival(name="today's bill", is_bill=True)
    return make_comparison(bill=bill(), alternatives=(make_rival(usd_per_request=1e-6), paid))


def test_the_headline_says_the_bill_its_files_and_its_days(billed):
    assert (
        "against your bill of $1,217 a month (usage.json, costs.json, from 2026-11-01 to "
        "2026-11-30)"
    ) in headline(billed)


def test_the_facts_say_what_is_not_told_and_what_is_stated():
    (table,) = bill_tables(bill(is_counted=False, usd=None, usd_per_month=None))
    texts = [cell.text for row in table.rows for cell in row.cells]
    assert texts.count("not told") == 3
    assert "63,000 (stated, the bill counts none)" in texts
    assert bill_tables(None) == ()


def test_a_bill_has_no_prices_per_million_tokens(billed):
    listed, paid = prices_table(billed).rows
    assert "as billed" not in [cell.text for cell in listed.cells]
    assert [cell.text for cell in paid.cells].count("as billed") == 3


def test_the_report_shows_the_bill(billed, make_scenario, measurement):
    page = render_html(compose(billed, make_scenario(), measurement), "screen")
    assert "Spend in these days" in page
    assert "OpenAI usage, OpenAI costs" in page
