"""An API's bill request by request: the exact sum of price_request, for numbers and arrays."""

import dataclasses
import datetime as dt
from decimal import Decimal
from pathlib import Path
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.cost.api_bill import ApiTerms, HourTiers, Tier, usd_per_request
from tco.cost.requests import requests_of
from tco.price_row import Offer, PriceRow, TokenCounts, price_request
from tco.request_mix import RequestMix
from tco.scenario import Shape
from tco.traffic import load_traffic
from tco.traffic.shape import reusable_tokens

TRACES = Path(__file__).parents[1] / "data" / "traces"
NOON = dt.datetime(2026, 12, 2, 12, tzinfo=dt.UTC)
CHEAP = {"input": 0.3, "cached_input": 0.075, "output": 2.5}
DEAR = {"input": 0.7, "cached_input": 0.11, "output": 4.1}


def tier(rates, **changes):
    cached = rates.get("cached_input")
    return Tier(rates["input"], cached, rates["output"], **changes)


def exact_mean(offer, requests, discount=Decimal(0)):
    bills = [
        price_request(
            offer,
            TokenCounts(fresh_input=i - c, cached_input=c, output=o),
            "standard",
            NOON,
        ).total_usd
        for i, c, o in requests
    ]
    return float(sum(bills) / len(bills) * (1 - discount))


def offer(threshold, kind):
    rows = (
        PriceRow(usd_per_million=CHEAP, usd_per_request=0.001),
        PriceRow(usd_per_million=DEAR, usd_per_request=0.002, **{kind: threshold}),
    )
    return Offer(model="m", source="s", date="2026-12-02", prices=rows)


def terms(threshold, kind, **changes):
    inclusive = kind == "context_ge"
    above = tier(DEAR, request_fee_usd=0.002, above_tokens=float(threshold), inclusive=inclusive)
    return ApiTerms((tier(CHEAP, request_fee_usd=0.001), above), **changes)


