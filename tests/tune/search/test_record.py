"""What the trials of a search come to."""

import datetime as dt

import pytest

from tco.search_document import SearchTrial
from tco.tune.search.objective import Objective
from tco.tune.search.record import _front, failure_of
from tco.tuning import TuneTrial

AT = dt.datetime(2026, 12, 2, tzinfo=dt.UTC)
COST = Objective("usd_per_million_output")


def tried(**more):
    return TuneTrial(
        number=1, step=1, role="candidate", scenario_sha256="0", started_at=AT, took_s=1, **more
    )  # fmt: skip


@pytest.mark.parametrize(
    ("trial", "figures", "why"),
    [
        ({"failure": "no memory"}, {}, "no memory"),
        ({"holds_service_level": False}, {COST.field: 2.0}, "breaks the service level"),
        ({}, {"output_tok_per_s": 9.0}, "gave no usd_per_million_output"),
        ({}, {COST.field: 0.0}, "usd_per_million_output is 0, not above 0"),
        ({"holds_service_level": True}, {COST.field: 2.0}, None),
        ({"holds_service_level": None}, {COST.field: 2.0}, None),
    ],
)
def test_a_trial_is_no_good_for_the_first_reason_there_is(trial, figures, why):
    assert failure_of(tried(**trial), figures, COST) == why


def test_a_saving_below_0_is_a_result_and_one_of_all_is_none():
    saving = Objective("saving")
    assert failure_of(tried(), {"saving": -0.5}, saving) is None
    assert failure_of(tried(), {"saving": 1.0}, saving) == "saving is 1, not above 0"


def trial(number, usd, ttft_p95_ms, **more):
    figures = {COST.field: usd, "ttft_p95_ms": ttft_p95_ms}
    values = {"rung": "full", "figures": figures} | more
    return SearchTrial(
        number=number, settings={}, sets=(), purpose="explore", worker="w", host="h",
        started_at=AT, took_s=1, objective=usd, **values,
    )  # fmt: skip


def test_the_front_is_what_no_other_trial_beats_in_both_the_cheapest_first():
    trials = [trial(1, 3, 10), trial(2, 1, 30), trial(3, 2, 20), trial(4, 2, 25), trial(5, 4, 10)]
    assert [point.trial for point in _front(trials, "ttft_p95_ms")] == [2, 3, 1]


@pytest.mark.parametrize(
    "more",
    [
        {"rung": "short"},
        {"failure": "breaks the service level"},
        {"invalid": ("client_busy",)},
        {"figures": {COST.field: 0.1}},
        {"figures": {"ttft_p95_ms": 1.0}},
    ],
)
def test_only_a_full_valid_trial_with_both_figures_is_on_the_front(more):
    trials = [trial(1, 3, 10), trial(2, 0.1, 1, **more)]
    assert [point.trial for point in _front(trials, "ttft_p95_ms")] == [1]
