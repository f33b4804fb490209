"""A Prometheus that lies or stalls: an answer is a reading, or one sentence why it is none."""

import json
import time

import httpx
import pytest

from tco.measure.power import prometheus
from tco.measure.power.prometheus import Prometheus, PrometheusError


@pytest.fixture
def answers(monkeypatch):
    """Return a client whose server gives this body."""

    def make(body):
        server = Prometheus("http://127.0.0.1:1")
        transport = httpx.MockTransport(lambda _: httpx.Response(200, content=body))
        monkeypatch.setattr(
            server, "_http", httpx.Client(base_url="http://127.0.0.1:1", transport=transport)
        )
        return server

    return make


def told(result):
    return json.dumps({"status": "success", "data": {"result": result}}).encode()


def series(*values, metric=None):
    return told([{"metric": {"gpu": "0"} if metric is None else metric, "values": list(values)}])


def test_samples_are_taken_as_told(answers):
    (found,) = answers(series([1, "2.5"], [2, "NaN"])).samples("m", {}, last_s=1)
    assert found.times_ns == (10**9, 2 * 10**9)
    assert found.values[0] == 2.5


@pytest.mark.parametrize(
    "body",
    [
        b"<html>",
        b"[" * 200_000,
        b"[]",
        b"{}",
        told("hello"),
        told(None),
        told([{"metric": {}}]),
        series([1]),
        series([1e12, "1"]),
        series([-1, "1"]),
        series(["NaN", "1"]),
        series([10**400, "1"]),
        series([1, "1"], metric=[1]),
    ],
)
def test_an_answer_that_is_none_is_one_sentence(answers, body):
    with pytest.raises(PrometheusError) as caught:
        answers(body).samples("m", {}, last_s=1)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("clock", [[1, "NaN"], [1, "1e400"], [1, None], {"a": 1}, "x", 5])
def test_a_clock_that_is_none_is_one_sentence(answers, clock):
    with pytest.raises(PrometheusError, match="not as Prometheus writes it"):
        answers(told(clock)).clock_lead_s()


def test_an_answer_that_never_ends_is_given_up(answers, monkeypatch):
    def drops():
        while True:
            time.sleep(0.001)
            yield b" "

    monkeypatch.setattr(prometheus, "_WHOLE_ANSWER_S", 0.05)
    with pytest.raises(PrometheusError, match="took more than"):
        answers(drops()).samples("m", {}, last_s=1)


def test_an_answer_without_bounds_is_given_up(answers, monkeypatch):
    monkeypatch.setattr(prometheus, "_LARGEST_BYTES", 1000)
    with pytest.raises(PrometheusError, match="larger than"):
        answers(b" " * 2000).samples("m", {}, last_s=1)
