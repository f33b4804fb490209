"""How sure the saving is: what is drawn, what is held, and when a probability is stated."""

import json
import math
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tco import load_case
from tco.cost.evaluate import evaluate
from tco.cost.inputs import inputs_of
from tco.explore.answer import answer
from tco.explore.draw import draws_of
from tco.explore.fit import fitted
from tco.explore.ranges import ranges_of
from tco.explore.uncertainty import with_uncertainty

BASE = """\
schema: tco.scenario/1
name: case
date: 2026-12-02
traffic: {shape: {input_tokens: 512, output_tokens: 512}, target_utilisation: 0.5}
measurement: {published: {output_tok_per_s: 11840, source: s, date: 2026-10-15}}
hardware: {purchase: {price_usd: 96996, life_years: 4}}
power: {idle_w: 210, load_w: 1192, pue: 1.54, usd_per_kwh: 0.1437}
operations: {other_usd_per_year: 4500}
finance: {method: straight_line}
alternatives:
  - {name: api, usd_per_million: {input: 0.1, output: 0.5}, same_weights: true}
  - {name: other, usd_per_million: {input: 0.2, output: 0.6}, same_weights: true}
"""
UTILISATION = "traffic.target_utilisation={value: 0.5, low: 0.25, high: 0.8}"
PRICE = "alternatives.0.usd_per_million.output={value: 0.5, low: 0.3, high: 0.7}"
CAPITAL = "hardware.purchase.price_usd={value: 96996, low: 85000, high: 113299}"
CASES = json.loads(
    (Path(__file__).parents[1] / "data" / "economics.json").read_text(encoding="utf-8")
)["cases"]


@pytest.fixture(scope="module")
def case_of(tmp_path_factory):
    path = tmp_path_factory.mktemp("case") / "case.yaml"
    path.write_text(BASE)
    return lambda *sets: load_case(path, sets=sets)


def sure(case, **options):
    return with_uncertainty(
        answer(case), case.loaded.scenario, case.measurement, case.tables, date=case.date, **options
    ).uncertainty


def test_bare_numbers_have_no_uncertainty(case_of):
    assert answer(case_of()).uncertainty is None


def test_a_range_without_width_is_none(case_of):
    assert answer(case_of("power.pue={value: 1.5, low: 1.5, high: 1.5}")).uncertainty is None


def test_the_interval_is_that_of_the_distribution(case_of):
    found = sure(case_of("power.usd_per_kwh={value: 0.1437, low: 0, high: 0.2}"))
    # Linear in the price of power, so its quantiles are those of the range.
    at = [
        answer(case_of(f"power.usd_per_kwh={usd}")).alternatives[0].saving
        for usd in (0.19, 0.1, 0.01)
    ]
    saving = found.alternatives[0].saving
    assert [saving.low, saving.median, saving.high] == pytest.approx(at, rel=1e-4)
    assert [each.key for each in found.varied] == ["power.usd_per_kwh"]
    assert "power.usd_per_kwh" not in [each.key for each in found.held]
    assert "traffic.target_utilisation" in [each.key for each in found.held]


def test_a_draw_is_what_the_scenario_says_with_that_number(case_of):
    case = case_of(UTILISATION, PRICE, CAPITAL)
    scenario = case.loaded.scenario
    numbers = draws_of(list(ranges_of(scenario, case.measurement)), 7, 3)
    arrays, used = inputs_of(scenario, case.measurement, case.tables, case.date, numbers)
    assert used == numbers.keys()
    savings = evaluate(arrays).rivals[0].saving
    for place in range(7):
        sets = [f"{key}={float(column[place])!r}" for key, column in numbers.items()]
        one = answer(case_of(*sets)).alternatives[0].saving
        assert one == pytest.approx(savings[place], rel=1e-12)


def test_a_seed_gives_the_same_figures_again(case_of):
    case = case_of(UTILISATION, PRICE)
    assert sure(case) == sure(case)
    assert sure(case, seed=2) != sure(case)
    assert sure(case, seed=2).alternatives[0].saving.low == pytest.approx(
        sure(case).alternatives[0].saving.low, rel=0.02
    )


