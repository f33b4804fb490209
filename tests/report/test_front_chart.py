"""Cost against latency, and the front."""

import re

import pytest

from tco.report.front_chart import front_chart
from tco.search_document import FrontPoint
from tests.report.search_samples import confirmed, search, trial


def chart():
    given = confirmed()
    return front_chart(given, given.latency, given.front)


def test_only_the_front_is_labelled_and_what_counts_not_is_told_apart():
    labelled = [mark.label for mark in chart().marks if mark.label]
    assert labelled == [
        "8: max-num-seqs=80", "6: max-num-seqs=60", "4: max-num-seqs=40", "2: max-num-seqs=20",
        "1: own settings",
    ]  # fmt: skip
    states = {mark.number: mark.state for mark in chart().marks}
    assert states[7] == states[9] == "no use"
    assert states[10] == "beaten"
    assert 5 not in states, "a short run"


def test_the_limit_of_the_service_level_is_on_the_chart():
    assert chart().limit_label.startswith("TTFT p95 ≤")
    low, high, _ = chart().span_ms
    assert low < 500 < high
    free = front_chart(confirmed(slo={}), "ttft_p95_ms", confirmed().front)
    assert free.limit_ms is None


def boxes(svg):
    found = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)" style="[^"]*weight:600[^"]*">(\d+[^<]*)<', svg
    )
    return [(float(x), float(y), len(text) * 8 * 0.5) for x, y, text in found]


@pytest.mark.parametrize("spread", [0.001, 1.0, 40.0])
def test_every_point_of_the_front_is_named_and_no_label_lies_on_another(spread):
    ran = [trial(n, usd=2 + spread * n, ttft_ms=900 - 40 * n) for n in range(1, 13)]
    front = tuple(
        FrontPoint(trial=t.number, usd_per_million_output=t.objective,
                   latency_ms=t.figures["ttft_p95_ms"])
        for t in ran
    )  # fmt: skip
    drawn = boxes(front_chart(search(*ran), "ttft_p95_ms", front).svg())
    assert len(drawn) == 12
    for place, (x, y, wide) in enumerate(drawn):
        for other_x, other_y, other_wide in drawn[:place]:
            apart = x + wide <= other_x or other_x + other_wide <= x or abs(y - other_y) >= 7
            assert apart


def test_no_trial_with_both_figures_is_no_chart():
    assert front_chart(search(trial(1, failure="x")), "ttft_p95_ms", ()) is None
    assert front_chart(search(trial(1, usd=2.0)), "itl_p99_ms", ()) is None
