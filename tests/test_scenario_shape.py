"""A shape that is a trace or a session: resolved to means, and part of the scenario's hash."""

import json
from pathlib import Path

import numpy as np
import pytest

from tco.errors import InputError
from tco.scenario_file import load_scenario
from tco.scenario_shape import shape_of_trace

TRACES = Path(__file__).parent / "data" / "traces"
EXPECTED = json.loads((TRACES / "expected.json").read_text(encoding="utf-8"))
MOONCAKE = "mooncake_conversation_first40.jsonl"
AZURE = "azure_llm_code_2023_first200.csv"
REST = """\
  target_utilisation: 0.5
hardware:
  rent: {usd_per_hour: 2}
"""
SESSION = (
    "{session: {turns: 9, system_tokens: 1000, first_input_tokens: 500, tool_output_tokens: 300,"
    " answer_tokens: 100, final_answer_tokens: 400, tool_wait_s: 2, think_s: 30}}"
)


@pytest.fixture
def load(tmp_path):
    def loader(shape, *sets, folder=tmp_path):
        for name in (MOONCAKE, AZURE):
            (folder / name).write_bytes((TRACES / name).read_bytes())
        path = folder / "s.yaml"
        text = f"schema: tco.scenario/1\nname: t\ntraffic:\n  shape: {shape}\n{REST}"
        path.write_text(text, encoding="utf-8")
        return load_scenario(path, sets)

    return loader


def fault(load, shape, *sets):
    with pytest.raises(InputError) as caught:
        load(shape, *sets)
    return caught.value


def test_a_trace_gives_the_means_of_its_requests_and_what_they_share(load):
    shape = load(f"{{trace: {MOONCAKE}}}").scenario.traffic.shape
    known = EXPECTED[MOONCAKE]
    assert shape.input_tokens.value == known["input_mean"]
    assert shape.output_tokens.value == known["output_mean"]
    assert shape.cached_input_share.value == known["reusable_prefix_share"]
    assert shape.input_tokens.source == "mean of the trace"
    assert shape.requests_per_session() is None


def test_a_trace_that_does_not_tell_what_is_shared_leaves_the_share_to_the_user(load):
    assert load(f"{{trace: {AZURE}}}").scenario.traffic.shape.cached_input_share.value == 0
    shape = load(f"{{trace: {AZURE}, cached_input_share: 0.3}}").scenario.traffic.shape
    assert shape.cached_input_share.value == 0.3


def test_arrivals_are_replayed_where_there_are_times(load, tmp_path):
    (tmp_path / "plain.csv").write_text("input_tokens,output_tokens\n5,1\n", encoding="utf-8")
    assert load(f"{{trace: {AZURE}}}").scenario.traffic.shape.trace.arrivals is True
    assert load("{trace: plain.csv}").scenario.traffic.shape.trace.arrivals is False
    stated = load(f"{{trace: {{file: {AZURE}, arrivals: false, speed_up: 2}}}}")
    assert stated.scenario.traffic.shape.trace.arrivals is False
    assert stated.scenario.traffic.shape.trace.speed_up.value == 2


def test_the_hash_is_of_the_traces_content_and_not_of_its_place(load, tmp_path):
    first = load(f"{{trace: {AZURE}}}")
    (tmp_path / "other").mkdir()
    moved = load(f"{{trace: {AZURE}}}", folder=tmp_path / "other")
    (tmp_path / "renamed.csv").write_bytes((TRACES / AZURE).read_bytes())
    renamed = load("{trace: renamed.csv}")
    assert first.sha256 == moved.sha256 == renamed.sha256
    with (tmp_path / "renamed.csv").open("a", encoding="utf-8") as stream:
        stream.write("2023-11-17 18:20:23.1,5,5\n")
    assert load("{trace: renamed.csv}").sha256 != first.sha256