@pytest.mark.parametrize(
    ("sets", "needs"),
    [
        ((UTILISATION, PRICE, CAPITAL), ()),
        ((UTILISATION, PRICE), ("capital",)),
        ((UTILISATION, CAPITAL), ("api_price",)),
        ((PRICE, CAPITAL), ("utilisation",)),
        (("power.pue={value: 1.5, low: 1.2}",), ("utilisation", "api_price", "capital")),
    ],
)
def test_a_probability_needs_a_range_of_utilisation_price_and_capital(sets, needs, case_of):
    rival = sure(case_of(*sets)).alternatives[0]
    assert rival.probability_needs == needs
    assert (rival.probability_cheaper is None) == bool(needs)
    assert rival.probability_reason == ("bare_numbers" if needs else None)
    assert rival.saving is not None


def test_a_range_of_a_traces_scale_is_one_of_the_demand(case_of, tmp_path):
    trace = tmp_path / "requests.csv"
    trace.write_text("at_s,input_tokens,output_tokens\n0,500,500\n3600,700,300\n")
    demand = "{from_trace: true, scale: {value: 2000, low: 1000, high: 3000}}"
    traffic = f"traffic={{shape: {{trace: {trace}}}, demand: {demand}}}"
    assert sure(case_of(traffic, PRICE, CAPITAL)).alternatives[0].probability_needs == ()


def test_the_price_must_be_that_of_the_alternative_itself(case_of):
    found = sure(case_of(UTILISATION, PRICE, CAPITAL))
    assert found.alternatives[0].probability_cheaper is not None
    assert found.alternatives[1].probability_needs == ("api_price",)


def test_a_range_that_does_not_move_a_saving_gives_it_no_interval(case_of):
    found = sure(case_of(PRICE))
    touched, untouched = found.alternatives
    assert touched.saving.low < touched.saving.high
    assert touched.saving_usd_per_year.low < touched.saving_usd_per_year.high
    assert (untouched.saving, untouched.saving_reason) == (None, "no_range_moves_it")
    yearly = (untouched.saving_usd_per_year, untouched.saving_usd_per_year_reason)
    assert yearly == (None, "no_range_moves_it")
    assert untouched.saving_tornado.bars == ()


def test_what_only_rounding_moves_has_no_interval_and_no_bar(case_of):
    # At full load the watts at idle cancel: load = idle + (load - idle).
    idle = "power.idle_w={value: 210.3, low: 0.1, high: 999.7}"
    found = sure(case_of("traffic.target_utilisation=1", idle)).alternatives[0]
    assert found.saving_reason == "no_range_moves_it"
    assert found.saving_tornado.bars == ()


def test_what_moves_and_what_is_held_is_told_for_each_alternative(case_of):
    found = sure(case_of(PRICE, "alternatives.1.discount={value: 0.1, high: 0.2}", UTILISATION))
    of_first = [each.key for each in found.moving(0)]
    assert of_first == ["traffic.target_utilisation", "alternatives.0.usd_per_million.output"]
    assert [each.key for each in found.moving(1)] == [
        "traffic.target_utilisation",
        "alternatives.1.discount",
    ]
    held = [each.key for each in found.held_against(1)]
    assert "alternatives.1.usd_per_million.input" in held
    assert "power.pue" in held
    assert not [key for key in held if key.startswith("alternatives.0.")]


def test_the_range_of_a_price_that_bills_nothing_is_no_range_of_the_price(case_of):
    cached = "alternatives.0.usd_per_million.cached_input={value: 0.02, low: 0.01}"
    found = sure(case_of(UTILISATION, CAPITAL, cached)).alternatives[0]
    assert found.probability_needs == ("api_price",)