@pytest.mark.parametrize("kind", ["context_gt", "context_ge"])
@pytest.mark.parametrize("name", sorted(path.name for path in TRACES.glob("*first*")))
def test_a_traces_mean_bill_is_the_exact_sum_over_its_requests(name, kind):
    traffic = load_traffic(TRACES / name)
    inputs = traffic.workload.input_tokens()
    outputs = traffic.workload.output_tokens
    reused = reusable_tokens(traffic.workload) if traffic.knows_prefixes else None
    mix = RequestMix.of(inputs, cached_tokens=reused, output_tokens=outputs)
    cached = np.zeros(len(inputs), dtype=int) if reused is None else reused
    rows = list(zip(inputs.tolist(), cached.tolist(), outputs.tolist(), strict=True))
    # A threshold that requests lie on, below and above.
    threshold = int(np.sort(inputs)[len(inputs) // 2])
    at = terms(threshold, kind, discount=0.1, cached_by_request=reused is not None)
    got = usd_per_request(at, float(inputs.mean()), float(outputs.mean()), mix)
    exact = exact_mean(offer(threshold, kind), rows, Decimal("0.1"))
    assert got == pytest.approx(exact, rel=1e-12)


requests = st.lists(
    st.tuples(st.integers(1, 5000), st.floats(0, 1), st.integers(1, 3000)), min_size=1, max_size=30
)


@given(requests, st.integers(0, 5000), st.sampled_from(["context_gt", "context_ge"]))
def test_any_requests_mean_bill_is_the_exact_sum(rows, threshold, kind):
    whole = [(i, round(i * share), o) for i, share, o in rows]
    inputs, cached, outputs = map(np.array, zip(*whole, strict=True))
    mix = RequestMix.of(inputs, cached_tokens=cached, output_tokens=outputs)
    at = terms(threshold, kind, cached_by_request=True)
    got = usd_per_request(at, float(inputs.mean()), float(outputs.mean()), mix)
    assert got == pytest.approx(exact_mean(offer(threshold, kind), whole), rel=1e-12)


@given(
    requests,
    st.lists(st.floats(0.5, 2), min_size=1, max_size=4),
    st.floats(0, 1),
    st.floats(0, 0.9),
)
def test_arrays_of_terms_are_a_loop_of_numbers(rows, ratios, share, discount):
    inputs, _, outputs = map(np.array, zip(*rows, strict=True))
    mix = RequestMix.of(inputs, output_tokens=outputs)
    means = float(inputs.mean()), float(outputs.mean())
    ratio = np.array(ratios)
    changes = {"cached_input_share": share, "discount": discount}
    at = terms(2000, "context_gt", token_ratio=ratio, **changes)
    together = usd_per_request(at, *means, mix)
    for index, one in enumerate(ratios):
        alone = usd_per_request(dataclasses.replace(at, token_ratio=one), *means, mix)
        assert together[index] == pytest.approx(alone, rel=1e-12)


@given(requests, st.floats(0, 1), st.floats(0.5, 2))
def test_requests_in_one_tier_cost_what_the_mean_one_does(rows, share, ratio):
    inputs, _, outputs = map(np.array, zip(*rows, strict=True))
    mix = RequestMix.of(inputs, output_tokens=outputs)
    means = float(inputs.mean()), float(outputs.mean())
    at = ApiTerms((tier(CHEAP),), cached_input_share=share, token_ratio=ratio)
    assert usd_per_request(at, *means, mix) == pytest.approx(usd_per_request(at, *means), rel=1e-12)


def test_a_ratio_of_tokens_moves_the_step_without_a_rounding_error():
    # 1000 x 1.1 is 1100, not above it, though 1100 / 1.1 is a little under 1000 in floats.
    mix = RequestMix.of([1000.0], output_tokens=[10.0])
    at = terms(1100, "context_gt", token_ratio=1.1)
    below = usd_per_request(ApiTerms(at.tiers[:1], token_ratio=1.1), 1000.0, 10.0)
    assert usd_per_request(at, 1000.0, 10.0, mix) == pytest.approx(below, rel=1e-12)


def test_of_several_tiers_the_last_that_holds_wins_in_any_order():
    tiers = (
        tier(CHEAP, above_tokens=-1.0),
        tier(DEAR, above_tokens=3000.0),
        tier({"input": 1.0, "output": 1.0}, above_tokens=1000.0),
    )
    lengths = np.array([500.0, 1500.0, 3500.0])
    mix = RequestMix.of(lengths, output_tokens=np.zeros(3))
    at = ApiTerms(tiers)
    alone = [usd_per_request(at, length, 0.0) for length in lengths.tolist()]
    got = usd_per_request(at, float(lengths.mean()), 0.0, mix)
    assert got == pytest.approx(np.mean(alone), rel=1e-12)


def test_a_request_too_short_for_every_tier_is_an_error():
    mix = RequestMix.of([500.0, 2000.0])
    with pytest.raises(ValueError, match="no price holds"):
        usd_per_request(ApiTerms((tier(DEAR, above_tokens=1000.0),)), 1250.0, 1.0, mix)


def test_a_spread_is_billed_by_the_lognormal_it_states():
    shape = Shape(input_tokens={"mean": 2048, "p95": 7303}, output_tokens=100)
    mix = requests_of(shape)
    assert mix.input_sums[-1] == pytest.approx(2048, rel=1e-12)
    assert mix.share_above(7303) == pytest.approx(0.05, abs=1e-3)
    got = usd_per_request(terms(7303, "context_gt"), 2048.0, 100.0, mix)
    # Independently: E[X; X > p95] of a lognormal is mean x Phi(sigma - 1.645).
    z = 1.6448536269514722
    sigma = z - np.sqrt(z**2 - 2 * np.log(7303 / 2048))

    above = 2048 * NormalDist().cdf(sigma - z)
    bill = (2048 - above) * 0.3 + above * 0.7 + 100 * (0.95 * 2.5 + 0.05 * 4.1)
    assert got == pytest.approx(bill / 1e6 + 0.00105, rel=2e-3)


@pytest.mark.parametrize("turns", [1, 4, 4.25, 9.9])
def test_a_sessions_calls_have_the_means_of_its_request(turns):
    session = {
        "turns": turns,
        "system_tokens": 1000,
        "first_input_tokens": 500,
        "tool_output_tokens": 300,
        "answer_tokens": 100,
        "final_answer_tokens": 400,
    }
    shape = Shape(session=session, input_tokens=1, output_tokens=1)
    means, mix = shape.session.request_means(), requests_of(shape)
    assert mix.input_sums[-1] == pytest.approx(means.input_tokens, rel=1e-12)
    assert mix.output_sums[-1] == pytest.approx(means.output_tokens, rel=1e-12)
    cached = means.cached_input_share * means.input_tokens
    assert mix.cached_sums[-1] == pytest.approx(cached, rel=1e-12)


def test_one_length_of_the_input_is_no_mix():
    shape = Shape(input_tokens=5, output_tokens={"mean": 10, "p95": 20})
    assert requests_of(shape) is None


@given(requests, st.floats(0, 0.5), st.floats(0, 0.5))
def test_what_is_written_to_a_cache_is_billed_at_its_own_price(rows, short, long):
    inputs, _, outputs = map(np.array, zip(*rows, strict=True))
    writes = {"cache_write_5m_usd": 0.375, "cache_write_1h_usd": 0.6}
    share = 1 - short - long
    at = ApiTerms(
        (tier(CHEAP, **writes),),
        cached_input_share=share,
        cache_write_5m_share=short,
        cache_write_1h_share=long,
    )
    whole = float(inputs.mean())
    bill = whole * (share * 0.075 + short * 0.375 + long * 0.6) + outputs.mean() * 2.5
    mix = RequestMix.of(inputs, output_tokens=outputs)
    for requests_ in (None, mix):
        got = usd_per_request(at, whole, float(outputs.mean()), requests_)
        assert got == pytest.approx(bill / 1e6, rel=1e-12)


def test_requests_with_tokens_of_their_own_in_a_cache_write_of_what_is_left():
    # 100 fresh and 300 of which 200 are cached: half of the 200 uncached tokens are written.
    mix = RequestMix.of([100.0, 300.0], cached_tokens=[0.0, 200.0], output_tokens=[0.0, 0.0])
    at = ApiTerms(
        (Tier(1.0, 0.1, 1.0, cache_write_5m_usd=3.0),),
        cached_input_share=0.5,
        cached_by_request=True,
        cache_write_5m_share=0.25,
    )
    assert usd_per_request(at, 200.0, 0.0, mix) == pytest.approx((100 * 0.1 + 50 + 150) / 1e6)


def test_a_write_without_a_price_of_its_own_is_fresh_input():
    at = ApiTerms((tier(CHEAP),), cache_write_5m_share=0.5)
    plain = dataclasses.replace(at, cache_write_5m_share=0.0)
    assert usd_per_request(at, 100.0, 1.0) == usd_per_request(plain, 100.0, 1.0)


def test_more_cached_and_written_than_there_is_input_is_an_error():
    at = ApiTerms((tier(CHEAP),), cached_input_share=0.6, cache_write_5m_share=0.5)
    with pytest.raises(ValueError, match="more than all"):
        usd_per_request(at, 100.0, 1.0)


def test_hours_weigh_by_the_requests_that_come_then():
    dear, cheap = (tier(DEAR),), (tier(CHEAP),)
    at = ApiTerms(cheap, hours=(HourTiers(0.75, cheap), HourTiers(0.25, dear)))
    alone = [usd_per_request(ApiTerms(tiers), 1000.0, 100.0) for tiers in (cheap, dear)]
    got = usd_per_request(at, 1000.0, 100.0)
    assert got == pytest.approx(0.75 * alone[0] + 0.25 * alone[1], rel=1e-12)
