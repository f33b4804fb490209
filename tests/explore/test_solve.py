"""Solving: what it finds, the evaluation gives back."""

import json

import jsonschema
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tco import compare, load_what_if, solve, sweep
from tco.cli import main
from tco.schemas import schema

TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "date": "2026-12-02",
    "traffic": {
        "shape": {"input_tokens": 500, "cached_input_share": 0.5, "output_tokens": 250},
        "target_utilisation": 0.5,
    },
    "slo": {"ttft_p95_ms": 2000},
    "measurement": {"published": {"total_tok_per_s": 2e4, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 90000, "life_years": 3, "residual_share": 0.1}},
    "power": {"idle_w": 100, "load_w": 1000, "usd_per_kwh": 0.1},
    "alternatives": [
        {"name": "api", "usd_per_million": {"input": 0.1, "cached_input": 0.02, "output": 0.5}}
    ],
}
KEYS = (
    "traffic.target_utilisation",
    "hardware.purchase.price_usd",
    "hardware.purchase.life_years",
    "power.usd_per_kwh",
    "measurement.published.total_tok_per_s",
    "alternatives.0.usd_per_million.output",
    "traffic.shape.cached_input_share",
    "operations.hosting_usd_per_month",
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    file = tmp_path_factory.mktemp("solve") / "case.yaml"
    file.write_text(yaml.safe_dump(TREE))
    return file


@pytest.fixture(scope="module")
def what_if(path):
    return load_what_if(path)


def saving_at(what_if, key, value):
    return sweep(what_if, [f"{key}={value!r}"])["saving"][0].as_py()


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(key=st.sampled_from(KEYS), target=st.floats(-3, 0.9))
def test_at_every_value_found_the_target_is_met(key, target, what_if):
    (answer,) = solve(what_if, key, target).answers
    for met in answer.met:
        assert met.before is None
        assert saving_at(what_if, key, met.value) == pytest.approx(target, abs=1e-9)
    if not answer.met:
        assert abs(answer.nearest_figure - target) > 1e-9
        assert saving_at(what_if, key, answer.nearest_value) == pytest.approx(answer.nearest_figure)


def test_the_break_even_utilisation_is_that_of_a_comparison(what_if):
    comparison = compared(what_if)
    (met,) = solve(what_if, "traffic.target_utilisation").answers[0].met
    want = comparison.alternatives[0].break_even_utilisation
    assert met.value == pytest.approx(want, rel=1e-9)
    assert met.rises


def compared(what_if):
    case = what_if.case
    return compare(
        case.loaded.scenario, case.measurement, case.tables, date=case.date,
        scenario_sha256="", measurement_sha256=None, tool_version="0",
    )  # fmt: skip


@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    per_day=st.floats(5e5, 2e7),
    load=st.floats(0.3, 1),
    spares=st.integers(0, 1),
    output_usd=st.floats(0.01, 0.3),
)
def test_the_break_even_volume_of_a_demand_is_that_of_a_comparison(
    per_day, load, spares, output_usd, path
):
    """Where the fleet as sized can serve it; else only a fleet of more replicas breaks even."""
    demand = {"requests_per_day": per_day, "target_peak_utilisation": load, "spares": spares}
    demand |= {"profile": [1] * 8 + [4] * 8 + [2] * 8}
    shape = TREE["traffic"]["shape"]
    sets = [
        f"traffic={json.dumps({'shape': shape, 'demand': demand})}",
        f"alternatives.0.usd_per_million={json.dumps({'input': 0.01, 'output': output_usd})}",
    ]
    what_if = load_what_if(path, sets=sets)
    got = compared(what_if)
    rival, key = got.alternatives[0], "traffic.demand.requests_per_day"
    met = [each.value for each in solve(what_if, key).answers[0].met]
    fields = ["replicas", "saving"]
    if rival.break_even_within_capacity is not True:
        replicas = [sweep(what_if, [f"{key}={each!r}"], fields=fields)["replicas"] for each in met]
        assert all(each[0].as_py() > got.self_host.replicas for each in replicas)
        return
    at = rival.break_even_requests_per_month * 12 / 365
    there = sweep(what_if, [f"{key}={at!r}"], fields=fields)
    assert there["replicas"][0].as_py() <= got.self_host.replicas
    if there["replicas"][0].as_py() == got.self_host.replicas:
        assert there["saving"][0].as_py() == pytest.approx(0, abs=1e-9)
        # Over all demands two crossings may lie between two values tried; near it none do.
        near = solve(what_if, key, between=(at * 0.99, at * 1.01)).answers[0].met
        assert any(each.value == pytest.approx(at, rel=1e-9) for each in near)


