"""What has been paid by each time: the chart, its words and its table."""

from tco.report.paid import paid_chart, paid_table
from tco.report.paid_chart import draw_paid


def test_both_sums_and_the_payback_are_drawn(comparison):
    chart = paid_chart(comparison)
    assert chart.own.places[:2] == ((0.0, 0.0), (0.0, 96_995.99))
    assert chart.api.places[-1] == (3.0, 336_000.0)
    assert chart.meet == (1.2, 112_000 + 0.2 * 112_000)
    assert chart.meet_words == "payback 1.2\u00a0years"
    assert "from $96,996 at the start to $216,996 at the end" in chart.description
    svg = draw_paid(chart)
    assert svg == draw_paid(chart)
    assert "payback 1.2\u00a0years" in svg


def test_no_payback_says_why(make_comparison, make_rival):
    never = make_rival(payback_years=None, payback_years_reason="not_within_horizon")
    chart = paid_chart(make_comparison(alternatives=(never,)))
    assert chart.meet is None
    assert "no payback: not within the horizon" in draw_paid(chart)


def test_the_table_has_one_row_a_time_with_the_purchase_in_the_first(comparison):
    rows = [[cell.text for cell in row.cells] for row in paid_table(comparison).rows]
    assert rows[0] == ["at the start", "$96,996", "$0", "\u2212$96,996"]
    assert rows[-1] == ["end of year 3", "$216,996", "$336,000", "$119,004"]
    assert len(rows) == 4


def test_without_an_alternative_there_is_neither(make_comparison):
    assert paid_chart(make_comparison(alternatives=())) is None
    assert paid_table(make_comparison(alternatives=())) is None
