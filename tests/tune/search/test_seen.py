"""What the kept trials of a search tell who chooses the next."""

import datetime as dt
import math
from types import SimpleNamespace

import pytest

from tco.search_document import SearchTrial
from tco.tune.search.domain import Domain
from tco.tune.search.objective import Objective
from tco.tune.search.seen import chooser_of, share_of
from tco.tune.search.study import Kept

DOMAIN = Domain({"seqs": (1, 2, 3)}, lambda _: True)


def plan(window_s=100.0, objective="usd_per_million_output"):
    bench = SimpleNamespace(window_s=SimpleNamespace(value=window_s))
    return SimpleNamespace(
        domain=DOMAIN, starts=({"seqs": 1},), repeats=3, seed=0, objective=Objective(objective),
        base=SimpleNamespace(scenario=SimpleNamespace(bench=bench)),
    )  # fmt: skip


def kept(number=1, *, runs=False, rung="full", **more):
    values = {
        "number": number, "settings": {"seqs": number}, "sets": (), "rung": rung,
        "purpose": "explore", "worker": "w", "host": "h", "took_s": 110.0, "engine_start_s": 2.0,
        "started_at": dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "windows_s": 100.0,
        "objective": 2.0,
    }  # fmt: skip
    record = None if runs else SearchTrial(**(values | more))
    return Kept(number, "key", {"seqs": number}, rung, "explore", "w", 0.1, record)


@pytest.mark.parametrize(
    ("objective", "value"), [("usd_per_million_output", -math.log(2)), ("tok_per_s", math.log(2))]
)
def test_what_is_high_is_good_whichever_way_the_objective_goes(objective, value):
    (seen,) = chooser_of(plan(objective=objective), [kept()]).seen
    assert seen.value == pytest.approx(value)
    assert (seen.place, seen.rung, seen.expected_gain) == ((0,), "full", 0.1)


@pytest.mark.parametrize(
    "more", [{"failure": "breaks the service level"}, {"objective": None}, {"objective": 0.0}]
)
def test_a_trial_that_failed_or_has_no_figure_has_no_value(more):
    (seen,) = chooser_of(plan(), [kept(**more)]).seen
    assert seen.failed


def test_a_trial_of_another_worker_runs_and_has_not_failed():
    (seen,) = chooser_of(plan(), [kept(runs=True)]).seen
    assert seen.runs
    assert not seen.failed


def test_a_short_run_is_a_quarter_where_the_window_is_what_takes_the_time():
    assert share_of(plan(), [kept()]) == 0.25
    assert share_of(plan(), [kept(took_s=500.0, engine_start_s=400.0)]) is None


def test_a_window_too_short_to_be_cut_is_not_cut():
    assert share_of(plan(window_s=19.0), [kept()]) is None
    assert share_of(plan(window_s=20.0), [kept()]) == 0.25


def test_only_a_full_run_that_worked_tells_the_share():
    told = kept(3)
    for other in (kept(runs=True), kept(2, failure="no memory"), kept(2, rung="short")):
        assert share_of(plan(), [other]) is None
        assert share_of(plan(), [other, told]) == 0.25
