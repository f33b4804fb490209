"""The ways to serve the same requests, ranked."""

from tco.comparison import Way
from tco.report.ranking import ranking
from tco.report.ranking_chart import draw_ranking


def way(name, usd, terms="hourly_rental"):
    return Way(
        name=name,
        terms=terms,
        servers=1.0,
        usd_per_hour=1.0,
        usd_per_request=1.0,
        usd_per_million_output=usd,
        usd_per_year=1.0,
        present_value_usd=1.0,
        cash_at_start_usd=0.0,
        npv_usd_against_own=0.0,
        break_even_months=None,
    )


def test_apis_and_hardware_are_ranked_by_the_cost_of_the_same_request(make_comparison, make_rival):
    rivals = (
        make_rival(name="dear", usd_per_million_output=0.9, same_weights=False),
        make_rival(name="cheap", usd_per_million_output=0.1, same_weights=None),
        make_rival(name="same", usd_per_million_output=0.5),
    )
    ways = (way("as in the scenario", 0.283), way("rented", 0.3), way("dear", 0.9, "api"))
    chart = ranking(make_comparison(alternatives=rivals, ways=ways))
    assert [(bar.kind, bar.kind_words) for bar in chart.bars] == [
        ("unknown", "unknown weights"),
        ("own", "this scenario"),
        ("hardware", "your hardware, another way"),
        ("same", "same weights"),
        ("other", "other weights"),
    ]
    assert [bar.usd_per_million for bar in chart.bars] == sorted(
        bar.usd_per_million for bar in chart.bars
    )


def test_weights_are_told_by_words_and_by_shape_not_by_colour_alone(make_comparison, make_rival):
    def drawn(same):
        rivals = (make_rival(name="x", same_weights=same),)
        return draw_ranking(ranking(make_comparison(alternatives=rivals)))

    same, other, unknown = map(drawn, (True, False, None))
    assert "same weights" in same
    assert "other weights" in other
    marks = [svg[svg.index("<circle") :].split("/>")[0] for svg in (same, other, unknown)]
    assert len(set(marks)) == 3


def test_what_is_far_dearer_is_cut_off_and_says_its_price(make_comparison, make_rival):
    rivals = (make_rival(), make_rival(name="far", usd_per_million_output=500.0))
    chart = ranking(make_comparison(alternatives=rivals))
    assert [bar.beyond for bar in chart.bars] == [False, False, True]
    assert chart.high_usd == 0.5
    assert "$500" in draw_ranking(chart)


def test_own_hardware_is_shown_however_many_are_cheaper(make_comparison, make_rival):
    rivals = tuple(make_rival(name=f"n{n}", usd_per_million_output=0.01 * n) for n in range(1, 21))
    chart = ranking(make_comparison(alternatives=rivals))
    assert sum(bar.kind == "own" for bar in chart.bars) == 1
    assert chart.left_out == "5 more in the table"


def test_alone_there_is_no_ranking(make_comparison):
    assert ranking(make_comparison(alternatives=())) is None
