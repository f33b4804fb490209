"""What a search and the load to verify leave to say, and on which points figures rest."""

import pytest

from tco.finding import Finding
from tco.measure.capacity import Capacity, bracket, target_load
from tco.measure.load_findings import overloaded, rate_not_as_asked, too_few_for_slo
from tco.measure.rested import rested
from tco.measure.search_findings import repeat_findings, search_findings, target_findings
from tco.measurement import OpenLoop, ServiceLevel, SloTerm


def level(seen, limit=100.0):
    holds = None if seen is None else seen <= limit
    term = SloTerm(latency="ttft", quantile=0.95, limit_ms=limit, seen_ms=seen, holds=holds)
    return ServiceLevel(holds=holds, terms=(term,), goodput_requests_per_s=1.0, goodput_share=0.5)


def loop(offered=10.0, sent=10.0, *, is_overloaded=False):
    return OpenLoop(
        offered_requests_per_s=offered, sent_requests_per_s=sent, in_flight_slope_per_s=1.0,
        in_flight_slope_interval=None, is_overloaded=is_overloaded,
    )  # fmt: skip


@pytest.fixture
def opened(make_point):
    def make(offered=10.0, seen=50.0, *, is_overloaded=False, **more):
        return make_point(
            purpose="search", loop="open", concurrency_asked=None, offered_requests_per_s=offered,
            service_level=level(seen).model_dump(),
            open_loop=loop(offered, is_overloaded=is_overloaded).model_dump(), **more,
        )  # fmt: skip

    return make


def kinds(findings):
    return {(finding.kind, finding.severity) for finding in findings}


def test_a_narrow_bracket_needs_no_word(opened):
    points = [opened(10.0), opened(10.4, seen=150.0)]
    assert search_findings(points, Capacity(0, 10.0, 10.4, "found")) == ()


@pytest.mark.parametrize("reason", ["out_of_points", "undecided", "at_bound"])
def test_a_wide_bracket_is_said_with_its_width(opened, reason):
    points = [opened(10.0), opened(13.0, seen=150.0)]
    (finding,) = search_findings(points, Capacity(0, 10.0, 13.0, reason))
    assert (finding.kind, finding.severity) == ("search_not_narrow", "warn")
    assert (finding.value, finding.limit) == (pytest.approx(0.3), 0.05)


def test_a_level_that_only_an_overload_broke_is_not_what_limits(opened):
    points = [opened(10.0), opened(10.4, seen=90.0, is_overloaded=True)]
    assert kinds(search_findings(points, Capacity(0, 10.0, 10.4, "found"))) == {
        ("slo_not_binding", "info")
    }


def test_a_search_that_met_no_end_does_not_say_what_limits(opened):
    found = search_findings([opened(10.0)], Capacity(0, 10.0, None, "out_of_points"))
    assert kinds(found) == {("search_not_narrow", "warn")}


def test_a_level_no_load_keeps_is_invalid_with_what_was_seen(make_point):
    point = make_point(concurrency_asked=1, service_level=level(150.0).model_dump())
    (finding,) = search_findings([point], Capacity(0, None, None, "kept_nowhere"))
    assert (finding.kind, finding.severity) == ("slo_not_kept", "invalid")
    assert (finding.value, finding.limit) == (150.0, 100.0)
    assert "the lowest load tried, 1 stream" in finding.message


def test_a_stated_concurrency_that_breaks_the_level_is_invalid(make_point):
    point = make_point(service_level=level(150.0).model_dump())
    assert kinds(search_findings([point], Capacity(0, None, None, "stated"))) == {
        ("slo_not_kept", "invalid")
    }


def test_a_level_that_cannot_be_told_is_a_warning(make_point):
    point = make_point(service_level=level(None).model_dump())
    assert kinds(search_findings([point], Capacity(0, None, None, "stated"))) == {
        ("slo_unknown", "warn")
    }


def test_a_rate_that_still_rose_at_the_bound_is_said(make_point):
    (finding,) = search_findings([make_point()], Capacity(0, None, None, "at_bound"))
    assert (finding.kind, finding.value) == ("capacity_at_bound", 256)


def test_a_load_to_verify_that_breaks_the_level_is_invalid(opened):
    points = [opened(10.0), opened(8.0, seen=120.0)]
    assert kinds(target_findings(points, 0, 1)) == {("slo_not_kept", "invalid")}
    assert target_findings(points, 0, 0) == ()


def test_a_later_start_that_breaks_the_level_is_invalid(opened):
    (finding,) = repeat_findings([opened(10.0), opened(10.0, seen=120.0)])
    assert "repeat 3" in finding.message


def test_an_overload_is_an_answer_to_a_search_and_a_fault_of_a_load_to_verify():
    grown = loop(is_overloaded=True)
    assert overloaded(grown, is_search=True).severity == "info"
    assert overloaded(grown, is_search=False).severity == "invalid"
    assert overloaded(loop(), is_search=False) is None


def test_another_rate_than_asked_is_said_by_its_size():
    found = [rate_not_as_asked(loop(100.0, sent), 60.0) for sent in (100.9, 98.0, 90.0)]
    assert [f and f.severity for f in found] == [None, "warn", "invalid"]


def test_too_few_requests_for_a_quantile_of_the_level_is_said():
    assert too_few_for_slo(level(None), 80, 100).value == 80
    assert too_few_for_slo(level(50.0), 120, 100) is None


def test_figures_rest_on_the_chosen_points_and_those_of_the_same_load(make_point):
    invalid = Finding(
        kind="not_steady", severity="invalid", path="points.0", message="m", advice="a"
    )
    client = invalid.model_copy(update={"kind": "client_starved"})
    points = [
        make_point(concurrency_asked=streams, findings=[invalid, client]) for streams in (8, 16, 16)
    ]
    severities = [[f.severity for f in point.findings] for point in rested(points, 1, None)]
    assert severities == [["warn", "invalid"], ["invalid", "invalid"], ["invalid", "invalid"]]


def test_the_bracket_is_of_output_rates(make_point):
    # The point delivered 23.125 requests a second, of 512 tokens each.
    found = bracket(make_point(), Capacity(0, 23.0, 24.0, "found"))
    assert (found.low, found.high) == (pytest.approx(23 * 512), pytest.approx(24 * 512))
    found = bracket(make_point(), Capacity(0, 23.5, 24.0, "found"))
    assert found.low == 23.125 * 512
    assert bracket(make_point(), Capacity(0, 20.0, None, "at_bound")) is None


class OnePoint:
    def __init__(self, point, share):
        self.all = [point]
        self.plan = type("Plan", (), {"target_load": share})


@pytest.mark.parametrize(
    ("share", "low", "rate"),
    [
        (0.95, None, 0.95 * 23.125),
        (0.96, None, None),
        (0.5, 20.0, 10.0),
        (0.99, 20.0, 19.8),
        (1.0, 20.0, None),
    ],
)
def test_the_load_to_verify_is_open_up_to_near_saturation_or_to_a_level(
    make_point, share, low, rate
):
    capacity = Capacity(0, low, None, "found")
    load = target_load(OnePoint(make_point(), share), capacity)
    if rate is None:
        assert load is None
    else:
        assert load.requests_per_s == pytest.approx(rate, rel=1e-3)


def test_a_capacity_or_a_repeat_of_it_that_was_overloaded_is_no_capacity(opened):
    point = opened(10.0, seen=50.0, is_overloaded=True)
    for found in (
        search_findings([point], Capacity(0, None, 10.0, "kept_nowhere")),
        repeat_findings([point]),
    ):
        assert kinds(found) == {("overloaded", "invalid")}
