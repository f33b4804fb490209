"""What the trials by turns decide of the best."""

import datetime as dt
from types import SimpleNamespace

import pytest

from tco.search_document import SearchTrial
from tco.tune.search.confirmation import decided
from tco.tune.search.objective import Objective

SCENARIO = SimpleNamespace(scenario=SimpleNamespace(slo={}))
PLAN = SimpleNamespace(repeats=3, objective=Objective("usd_per_million_output"), base=SCENARIO)


def trials(*objectives, **more):
    return [
        SearchTrial(
            number=1, settings={}, sets=(), rung="full", purpose="confirm", worker="w", host="h",
            started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), took_s=1, objective=each, **more,
        )
        for each in objectives
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("best", "decision", "why"),
    [
        ((0.5, 0.505, 0.51), "kept", "better"),
        ((2.0, 2.01, 2.02), "reverted", "worse"),
        ((1.0, 1.02, 0.99), "reverted", "no gain shown"),
    ],
)
def test_a_lower_cost_is_kept_only_where_it_is_shown(best, decision, why):
    sides = {"incumbent": trials(1.0, 1.01, 1.0), "candidate": trials(*best)}
    found = decided(PLAN, 4, sides)
    assert (found.decision, found.why, found.trial) == (decision, why, 4)


def test_a_start_that_fails_leaves_it_undecided():
    sides = {"incumbent": trials(1.0), "candidate": trials(None, failure="no memory")}
    found = decided(PLAN, 4, sides)
    assert (found.decision, found.why) == ("undecided", "the best failed this time: no memory")