def test_demand_and_rent_stand_for_utilisation_and_capital(case_of):
    found = sure(
        case_of(
            "traffic={shape: {input_tokens: 512, output_tokens: 512}, demand: "
            "{requests_per_day: {value: 500000, low: 300000, high: 900000}}}",
            "hardware={rent: {usd_per_hour: {value: 3, low: 2, high: 4}, power_included: false}}",
            PRICE,
        )
    )
    assert found.alternatives[0].probability_cheaper is not None


@pytest.mark.parametrize(("usd", "expected"), [(100, 1.0), (0.0001, 0.0)])
def test_the_probability_is_1_or_0_at_the_extremes(usd, expected, case_of):
    price = f"{{value: {usd}, low: {usd * 0.9}, high: {usd * 1.1}}}"
    found = sure(
        case_of(
            UTILISATION,
            CAPITAL,
            f"alternatives.0.usd_per_million={{input: {price}, output: {price}}}",
        )
    )
    assert found.alternatives[0].probability_cheaper == expected


def test_there_is_no_saving_against_a_price_of_zero(case_of):
    free = "alternatives.0.usd_per_million={input: 0, output: 0}"
    found = sure(case_of(UTILISATION, CAPITAL, free)).alternatives[0]
    assert (found.saving, found.saving_reason, found.saving_tornado) == (None, "zero_price", None)
    assert found.probability_cheaper is None


@settings(max_examples=15)
@given(st.floats(0.46, 0.7), st.floats(0, 0.2), st.floats(0.01, 0.25))
def test_a_wider_range_never_narrows_the_interval(case_of, value, half, more):
    def width(by):
        price = f"{{value: {value}, low: {value - by}, high: {value + by}}}"
        case = case_of(UTILISATION, f"alternatives.0.usd_per_million.output={price}")
        saving = sure(case, draws=20_000).alternatives[0].saving
        return saving.high - saving.low

    wider, narrower = width(half + more), width(half)
    assert wider >= narrower * 0.98


def test_a_number_that_must_not_pass_another_gives_way_in_every_draw(case_of):
    case = case_of(
        "power.idle_w={value: 210, low: 0, high: 2000}",
        "power.load_w={value: 1192, low: 1000, high: 1200}",
    )
    scenario = case.loaded.scenario
    numbers = draws_of(list(ranges_of(scenario, case.measurement)), 1000, 1)
    kept = fitted(scenario, numbers)
    assert np.all(kept["power.idle_w"] <= kept["power.load_w"])
    assert np.array_equal(kept["power.load_w"], numbers["power.load_w"])
    (finding,) = [each for each in answer(case).findings if each.kind == "range_gave_way"]
    assert finding.path == "power.idle_w"
    assert 0.3 < finding.value < 0.6


def test_the_upper_one_gives_way_where_the_lower_one_is_stated(case_of):
    case = case_of(
        "hardware.purchase.residual_usd=90000", CAPITAL.replace("low: 85000", "low: 50000")
    )
    scenario = case.loaded.scenario
    kept = fitted(scenario, draws_of(list(ranges_of(scenario, case.measurement)), 1000, 1))
    assert kept["hardware.purchase.price_usd"].min() == 90000


def test_a_range_that_no_figure_rests_on_is_said_and_not_drawn(case_of):
    got = answer(case_of("slo.ttft_p95_ms={value: 2000, low: 1000}"))
    assert got.uncertainty is None
    (finding,) = [each for each in got.findings if each.kind == "range_not_drawn"]
    assert "slo.ttft_p95_ms" in finding.message


def test_a_whole_number_stays_whole_in_every_draw(case_of):
    case = case_of(
        "hardware.purchase.accelerators={value: 2, low: 1, high: 4}",
        "operations.licence_usd_per_accelerator_year=4500",
    )
    (one,) = ranges_of(case.loaded.scenario, case.measurement)
    assert one.whole
    assert sure(case).usd_per_million_total.high > sure(case).usd_per_million_total.low


