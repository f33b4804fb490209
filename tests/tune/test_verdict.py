"""Decisions from simulated engine starts: how often a step without gain is kept, and one with."""

import numpy as np
import pytest

from tco.tune.verdict import Start, schedule, verdict


def starts(*rates, holds=None, invalid=()):
    return [Start(rate, holds, invalid) for rate in rates]


def decided(incumbent, candidate, *, has_level=False):
    return verdict(incumbent, candidate, has_level=has_level)


def simulated(rng, gain, *, spread, drift=0.0, repeats=3):
    """Return a step's decision on a machine of such noise, whose pace drifts over the trials."""
    sides = {"incumbent": [], "candidate": []}
    for place, role in enumerate(schedule(repeats)):
        pace = np.exp(rng.normal(0, spread)) * (1 + drift * place)
        sides[role].append(1000 * pace * (gain if role == "candidate" else 1))
    return decided(starts(*sides["incumbent"]), starts(*sides["candidate"])).decision


def share_kept(gain, runs=3000, **noise):
    rng = np.random.default_rng(1)
    return sum(simulated(rng, gain, **noise) == "kept" for _ in range(runs)) / runs


@pytest.mark.parametrize("spread", [0.01, 0.1])
@pytest.mark.parametrize("repeats", [3, 5])
def test_a_step_without_gain_is_kept_in_3_of_100_tunings_at_most(spread, repeats):
    assert share_kept(1.0, spread=spread, repeats=repeats) < 0.033


def test_a_machine_that_slowly_changes_its_pace_favours_no_side():
    assert share_kept(1.0, spread=0.01, drift=0.05) < 0.033
    assert share_kept(1.0, spread=0.01, drift=-0.05) < 0.033


def test_a_gain_well_above_the_noise_is_kept():
    assert share_kept(1.1, spread=0.01) > 0.99
    assert share_kept(1.3, spread=0.05, repeats=5) > 0.95


def test_trials_alternate_so_that_each_side_is_as_often_the_earlier():
    assert schedule(2) == ("candidate", "incumbent", "incumbent", "candidate")
    order = schedule(4)
    assert sum(place for place, role in enumerate(order) if role == "candidate") == 14
    assert len(schedule(3)) == 6


def test_one_repeat_decides_nothing_however_large_the_ratio():
    found = decided(starts(100), starts(300))
    assert (found.decision, found.interval) == ("undecided", None)
    assert found.ratio == pytest.approx(3.0)
    assert found.why == "1 start a side cannot tell; 3 can"


def test_what_is_slower_or_not_shown_to_be_faster_is_reverted():
    slower = decided(starts(100, 101, 99), starts(80, 81, 79))
    assert (slower.decision, slower.why) == ("reverted", "slower")
    same = decided(starts(100, 110, 90), starts(101, 108, 93))
    assert (same.decision, same.why) == ("reverted", "not shown to be faster")
    assert same.interval.low < 1 < same.interval.high


def test_an_invalid_measurement_forbids_a_decision():
    found = decided(
        starts(100, 101, 99), [*starts(200, 201), *starts(199, invalid=("not_steady",))]
    )
    assert (found.decision, found.why) == (
        "undecided",
        "1 of 6 measurements is invalid: not steady",
    )


def test_a_faster_step_that_breaks_the_service_level_is_reverted():
    found = decided(
        starts(100, 101, 99, holds=True), starts(200, 201, 199, holds=False), has_level=True
    )
    assert (found.decision, found.why) == ("reverted", "breaks the service level")
    assert found.ratio == pytest.approx(2.0, rel=0.01)


def test_a_slower_step_is_kept_where_only_it_keeps_the_service_level():
    found = decided(
        starts(100, 101, 99, holds=False), starts(90, 91, 89, holds=True), has_level=True
    )
    assert (found.decision, found.why) == (
        "kept",
        "keeps the service level, which the best before it breaks",
    )


def test_a_step_that_only_at_times_keeps_what_the_best_breaks_is_undecided():
    candidate = [*starts(150, 151, holds=True), *starts(149, holds=False)]
    found = decided(starts(100, 101, 99, holds=False), candidate, has_level=True)
    assert found.decision == "undecided"


def test_a_service_level_that_could_not_be_judged_is_undecided():
    found = decided(starts(100, 101, 99), starts(200, 201, 199), has_level=True)
    assert found.decision == "undecided"
    assert "bench.window_s" in found.why