def test_a_relative_trace_lies_beside_the_scenario(load, tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    trace = load(f"{{trace: {AZURE}}}").scenario.traffic.shape.trace
    assert trace.file == AZURE
    assert trace.path() == tmp_path / AZURE


def test_a_trace_set_on_the_command_line_takes_the_place_of_lengths(load):
    stated = "{input_tokens: 5, cached_input_share: 0.5, output_tokens: 5}"
    shape = load(stated, f"traffic.shape.trace={AZURE}").scenario.traffic.shape
    assert shape.input_tokens.value == EXPECTED[AZURE]["input_mean"]
    assert shape.cached_input_share.value == 0
    shape = load(SESSION, f"traffic.shape.trace={MOONCAKE}").scenario.traffic.shape
    assert shape.session is None
    shape = load(stated, f"traffic.shape.trace={AZURE}", "traffic.shape.cached_input_share=0.2")
    assert shape.scenario.traffic.shape.cached_input_share.value == 0.2


@pytest.mark.parametrize("sets", ["traffic.shape.trace=", "traffic.shape.session=null"])
def test_a_source_set_to_nothing_leaves_the_stated_lengths(load, sets):
    shape = load("{input_tokens: 512, output_tokens: 64}", sets).scenario.traffic.shape
    assert (shape.input_tokens.value, shape.output_tokens.value) == (512, 64)
    assert fault(load, f"{{trace: {MOONCAKE}}}", sets.replace("session", "trace")).key is not None


def test_a_key_of_the_trace_set_on_the_command_line_keeps_the_rest(load):
    stated = f"{{trace: {{file: {AZURE}, speed_up: 2}}, cached_input_share: 0.3}}"
    shape = load(stated, "traffic.shape.trace.speed_up=3").scenario.traffic.shape
    assert (shape.trace.speed_up.value, shape.cached_input_share.value) == (3, 0.3)


def test_a_session_is_resolved_to_its_mean_request(load):
    shape = load(SESSION).scenario.traffic.shape
    prompts = [1500 + call * 400 for call in range(9)]
    assert shape.input_tokens.value == pytest.approx(np.mean(prompts))
    assert shape.output_tokens.value == pytest.approx((8 * 100 + 400) / 9)
    fresh = 500 + 8 * 300
    assert shape.cached_input_share.value == pytest.approx(1 - fresh / sum(prompts))
    assert shape.requests_per_session() == 9


def test_a_session_of_a_fractional_number_of_turns_weighs_both(load):
    shape = load(SESSION, "traffic.shape.session.turns=2.5").scenario.traffic.shape
    two, three = [1500, 1900], [1500, 1900, 2300]
    assert shape.input_tokens.value == pytest.approx((sum(two) + sum(three)) / 5)


def test_a_trace_of_sessions_tells_how_many_requests_each_has(load, tmp_path):
    (tmp_path / "agents.csv").write_text(
        "input_tokens,output_tokens,session\n100,10,a\n150,10,a\n7,1,b\n", encoding="utf-8"
    )
    assert load("{trace: agents.csv}").scenario.traffic.shape.requests_per_session() == 1.5


@pytest.mark.parametrize(
    ("shape", "key", "words"),
    [
        (f"{{trace: {AZURE}, input_tokens: 5}}", "input_tokens", "exclude each other"),
        (f"{{trace: {MOONCAKE}, cached_input_share: 0.1}}", "cached_input_share", "exclude"),
        (f"{SESSION[:-1]}, output_tokens: 5}}", "output_tokens", "exclude each other"),
        (f"{SESSION[:-1]}, trace: a.csv}}", "session", "`trace` and `session` exclude"),
        ("{trace: none.csv}", "trace", "the trace none.csv cannot be found"),
        ("{trace: {fill: none.csv}}", "trace.fill", "unknown key `fill`"),
        ("{trace: 5}", "trace", "must be a mapping"),
        (f"{{trace: {{file: {AZURE}, speed_up: 0}}}}", "trace.speed_up", "must be above 0"),
        (f"{{trace: {{file: {AZURE}, arrivals: maybe}}}}", "trace.arrivals", "true or false"),
        (f"{{trace: {{file: {AZURE}, sha256: {'a' * 64}}}}}", "trace.sha256", "not the one"),
        (
            f"{{trace: {{file: {AZURE}, requests_per_session: 2}}}}",
            "trace.requests_per_session",
            "is found in the trace",
        ),
        ("{session: {turns: 9}}", "session.first_input_tokens", "is missing"),
        (SESSION.replace("turns: 9", "turns: 0"), "session.turns", "turns must be 1 or more"),
        (SESSION.replace("turns", "turn"), "session.turn", "did you mean `turns`"),
    ],
)  # fmt: skip
def test_a_shape_that_contradicts_itself_is_refused_at_its_key(load, shape, key, words):
    error = fault(load, shape)
    assert error.key == f"traffic.shape.{key}"
    assert words in str(error)
    assert error.line == 4


def test_only_the_fault_of_the_source_is_said_and_not_that_means_are_missing(load):
    error = fault(load, SESSION.replace("turns: 9", "turns: 0"))
    assert error.message == "turns must be 1 or more, got 0"


def test_arrivals_of_a_trace_without_times_cannot_be_replayed(load, tmp_path):
    (tmp_path / "plain.csv").write_text("input_tokens,output_tokens\n5,1\n", encoding="utf-8")
    error = fault(load, "{trace: {file: plain.csv, arrivals: true}}")
    assert "states no times" in error.message


def test_a_fault_in_the_trace_names_the_traces_own_line(load, tmp_path):
    (tmp_path / "bad.csv").write_text("input_tokens,output_tokens\n5,x\n", encoding="utf-8")
    error = fault(load, "{trace: bad.csv}")
    assert (error.file, error.line) == (str(tmp_path / "bad.csv"), 2)


def test_a_figure_of_the_trace_cannot_be_set_beside_it(load):
    error = fault(load, f"{{trace: {AZURE}}}", "traffic.shape.input_tokens=100")
    assert error.file == "--set traffic.shape.input_tokens=100"
    assert "neither set nor varied" in error.remedy


def test_a_trace_tells_its_longest_prompt(load):
    shape = load(f"{{trace: {MOONCAKE}}}").scenario.traffic.shape
    assert shape.longest_input_tokens() == 87169


def test_the_shape_of_the_trace_is_kept_for_the_report(load, tmp_path):
    scenario = load(f"{{trace: {AZURE}}}").scenario
    shape = shape_of_trace(scenario)
    assert (shape.file, shape.requests) == (AZURE, 200)
    assert shape.input_mean == EXPECTED[AZURE]["input_mean"]
    assert sum(shape.arrivals_per_minute) == 200
    (tmp_path / AZURE).unlink()
    assert shape_of_trace(scenario) is None


def test_a_shape_without_a_trace_has_no_such_thing(load):
    assert shape_of_trace(load("{input_tokens: 5, output_tokens: 5}").scenario) is None
