"""What a search needs to know of a load point."""

import pytest

from tco.measure.tried import Load, tried_of
from tco.measurement import ServiceLevel, SloTerm


def level(*, holds, seen_ms=(300.0, 10.0), share=0.97):
    limits = (("ttft", 600.0), ("tpot", 10.0))
    terms = tuple(
        SloTerm(latency=latency, limit_ms=limit_ms, quantile=0.95, seen_ms=each, holds=holds)
        for (latency, limit_ms), each in zip(limits, seen_ms, strict=True)
    )
    return ServiceLevel(
        holds=holds, terms=terms, goodput_requests_per_s=1.0, goodput_share=share
    ).model_dump()


def failures(share):
    return {"count": 1, "share": share, "by_kind": {"http_503": 1}}


OPEN = {"loop": "open", "concurrency_asked": None, "offered_requests_per_s": 2.0}


@pytest.mark.parametrize(
    ("seen_ms", "strain"), [((300.0, 10.0), 1.0), ((300.0, None), 0.5), ((None, None), None)]
)
def test_the_strain_is_the_worst_of_seen_by_limit(make_point, seen_ms, strain):
    point = make_point(service_level=level(holds=True, seen_ms=seen_ms))
    assert tried_of(point).strain == strain


def test_without_a_service_level_there_is_no_verdict(make_point):
    found = tried_of(make_point())
    assert (found.keeps, found.strain) == (None, None)
    assert found.load == Load(streams=256)
    assert found.requests_per_s == 23.125
    assert found.noise_share == pytest.approx((11980 - 11700) / 2 / 11840)


@pytest.mark.parametrize(("share", "keeps"), [(0.95, True), (0.94, False)])
def test_of_streams_too_few_for_a_quantile_the_share_within_the_limits_stands_for_it(
    make_point, share, keeps
):
    assert tried_of(make_point(service_level=level(holds=None, share=share))).keeps is keeps
    open_loop = make_point(service_level=level(holds=None, share=share), **OPEN)
    assert tried_of(open_loop).keeps is None


@pytest.mark.parametrize(("share", "keeps"), [(0.01, True), (0.011, False)])
def test_arrivals_of_which_over_1_in_100_failed_keep_no_service_level(make_point, share, keeps):
    point = make_point(service_level=level(holds=True), failures=failures(share), **OPEN)
    assert tried_of(point).keeps is keeps
    assert (tried_of(point).strain is None) is not keeps
    closed = make_point(service_level=level(holds=True), failures=failures(share))
    assert tried_of(closed).keeps


def test_a_load_is_called_as_a_reader_does():
    assert Load(streams=1).words() == "1 stream"
    assert Load(requests_per_s=1234.56).words() == "1,235 requests/s"
    assert Load(requests_per_s=2, is_replay=True).words() == "the trace's own times, 2 requests/s"
    assert Load().words() == "a load that is not told"
