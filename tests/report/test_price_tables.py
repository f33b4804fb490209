"""The tables of prices show the mean request's bill where the requests cost other than it."""

import io

import pytest
from rich.console import Console

from tco.cli.comparison_tables import print_comparison
from tco.report.price_tables import prices_table

TITLE = "Of mean length"


def titles(comparison):
    return [column.title for column in prices_table(comparison).columns]


def test_the_mean_requests_bill_stands_beside_one_that_differs(make_comparison, make_rival):
    usd = {"usd_per_request": 0.0007, "usd_per_request_of_mean": 0.0006}
    answer = make_comparison(alternatives=(make_rival(), make_rival(name="tiered", **usd)))
    table = prices_table(answer)
    place = titles(answer).index(TITLE)
    assert table.rows[1].cells[place].text == "$0.000600"
    # The other one costs the same either way.
    assert table.rows[0].cells[place].text == table.rows[0].cells[place - 1].text


@pytest.mark.parametrize("of_mean", [None, 0.0007])
def test_one_that_is_the_same_needs_no_column(make_comparison, make_rival, of_mean):
    rival = make_rival(usd_per_request=0.0007, usd_per_request_of_mean=of_mean)
    assert TITLE not in titles(make_comparison(alternatives=(rival,)))


def test_a_bill_has_no_price_for_cache_writes_either(make_comparison, make_rival):
    listed = make_rival(usd_per_million_cache_write_5m=1.25, usd_per_million_cache_write_1h=2.0)
    bill = make_rival(name="today's bill", is_bill=True)
    table = prices_table(make_comparison(alternatives=(listed, bill)))
    heads = [column.title for column in table.columns]
    assert heads[2:7] == ["Input", "Cached", "Write, 5 min", "Write, 1 h", "Output"]
    assert [cell.text for cell in table.rows[1].cells[2:7]] == ["as billed"] * 5
    assert {len(each.cells) for each in table.rows} == {len(heads)}


def test_the_terminal_shows_it_too(make_comparison, make_rival, make_measurement):
    out = io.StringIO()
    rival = make_rival(usd_per_request=0.0007, usd_per_request_of_mean=0.0006)
    answer = make_comparison(alternatives=(rival,))
    print_comparison(answer, make_measurement(), Console(file=out, width=200))
    assert "Of mean length" in out.getvalue()
    assert "$0.00060" in out.getvalue()
