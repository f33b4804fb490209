"""The sentence a reader takes away."""

import pytest

from tco.finding import Finding
from tco.report.capacity import service_words
from tco.report.headline import headline, quotable_of


def test_a_break_even_that_the_demand_cannot_reach_says_so(comparison):
    own = comparison.self_host.model_copy(update={"reachable_utilisation": 0.3})
    assert headline(comparison.model_copy(update={"self_host": own})).endswith(
        "Break-even is at 34 % utilisation, above the 30 % that this demand lets the fleet reach."
    )
    own = comparison.self_host.model_copy(update={"reachable_utilisation": 0.34})
    assert "reach" not in headline(comparison.model_copy(update={"self_host": own}))


def test_full_load_of_a_server_that_is_half_empty_is_said_to_be_that(make_comparison, make_rival):
    dear = make_rival(
        saving=-2.0,
        break_even_utilisation=None,
        break_even_utilisation_reason="dearer_at_full_load",
    )
    got = make_comparison(alternatives=(dear,))
    assert headline(got).endswith("no break-even utilisation: dearer even at full load.")
    own = got.self_host.model_copy(update={"accelerators": 8, "accelerators_used": 4})
    assert headline(got.model_copy(update={"self_host": own})).endswith(
        "dearer even at full load of 4 of its 8 accelerators."
    )


def test_a_saving_names_share_utilisation_rival_both_costs_and_break_even(comparison):
    assert headline(comparison) == (
        "Own hardware saves 43.3 % against Together Nemotron (nemotron-3.5-super) at 60 % "
        "utilisation, with no service level: $0.283 instead of $0.500 per million output tokens. "
        "Break-even is at 34 % utilisation."
    )


def test_a_loss_is_printed_as_plainly(make_comparison, make_rival):
    dearer = make_rival(
        saving=-2.2,
        break_even_utilisation=None,
        break_even_utilisation_reason="dearer_at_full_load",
    )
    said = headline(make_comparison(alternatives=(dearer,)))
    assert "costs 3.2 times as much as Together Nemotron" in said
    assert "There is no break-even utilisation: dearer even at full load." in said


def test_a_small_loss_is_printed_in_percent(make_comparison, make_rival):
    said = headline(make_comparison(alternatives=(make_rival(saving=-0.25),)))
    assert "costs 25 % more than Together Nemotron" in said


def test_no_saving_is_stated_against_a_price_of_zero(make_comparison, make_rival):
    free = make_rival(saving=None, saving_reason="zero_price", usd_per_request=0.0)
    said = headline(make_comparison(alternatives=(free,)))
    assert "no saving to state" in said
    assert "price is zero" in said


def test_without_an_alternative_only_the_own_cost_is_stated(make_comparison):
    assert "names no alternative" in headline(make_comparison(alternatives=()))


def test_the_cheapest_with_the_same_weights_comes_before_cheaper_others(
    make_comparison, make_rival
):
    other = make_rival(name="other", usd_per_request=1e-6, same_weights=False)
    dear = make_rival(name="dear", usd_per_request=1e-2)
    found = make_comparison(alternatives=(other, dear, make_rival())).headline_alternative()
    assert found.name == "Together Nemotron"


LIMITS = [
    {"latency": "ttft", "quantile": 0.95, "limit_ms": 2000, "seen_ms": 1240.4},
    {"latency": "tpot", "quantile": 0.99, "limit_ms": 12.5, "seen_ms": None},
]


def serving(make_comparison, holds, seen_at="target", terms=LIMITS):
    verdict = {"holds": holds, "seen_at": seen_at, "terms": [t | {"holds": holds} for t in terms]}
    return make_comparison(service=verdict)


@pytest.mark.parametrize(
    ("holds", "word"),
    [
        (True, " at the load to verify: yes"),
        (False, " at the load to verify: no"),
        (None, ": not shown"),
    ],
)
def test_the_service_level_and_its_verdict_stand_beside_the_utilisation(
    holds, word, make_comparison
):
    assert (
        "at 60 % utilisation and the service level TTFT p95 <= 2 s, TPOT p99 <= 12.5 ms "
        f"(kept{word}): $0.283"
    ) in headline(serving(make_comparison, holds))


BAD = Finding(
    kind="not_steady", severity="invalid", path="points.0", message="Not steady", advice="Rerun"
)
FIRST = "Invalid measurement: its figures must not be used. "


def test_an_invalid_measurement_is_said_before_the_answer(make_comparison):
    assert headline(make_comparison(findings=(BAD,))).startswith(
        f"{FIRST}Own hardware saves 43.3 %"
    )


def test_an_invalid_measurement_is_said_before_that_it_is_a_demonstration(
    make_comparison, demonstration
):
    both = make_comparison(findings=(*demonstration.findings, BAD))
    assert headline(both).startswith(f"{FIRST}Method demonstration: own hardware saves")


def test_a_sentence_of_several_names_those_that_must_not_be_quoted(make_comparison, demonstration):
    bad = make_comparison(findings=(BAD,))
    said = quotable_of("Own hardware saves.", {"A": demonstration, "B": bad, "C": bad})
    assert said == (
        "Invalid measurement (B, C): its figures must not be used. "
        "Method demonstration (A): own hardware saves."
    )
    assert quotable_of("Own hardware saves.", {"A": make_comparison()}) == "Own hardware saves."


def test_a_finding_that_is_not_invalid_leaves_the_headline_as_it_is(make_comparison):
    warned = BAD.model_copy(update={"severity": "warn"})
    assert headline(make_comparison(findings=(warned,))).startswith("Own hardware saves")


@pytest.mark.parametrize("holds", [True, False])
def test_an_invalid_measurement_shows_no_service_level_kept_or_broken(holds, make_comparison):
    served = serving(make_comparison, holds).model_copy(update={"findings": (BAD,)})
    assert "(kept: not shown)" in headline(served)
    assert "kept: not shown (" in service_words(served)