def test_the_worked_tornado_comes_out(case_of):
    case = next(case for case in CASES if case["id"] == "econ-s36")
    base, ranges, expected = (
        case["given"]["base"],
        case["given"]["ranges_low_high"],
        case["expected"],
    )
    keys = {
        "hardware_price_usd": "hardware.purchase.price_usd",
        "life_years": "hardware.purchase.life_years",
        "usd_per_kwh": "power.usd_per_kwh",
        "utilisation": "traffic.target_utilisation",
        "total_tok_per_s": "measurement.published.total_tok_per_s",
    }
    sets = ["measurement.published={total_tok_per_s: 11840, source: s, date: 2026-10-15}"]
    for name, (low, high) in ranges.items():
        sets.append(f"{keys[name]}={{value: {base[name]}, low: {low}, high: {high}}}")
    tornado = sure(case_of(*sets)).usd_per_million_total_tornado
    assert tornado.base == pytest.approx(expected["base_usd_per_million_total"], rel=1e-9)
    assert [bar.key for bar in tornado.bars] == [keys[name] for name in expected["order"]]
    for bar in tornado.bars:
        (name,) = [each for each, key in keys.items() if key == bar.key]
        ends = expected["at_low_and_high_input"][name]
        assert [bar.at_low, bar.at_high] == pytest.approx(ends, rel=1e-9)
    one_sided = next(bar for bar in tornado.bars if bar.key.endswith("total_tok_per_s"))
    assert one_sided.at_high == tornado.base


def measured(make_point, interval, **changes):
    rates = make_point().rates.model_copy(update={"output_tok_per_s_interval": interval})
    return make_point(rates=rates, **changes)


def test_a_measured_interval_is_drawn_as_a_normal_and_a_bracket_evenly(case_of, make_measurement):
    case = case_of()
    scenario = case.loaded.scenario
    (run,) = ranges_of(scenario, make_measurement())
    assert (run.key, run.shape, run.low, run.high) == (
        "capacity.output_tok_per_s",
        "normal",
        pytest.approx(11700),
        pytest.approx(11980),
    )
    bracket = {"low": 11840, "high": 12400, "level": None, "covers": "bracket of the search"}
    (searched,) = ranges_of(scenario, make_measurement(capacity_interval=bracket))
    assert (searched.shape, searched.low, searched.high) == ("uniform", 11840, 12400)


def test_the_measured_rate_moves_the_saving_as_its_own_interval_says(case_of, make_measurement):
    case = case_of()
    measurement = make_measurement()
    from tco import compare

    comparison = compare(
        case.loaded.scenario,
        measurement,
        case.tables,
        scenario_sha256="",
        measurement_sha256=None,
        date=case.date,
        tool_version="0",
    )
    got = with_uncertainty(
        comparison, case.loaded.scenario, measurement, case.tables, date=case.date
    )
    rival, stated = got.uncertainty.alternatives[0], got.alternatives[0].saving_interval
    (bar,) = rival.saving_tornado.bars
    assert [bar.at_low, bar.at_high] == pytest.approx([stated.low, stated.high], rel=1e-9)
    assert stated.low < rival.saving.low < rival.saving.high < stated.high


def test_prices_keep_their_digits(case_of):
    scenario = case_of(PRICE).loaded.scenario
    assert scenario.alternatives[0].usd_per_million.output.low == Decimal("0.3")
    assert not math.isnan(float(scenario.alternatives[0].usd_per_million.output.high))


# (key, lowest, highest): each moves the saving one way only.
MONOTONE = (
    ("traffic.target_utilisation", 0.1, 1.0),
    ("hardware.purchase.price_usd", 10_000, 200_000),
    ("hardware.purchase.life_years", 1, 8),
    ("power.usd_per_kwh", 0.01, 0.5),
    ("power.pue", 1.0, 2.0),
    ("operations.other_usd_per_year", 0, 50_000),
    ("alternatives.0.usd_per_million.output", 0.1, 2.0),
    ("alternatives.0.discount", 0.0, 0.9),
)


def ordered(lowest, highest):
    """Three numbers in order, with some room between them."""
    shares = st.lists(st.integers(0, 1000), min_size=3, max_size=3, unique=True).map(sorted)
    return shares.map(lambda three: [lowest + (highest - lowest) * each / 1000 for each in three])


