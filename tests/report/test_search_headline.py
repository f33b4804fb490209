"""What a search came to, in a sentence."""

import pytest

from tco.report.search_headline import best_single, interval_words, ratio_words, search_headline
from tco.tuning import TuneQuality
from tests.report.search_samples import confirmed, search, trial


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (confirmed(), "found, and confirmed: USD per million output tokens −33.3"),
        (confirmed("reverted", "no gain shown", 1.01), "not shown to be better"),
        (confirmed("reverted", "worse", 0.9), "were worse"),
        (confirmed("undecided", "fewer than three starts a side", 1.2), "is undecided (fewer"),
    ],
)
def test_the_confirmation_is_what_counts(given, said):
    assert said in search_headline(given)
    assert ("own settings stay" in search_headline(given)) == (given.best.sets == ())


def test_settings_whose_answers_drop_are_named_and_not_used():
    drop = TuneQuality(passes=False, why="it answers otherwise")
    more = {"numerics": ("kv-cache-dtype",), "quality": drop, "is_blocked": True}
    kept = confirmed()
    blocked = kept.confirmation.model_copy(update={"decision": "reverted", **more})
    alone = confirmed("reverted").model_copy(update={"confirmation": blocked})
    said = search_headline(alone)
    assert said.startswith("Better settings were found: USD per million output tokens −33.3")
    assert "With kv-cache-dtype changed, the answers are not as good (it answers other" in said
    assert "own settings stay" in said
    beside = search_headline(kept.model_copy(update={"blocked": blocked}))
    assert beside.startswith(search_headline(kept))
    assert "The best found is not used: with kv-cache-dtype changed" in beside


def test_cost_and_saving_are_those_of_the_turns_before_and_after():
    assert "$2.03 after $3.05; saving 49.3" in search_headline(confirmed())


def test_a_gain_is_what_a_cost_falls_by_and_what_a_rate_rises_by():
    low = confirmed()
    assert ratio_words(low, 1.25).startswith("−20.0")
    high = confirmed(objective="output_tok_per_s", aim="maximise")
    assert ratio_words(high, 1.25).startswith("+25.0")
    saving = confirmed(objective="saving", aim="maximise")
    assert "what is left to pay −33.3" in search_headline(saving)
    for given in (low, high, saving):
        first, last = interval_words(given, given.confirmation.interval).split(" to ")
        assert first != last
        assert float(first[:-2].replace("−", "-")) < float(last[:-2].replace("−", "-"))


def test_the_best_so_far_is_of_whole_valid_runs_in_the_direction_asked():
    ran = (
        trial(1, usd=3.0),
        trial(2, usd=2.0, rung="short"),
        trial(3, usd=1.0, failure="breaks the service level"),
        trial(4, usd=1.5, invalid=("not_steady",)),
        trial(5, usd=2.5),
    )
    assert best_single(search(*ran)).number == 5
    assert best_single(search(*ran, aim="maximise")).number == 1
    assert "trial 5" in search_headline(search(*ran, is_complete=False))
