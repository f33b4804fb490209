"""The trials of a search as a chart."""

import pytest

from tco.report.search_chart import span_of, trials_chart
from tests.report.search_samples import confirmed, search, trial


def test_the_best_so_far_only_gets_better_and_leaves_out_what_does_not_count():
    chart = trials_chart(confirmed())
    assert [number for number, _ in chart.best] == [1, 2, 4, 6, 8]
    up = trials_chart(confirmed(aim="maximise"))
    assert [number for number, _ in up.best] == [1]


def test_every_trial_is_a_mark_and_a_failure_has_no_value():
    chart = trials_chart(confirmed())
    assert [mark.number for mark in chart.marks] == list(range(1, 13))
    values = {mark.number: mark.value for mark in chart.marks}
    assert values[3] is None
    assert values[7] is None, "breaks the service level"
    assert chart.own == 3.0
    assert len(chart.text().splitlines()) == 12


def test_no_value_is_no_chart():
    assert trials_chart(search()) is None
    assert trials_chart(search(trial(1, failure="x"))) is None


@pytest.mark.parametrize("usd", [(2.0,), (2.0, 2.0), (0.001, 900.0)])
def test_any_values_are_drawn(usd):
    chart = trials_chart(search(*(trial(n, usd=each) for n, each in enumerate(usd, start=1))))
    drawn = chart.svg()
    assert "nan" not in drawn
    assert drawn.count("<circle") >= len(usd)
    assert chart.low < min(usd) <= max(usd) < chart.high
    assert chart.is_log == (len(set(usd)) > 1)


def test_a_scale_has_room_about_values_of_either_sign():
    low, high, is_log = span_of([-1.0, 20.0])
    assert low < -1 < 20 < high
    assert not is_log
