"""Traffic of sessions: what one costs on both sides, and prices that step within one."""

import datetime as dt

import pytest

from tco.cost.compare import compare
from tco.measurement_file import published_measurement
from tco.prices import ListedOffer, Offer, PriceTables
from tco.scenario_file import load_scenario

DAY = dt.date(2026, 12, 2)
SESSION = (
    "{session: {turns: 4, system_tokens: 1000, first_input_tokens: 500, tool_output_tokens: 300,"
    " answer_tokens: 100, final_answer_tokens: 400}}"
)
LENGTHS = "{input_tokens: 2100, output_tokens: 175}"
TEXT = """\
schema: tco.scenario/1
name: t
traffic:
  shape: SHAPE
measurement: {published: {requests_per_s: 2, source: s, date: 2026-10-15}}
hardware:
  rent: {usd_per_hour: 7.2}
alternatives:
  - {name: api, usd_per_million: {input: 1, cached_input: 0.1, output: 2}}
  - {catalog: p/m}
"""
ROWS = (
    {"usd_per_million": {"input": 1, "output": 2}},
    {"usd_per_million": {"input": 2, "output": 4}, "context_gt": 2500},
)


@pytest.fixture
def compared(tmp_path):
    def comparer(shape):
        path = tmp_path / "s.yaml"
        path.write_text(TEXT.replace("SHAPE", shape), encoding="utf-8")
        scenario = load_scenario(path).scenario
        offer = Offer(model="m", source="s", date="2026-12-01", prices=ROWS)
        return compare(
            scenario,
            published_measurement(scenario, dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "0"),
            PriceTables({"p/m": ListedOffer("t.yaml", "p", offer)}),
            scenario_sha256="0",
            measurement_sha256=None,
            date=DAY,
            tool_version="0",
        )

    return comparer


def steps(comparison):
    return [f for f in comparison.findings if f.kind.startswith("price_tier_")]


def test_a_session_costs_its_requests_on_both_sides(compared):
    answer = compared(SESSION)
    assert answer.requests_per_session == 4
    # By hand: $7.20 an hour over 2 requests/s is $0.001 a request, four a session.
    assert answer.self_host.usd_per_session == pytest.approx(0.004)
    # Input 1500 + 1900 + 2300 + 2700 = 8400, of which 500 + 3 x 300 = 1400 are new; output 700.
    bill = (1400 * 1 + 7000 * 0.1 + 700 * 2) / 1e6
    assert answer.alternatives[0].usd_per_session == pytest.approx(bill)


def test_requests_without_sessions_have_no_cost_of_one(compared):
    answer = compared(LENGTHS)
    assert answer.requests_per_session is None
    assert answer.self_host.usd_per_session is None
    assert answer.alternatives[0].usd_per_session is None


def test_a_price_that_steps_inside_a_session_is_said_with_its_step(compared):
    answer = compared(SESSION)
    (finding,) = steps(answer)
    assert (finding.kind, finding.severity) == ("price_tier_by_request", "info")
    # Of the calls with 1500, 1900, 2300 and 2700 tokens one lies above; it costs twice as much.
    assert (finding.path, finding.value, finding.limit) == ("alternatives.1", 0.25, 2500)
    bills = (1500 + 200, 1900 + 200, 2300 + 200, 2 * (2700 + 800))
    rival = answer.alternatives[1]
    assert rival.usd_per_request == pytest.approx(sum(bills) / 4e6, rel=1e-12)
    assert rival.usd_per_request_of_mean == pytest.approx((2100 + 2 * 175) / 1e6, rel=1e-12)


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        (LENGTHS, 0),
        ("{input_tokens: {mean: 2100, p95: 4000}, output_tokens: 175}", 1),
        (SESSION.replace("turns: 4", "turns: 3"), 0),
        ("{trace: short.csv}", 0),
        ("{trace: long.csv}", 1),
        ("{input_tokens: {mean: 2100, p95: 8000}, output_tokens: 175}", 1),
    ],
)
def test_a_step_that_no_prompt_reaches_needs_no_word(compared, tmp_path, shape, count):
    for name, longest in (("short.csv", 2500), ("long.csv", 2501)):
        text = f"input_tokens,output_tokens\n100,5\n{longest},5\n"
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert len(steps(compared(shape))) == count
