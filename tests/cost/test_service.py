"""By which rule a capacity was found, its interval, and whether the service level is kept."""

import datetime as dt

import pytest

from tco.cost.compare import compare
from tco.measurement import Interval, MeasuredShape, Measurement, OpenLoop, Rates
from tco.prices import PriceTables
from tco.scenario import Scenario

SHAPE = {"input_tokens": 512, "output_tokens": 512}
TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {"shape": SHAPE, "target_utilisation": 0.5},
    "slo": {"ttft_p95_ms": 2000, "tpot_p95_ms": 50},
    "hardware": {"rent": {"usd_per_hour": 2}},
    "alternatives": [
        {"name": "api", "usd_per_million": {"input": 0.1, "output": 0.5}, "same_weights": True}
    ],
}
OVERLOAD = OpenLoop(
    offered_requests_per_s=9,
    sent_requests_per_s=9,
    in_flight_slope_per_s=0.5,
    in_flight_slope_interval=Interval(low=0.4, high=0.6),
    is_overloaded=True,
)


def measured(*points, **changes):
    values = {
        "tool_version": "0",
        "created_at": dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
        "origin": "measured",
        "shape": MeasuredShape(**SHAPE, cached_input_share=0),
        "points": points,
        "capacity_point": 0 if points else None,
    }
    return Measurement.model_validate(values | changes)


def compared(measurement, **changes):
    return compare(
        Scenario.model_validate(TREE | changes),
        measurement,
        PriceTables({}),
        scenario_sha256="0",
        measurement_sha256="0",
        date=dt.date(2026, 12, 2),
        tool_version="0",
    )


def kinds(comparison):
    return {finding.kind for finding in comparison.findings}


def judged(*, ttft_ms, holds, limit_ms=2000.0):
    seen = {"latency": "ttft", "quantile": 0.95, "limit_ms": limit_ms, "seen_ms": ttft_ms}
    tpot = {"latency": "tpot", "quantile": 0.95, "limit_ms": 50.0, "seen_ms": 30.0}
    return {
        "holds": holds,
        "terms": (seen | {"holds": holds}, tpot | {"holds": True}),
        "goodput_requests_per_s": 1.0,
        "goodput_share": 0.9,
    }


STATED = {"engine": {"attach": {"url": "http://127.0.0.1:1", "model": "m"}, "concurrency": 256}}
OPEN = {"loop": "open", "purpose": "search", "concurrency_asked": None}


@pytest.mark.parametrize(
    ("rule", "point", "changes"),
    [
        ("stated_concurrency", {}, STATED),
        ("closed_loop", {}, {"slo": {}}),
        ("open_loop", OPEN, {"slo": {}}),
        ("service_level", OPEN | {"service_level": judged(ttft_ms=900.0, holds=True)}, {}),
        ("lowest_load", OPEN | {"service_level": judged(ttft_ms=9e3, holds=False)}, {}),
        ("lowest_load", {"service_level": judged(ttft_ms=9e3, holds=False)}, {}),
    ],
)
def test_the_capacity_says_by_which_rule_it_was_found(rule, point, changes, make_point):
    got = compared(measured(make_point(**point)), **changes).capacity
    assert got.rule == rule
    assert got.streams == (None if "loop" in point else 256)


def test_an_imported_rate_is_named_so_whatever_its_loop(make_point):
    assert compared(measured(make_point(), origin="imported")).capacity.rule == "imported"


def test_the_interval_of_a_search_or_of_several_starts_wins_over_that_of_one_run(make_point):
    across = Interval(low=11000, high=12000, covers="across 3 engine starts")
    got = compared(measured(make_point(), capacity_interval=across))
    assert got.capacity.interval.model_dump() == across.model_dump()
    saving = got.alternatives[0].saving_interval
    assert saving.covers == "across 3 engine starts"
    assert 1 - saving.low == pytest.approx((1 - got.alternatives[0].saving) * 11840 / 11000)
    within = compared(measured(make_point())).capacity.interval
    assert (within.low, within.covers) == (11700, "within one run")


def test_an_interval_upside_down_is_refused():
    with pytest.raises(ValueError, match="low"):
        Interval(low=12000, high=11000)


def test_the_service_level_is_judged_at_the_load_to_verify_where_there_is_one(make_point):
    kept = make_point(**OPEN, service_level=judged(ttft_ms=900.0, holds=True))
    late = make_point(
        **OPEN | {"purpose": "target"}, service_level=judged(ttft_ms=3e3, holds=False)
    )
    got = compared(measured(kept))
    assert (got.service.holds, got.service.seen_at) == (True, "capacity")
    assert kinds(got) & {"slo_not_kept", "slo_unknown"} == set()
    got = compared(measured(kept, late, target_point=1))
    assert (got.service.holds, got.service.seen_at) == (False, "target")
    message = next(f.message for f in got.findings if f.kind == "slo_not_kept")
    assert "ttft p95 was 3,000 ms, the limit is 2,000 ms" in message


def test_a_measurement_without_a_verdict_is_judged_by_its_quantiles(make_point, make_quantiles):
    got = compared(measured(make_point()))
    assert [term.seen_ms for term in got.service.terms] == pytest.approx([756.0, 37.8])
    assert got.service.holds is True
    slow = {"ttft": make_quantiles(2000.0), "tpot": make_quantiles(1.0), "itl": None, "e2e": None}
    assert compared(measured(make_point(latency=slow))).service.holds is False


def test_no_quantile_is_no_verdict(make_point):
    none = dict.fromkeys(("ttft", "tpot", "itl", "e2e"))
    got = compared(measured(make_point(latency=none)))
    assert got.service.holds is None
    assert "slo_unknown" in kinds(got)
    assert compared(measured(make_point()), slo={"ttft_p99_ms": 1}).service.holds is None


def test_a_rate_without_points_shows_no_service_level():
    rates = Rates(requests_per_s=1, input_tok_per_s=512, output_tok_per_s=512, total_tok_per_s=1024)
    got = compared(measured(published_rates=rates, origin="published"))
    assert (got.service.holds, got.service.seen_at) == (None, None)
    assert "comes without latencies" in " ".join(f.message for f in got.findings)


def test_a_queue_that_grows_keeps_no_service_level(make_point):
    got = compared(measured(make_point(**OPEN, open_loop=OVERLOAD)))
    assert got.service.holds is False


def test_a_search_under_other_limits_is_said_and_judged_by_the_scenario(make_point):
    point = make_point(**OPEN, service_level=judged(ttft_ms=900.0, holds=True, limit_ms=1000.0))
    got = compared(measured(point))
    assert "slo_differs" in kinds(got)
    assert got.service.terms[0].limit_ms == 2000


def test_without_a_service_level_there_is_no_verdict(make_point):
    assert compared(measured(make_point()), slo={}).service is None


def test_what_the_bench_said_of_the_service_level_is_not_said_again(make_point):
    said = {"kind": "slo_not_kept", "severity": "invalid", "path": "slo", "message": "m"}
    late = make_point(**OPEN, service_level=judged(ttft_ms=3e3, holds=False))
    got = compared(measured(late, findings=(said | {"advice": "a"},)))
    assert [f.message for f in got.findings if f.kind == "slo_not_kept"] == ["m"]
    assert got.service.holds is False
