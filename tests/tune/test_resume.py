"""What of an unfinished tuning is taken up, and what of it is deleted."""

import datetime as dt

import pytest

from tco.tune.resume import KeptTrials, forget, forget_trials
from tco.tuning import TuneTrial


def tried(number, **more):
    values = {"step": 1, "role": "candidate", "scenario_sha256": "a", "measurement": "m.json"}
    return TuneTrial(
        number=number, started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC), took_s=1,
        **(values | more),
    )  # fmt: skip


@pytest.fixture
def trials(tmp_path):
    """Return the folder of trials, with one of each kind that can lie there."""
    kinds = {
        "001": "measurement.json", "002": "raw/requests.csv", "010": "failed.json",
        "1000": "measurement.json", "003": "thesis.txt", "7": "measurement.json",
        "mine": "measurement.json",
    }  # fmt: skip
    for name, file in kinds.items():
        place = tmp_path / "trials" / name / file
        place.parent.mkdir(parents=True)
        place.touch()
    return tmp_path / "trials"


def names(trials):
    return {path.name for path in trials.iterdir()}


def test_only_what_a_trial_wrote_is_deleted(trials, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "measurement.json").touch()
    (trials / "004").symlink_to(elsewhere)
    (tmp_path / "tune.json").touch()
    forget(tmp_path)
    assert names(trials) == {"003", "7", "mine", "004"}
    assert (elsewhere / "measurement.json").exists()
    assert not (tmp_path / "tune.json").exists()


def test_trials_up_to_a_number_are_kept(trials, tmp_path):
    forget_trials(tmp_path, above=2)
    assert names(trials) == {"001", "002", "003", "7", "mine"}


@pytest.mark.parametrize(
    "asked", [(2, "candidate", "a"), (1, "incumbent", "a"), (1, "candidate", "b")]
)
def test_from_the_first_trial_that_tried_another_thing_none_is_taken_up(tmp_path, asked):
    (tmp_path / "m.json").touch()
    kept = KeptTrials(tmp_path, (tried(1), tried(2), tried(3)))
    assert kept.take(1, 1, "candidate", "a") == tried(1)
    assert kept.take(2, *asked) is None
    assert kept.take(3, 1, "candidate", "a") is None


def test_a_trial_counts_where_its_measurement_lies_or_there_never_was_one(tmp_path):
    failed = tried(1, measurement=None, failure="no memory")
    assert KeptTrials(tmp_path, (failed,)).take(1, 1, "candidate", "a") == failed
    assert KeptTrials(tmp_path, (tried(1),)).take(1, 1, "candidate", "a") is None


def test_one_that_stands_in_for_another_is_taken_up_as_that_only(tmp_path):
    again = tried(1, measurement=None, retry_of=4)
    assert KeptTrials(tmp_path, (again,)).take(1, 1, "candidate", "a") is None
    assert KeptTrials(tmp_path, (again,)).take(1, 1, "candidate", "a", 4) == again