def test_a_figure_in_steps_is_met_by_a_jump_and_whole_keys_get_whole_numbers(path):
    shape, day = "{input_tokens: 500, output_tokens: 250}", "{requests_per_day: 100000}"
    demand = load_what_if(path, sets=[f"traffic={{shape: {shape}, demand: {day}}}"])
    key = "traffic.demand.requests_per_day"
    first = solve(demand, key, 1.5, field="servers").answers[0].met[0]
    assert (first.before, first.figure) == (1, 2)
    got = sweep(demand, [f"{key}={first.value!r},{first.value * (1 - 1e-8)!r}"], fields=["servers"])
    assert got["servers"].to_pylist() == [2, 1]
    spares = solve(demand, "traffic.demand.spares", 2.5, field="servers").answers[0].met
    assert [(each.value, each.before, each.figure) for each in spares] == [(2, 2, 3)]


def test_a_target_out_of_reach_gives_the_nearest_and_its_end(what_if):
    (answer,) = solve(what_if, "power.usd_per_kwh", 0.99).answers
    assert (answer.met, answer.nearest_value, answer.reason) == ((), 0, "not_reached")
    flat = solve(what_if, "power.usd_per_kwh", 3.0, field="api_usd_per_request")
    assert flat.answers[0].reason == "changes_nothing"


@pytest.fixture
def run(capsys, path):
    def call(*arguments):
        with pytest.raises(SystemExit) as ended:
            main(["solve", str(path), *arguments])
        out, err = capsys.readouterr()
        return ended.value.code, out, err

    return call


def test_the_command_says_it_in_a_sentence_and_as_json(run):
    code, out, _ = run("hardware.purchase.price_usd", "--saving", "0.25")
    assert code == 0
    assert "25 % at hardware.purchase.price_usd = " in out
    assert "falling with it" in out
    code, out, _ = run("hardware.purchase.price_usd", "--saving", "0.25", "--json")
    assert code == 0
    jsonschema.validate(json.loads(out), schema("solve"))
    assert "the lowest tried" in run("power.pue", "--saving", "0.9")[1]


def test_money_has_its_sign_and_an_end_that_is_no_limit_is_not_named(run):
    out = run("hardware.purchase.price_usd", "--saving", "0.25")[1]
    assert "25 % at hardware.purchase.price_usd = $" in out
    out = run("hardware.purchase.price_usd", "--saving", "0.9999")[1]
    assert "no hardware.purchase.price_usd of $0 or more gives 99.99 %" in out
    assert "at $0, the lowest tried" in out
    field = ("--field", "usd_per_million_output", "--target", "1e-6")
    out = run("traffic.target_utilisation", *field)[1]
    assert "usd_per_million_output (now $" in out
    assert "no traffic.target_utilisation from just above 0 to 1 gives $1e-06" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("power.puee",), "did you mean `pue`?"),
        (("bench.seed",), "saving does not rest on `bench.seed`"),
        (("power.pue", "--between", "0.5:2"), "pue"),
        (("power.pue", "--between", "2:1"), "needs LOW:HIGH"),
        (("power.pue", "--saving", "50"), "a share of at most 1"),
        (("power.pue", "--field", "savings", "--target", "1"), "did you mean `saving`?"),
        (("power.pue", "--target", "1"), "belong together"),
        (("power.pue", "--alternative", "nobody"), "no alternative is named"),
        (("power.pue", "--between", "1:1e400"), "needs LOW:HIGH"),
        (("power.pue", "--between", "0.1:2"), "allowed: pue must be 1 or more, got 0.1\n"),
        (("finance.method",), "`finance.method` is no number"),
        (("name",), "`name` is no number"),
        (("power",), "`power` is no number"),
        (("alternatives.9.discount",), "there is no 9"),
    ],
)
def test_a_question_that_cannot_be_asked_is_one_sentence(arguments, words, run):
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