ranged_keys = st.lists(st.sampled_from(MONOTONE), min_size=1, max_size=4, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: ordered(low, high) for key, low, high in keys})
)


def as_sets(ranges):
    return [
        f"{key}={{value: {value:.12g}, low: {low:.12g}, high: {high:.12g}}}"
        for key, (low, value, high) in ranges.items()
    ]


def saving_at(case_of, numbers):
    return answer(case_of(*(f"{key}={each:.12g}" for key, each in numbers.items())))


@settings(max_examples=12)
@given(ranged_keys)
def test_the_ends_of_a_tornado_are_what_the_scenario_says_with_that_number(case_of, ranges):
    stated = {key: value for key, (_, value, _) in ranges.items()}
    found = sure(case_of(*as_sets(ranges)), draws=10).alternatives[0].saving_tornado
    assert found.base == pytest.approx(saving_at(case_of, stated).alternatives[0].saving, abs=1e-12)
    assert {bar.key for bar in found.bars} <= ranges.keys()
    assert [bar.swing for bar in found.bars] == sorted(
        (bar.swing for bar in found.bars), reverse=True
    )
    for bar in found.bars:
        low, _, high = ranges[bar.key]
        for end, at_end in ((low, bar.at_low), (high, bar.at_high)):
            one = saving_at(case_of, stated | {bar.key: end}).alternatives[0].saving
            assert at_end == pytest.approx(one, abs=1e-12)


@settings(max_examples=12)
@given(ranged_keys)
def test_the_interval_lies_within_the_worst_and_the_best_of_all_ranges(case_of, ranges):
    """Each number moves the saving one way, so no draw lies beyond all its worse or better ends.

    The saving as stated lies between these too, but not always in the interval: a value at the
    end of its range need not.
    """
    got = answer(case_of(*as_sets(ranges)))
    rival = got.uncertainty.alternatives[0]
    worst, best = {}, {}
    for bar in rival.saving_tornado.bars:
        low, _, high = ranges[bar.key]
        better_high = bar.at_high > bar.at_low
        worst[bar.key], best[bar.key] = (low, high) if better_high else (high, low)
    lowest, highest = (
        saving_at(case_of, ends).alternatives[0].saving for ends in (worst, best)
    )  # fmt: skip
    found = rival.saving
    assert lowest - 1e-9 <= found.low <= found.median <= found.high <= highest + 1e-9
    assert lowest - 1e-9 <= got.alternatives[0].saving <= highest + 1e-9


@settings(max_examples=12)
@given(st.sampled_from(MONOTONE).flatmap(lambda one: st.tuples(st.just(one[0]), ordered(*one[1:]))))
def test_of_one_range_the_interval_is_what_its_inner_ninety_percent_gives(case_of, one):
    key, (low, _, high) = one
    found = sure(case_of(*as_sets(dict([one])))).alternatives[0].saving
    inner = [
        saving_at(case_of, {key: low + share * (high - low)}).alternatives[0].saving
        for share in (0.05, 0.95)
    ]
    ends = sorted(inner)
    swing = abs(found.high - found.low)
    assert [found.low, found.high] == pytest.approx(ends, abs=1e-6 + swing * 1e-3)


@settings(max_examples=15)
@given(ordered(0.1, 1.0), ordered(0.1, 2.0), ordered(10_000, 200_000))
def test_a_probability_is_sure_only_where_the_interval_says_so(case_of, used, price, capital):
    ranges = dict(zip((each[0] for each in (MONOTONE[0], MONOTONE[6], MONOTONE[1])),
                      (used, price, capital), strict=True))  # fmt: skip
    rival = sure(case_of(*as_sets(ranges)), draws=20_000).alternatives[0]
    share = rival.probability_cheaper
    assert share is not None
    assert (share > 0.95) <= (rival.saving.low > 0) <= (share >= 0.95)
    assert (share < 0.05) <= (rival.saving.high <= 0) <= (share <= 0.05)
    assert (share > 0.5) <= (rival.saving.median > 0)
