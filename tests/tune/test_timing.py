"""How many trials still fit into the time."""

from tco.tune.timing import Timing


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_a_trial_begins_only_if_one_as_long_as_the_last_ones_ends_in_time():
    clock = Clock()
    timing = Timing(100.0, 10, clock)
    assert timing.has_time()
    clock.now = 40.0
    timing.took(40.0)
    assert timing.has_time()
    clock.now = 61.0
    assert not timing.has_time()


def test_without_a_limit_there_is_always_time():
    timing = Timing(None, 10, Clock())
    timing.took(1e9)
    assert timing.has_time()


def test_the_time_left_follows_the_latest_trials_and_the_limit():
    clock = Clock()
    assert Timing(None, 7, clock).words() == "at most 7 trials"
    clock.now = 60.0
    timing = Timing(None, 7, Clock())
    timing.took(60.0)
    assert timing.words() == "0 s used, at most 6 trials and about 6 min left"
    limited = Timing(90.0, 7, Clock())
    limited.took(60.0)
    assert limited.words().endswith("about 90 s left")
