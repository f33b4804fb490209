"""What is measured next, by what was seen."""

import math

import numpy as np
import pytest

from tco.tune.search.choose import LEAST_NOISE, Ask, Chooser, Rules, Seen, Stop
from tco.tune.search.domain import Domain

DOMAIN = Domain({"a": tuple(range(6)), "b": ("x", "y")}, lambda each: each["a"] != 4)
START = (2, 0)
DRAWN = [(0, 0), (3, 0), (3, 1)]


def seen(place, value, *, rung="full", purpose="explore", **more):
    return Seen(place, rung, purpose, value, **more)


def rising(*places, **more):
    """Return places that were seen; the value rises with `a`."""
    return [seen(place, 0.1 * place[0], **more) for place in places]


def asked(trials, *, starts=(START,), repeats=3, short_share=None, domain=DOMAIN):
    return Chooser(domain, Rules(starts, repeats, 7, short_share), trials)


def test_the_starts_come_first_in_their_order_and_in_full():
    starts = (START, (5, 1))
    rules = {"starts": starts, "short_share": 0.25}
    assert asked([], **rules).next() == Ask(START, "full", "start")
    assert asked(rising(START), **rules).next() == Ask((5, 1), "full", "start")
    assert asked(rising(*starts), **rules).next().purpose == "explore"


def test_three_are_drawn_before_the_model_speaks():
    for count in range(3):
        assert asked(rising(START, *DRAWN[:count])).next().purpose == "explore"
    ask = asked(rising(START, *DRAWN)).next()
    assert (ask.purpose, ask.place[0]) == ("improve", 5)
    assert ask.expected_gain > 0


def test_the_same_trials_make_the_same_choice():
    trials = rising(START)
    assert asked(trials).next() == asked(list(trials)).next()
    others = {asked(rising(START) + [seen(START, 0.2)] * n).next().place for n in range(5)}
    assert len(others) > 1


@pytest.mark.parametrize(
    ("seed", "share", "fails"), [(1, None, 0.0), (2, None, 0.3), (3, 0.25, 0.0), (4, 0.25, 0.3)]
)
def test_a_search_ends_and_tries_no_place_twice_and_none_that_is_forbidden(seed, share, fails):
    rng, trials = np.random.default_rng(seed), []
    for _ in range(60):
        ask = Chooser(DOMAIN, Rules((START,), 3, seed, share), trials).next()
        if isinstance(ask, Stop):
            break
        assert ask.place in DOMAIN.listed
        assert ask.purpose == "repeat" or (ask.place, ask.rung) not in {
            (each.place, each.rung) for each in trials
        }
        works = ask.purpose == "start" or rng.random() >= fails
        value = 0.1 * ask.place[0] + rng.normal(0, 0.01) if works else None
        more = {"purpose": ask.purpose, "expected_gain": ask.expected_gain}
        trials.append(seen(ask.place, value, rung=ask.rung, **more))
    assert isinstance(ask, Stop)
    assert trials[0].purpose == "start"


def test_it_stops_where_every_configuration_was_tried():
    domain = Domain({"a": (1, 2)}, lambda _: True)
    ask = asked([seen((0,), 0.0), seen((1,), 0.1)], starts=((0,),), domain=domain).next()
    assert ask == Stop("every configuration was tried")


def test_a_place_at_which_another_worker_is_or_that_failed_is_not_asked_for():
    domain = Domain({"a": (1, 2, 3, 4)}, lambda _: True)
    trials = [seen((0,), 0.0), seen((1,), None, runs=True), seen((2,), None)]
    assert asked(trials, starts=((0,),), domain=domain).next().place == (3,)


def test_of_two_settings_never_seen_to_work_the_one_that_always_failed_is_avoided():
    domain = Domain({"a": tuple(range(6)), "b": ("x", "z", "y")}, lambda _: True)
    worked = rising(START, (4, 0), (5, 0))
    for failing, other in ((1, 2), (2, 1)):
        failed = [seen((a, failing), None) for a in (0, 1, 3)]
        assert asked([*worked, *failed], domain=domain).next().place == (5, other)


def test_the_noise_is_pooled_over_what_was_measured_again():
    pairs = [seen((0, 0), 0.0), seen((0, 0), 0.02), seen((1, 0), 1.0), seen((1, 0), 1.04)]
    # Each pair of difference d has the variance d^2 / 2.
    pooled = math.sqrt((0.02**2 / 2 + 0.04**2 / 2) / 2)
    assert asked(pairs).measured_noise == pytest.approx(pooled)
    assert asked(pairs).noise == pytest.approx(pooled)
    assert asked([seen(START, 1.0)] * 2).noise == LEAST_NOISE
    assert asked(rising(START, (0, 0))).measured_noise is None
    assert asked(rising(START, START, rung="short")).measured_noise is None


def test_the_threshold_is_a_tenth_of_the_standard_error_of_the_confirmed_ratio():
    trials = [seen(START, 0.0), seen(START, 0.02)]
    noise = 0.02 / math.sqrt(2)
    assert asked(trials, repeats=3).threshold == pytest.approx(0.1 * noise * math.sqrt(2 / 3))
    assert asked(trials, repeats=12).threshold == pytest.approx(0.1 * noise * math.sqrt(2 / 12))


def test_it_stops_where_three_asks_in_turn_expect_less_than_the_noise():
    flat = [seen((a, b), 0.0) for a in (2, 0, 1, 3, 5) for b in (0, 1)][:-1]
    flat[1] = seen(START, 0.0, purpose="repeat")
    small = {"purpose": "improve", "expected_gain": 1e-6}
    asks = [seen(each.place, 0.0, **small) for each in flat]
    assert "is inside the noise" in asked([*flat[:7], *asks[7:]]).next().why
    assert asked([*flat[:8], *asks[8:]]).next().purpose == "improve", "two are not three"
    large = seen(flat[7].place, 0.0, purpose="improve", expected_gain=1.0)
    assert asked([*flat[:7], large, *asks[8:]]).next().purpose == "improve"


def test_a_short_run_near_the_best_is_run_in_full_and_one_far_below_is_not():
    full = rising(START, purpose="start")
    near = asked([*full, seen((3, 0), 0.15, rung="short")], short_share=0.25)
    assert near.next() == Ask((3, 0), "full", "promote")
    far = asked([*full, seen((3, 0), -0.5, rung="short")], short_share=0.25)
    assert far.next().purpose == "explore"
    assert far.next().rung == "short"


def test_a_short_run_is_judged_by_how_short_runs_differ_from_full_ones():
    both = [seen(START, 0.2), seen(START, 0.7, rung="short")]
    high = seen((3, 0), 0.6, rung="short")
    assert asked([both[0], high], short_share=0.25).next().purpose == "promote"
    assert asked([*both, high], short_share=0.25).next().purpose == "explore"


def test_the_best_is_measured_again_after_seven_others():
    others = rising(START, (0, 0), (5, 0), (3, 0), (0, 1), (1, 1), (2, 1))
    assert asked(others[:6]).next().purpose != "repeat"
    assert asked(others).next() == Ask((5, 0), "full", "repeat")
    again = [*others, seen((5, 0), 0.5, purpose="repeat")]
    assert asked(again).next().purpose != "repeat"


def test_one_lucky_run_is_not_the_best():
    runs = {(5, 0): (0.5, 0.52, 0.48, 0.5, 0.51), (3, 0): (0.53, 0.2, 0.25, 0.3)}
    trials = [seen(place, each) for place, values in runs.items() for each in values]
    assert asked(trials).best() == (5, 0)
    assert asked([]).best() is None
    assert asked(rising(START, rung="short")).best() is None
