"""The scenario that the page gives reads as what the page shows, whatever it was made from."""

from pathlib import Path

import pytest

from tco import answer, load_case
from tco.scenario_template import scenario_text
from tco.ui.board import load_board
from tco.ui.scenario_copy import scenario_copy

TRACE = Path(__file__).resolve().parents[1] / "data/traces/azure_llm_code_2023_first200.csv"


def copied(path, changes=(), **given):
    board = load_board(path, **given)
    text = scenario_copy(board, board.changes(changes))
    copy = path.with_name("copy.yaml")
    copy.write_text(text, encoding="utf-8")
    return text, copy


@pytest.fixture
def my(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(scenario_text(), encoding="utf-8")
    return path


def test_without_changes_it_is_the_file(my):
    assert copied(my)[0] == my.read_text(encoding="utf-8")


def test_every_input_changed_at_once_is_what_the_same_overrides_are(my):
    board = load_board(my)
    changes = [(each.key, each.high) for each in board.inputs.values()]
    _, copy = copied(my, changes)
    expected = load_case(my, sets=[f"{key}={text}" for key, text in changes])
    assert answer(load_case(copy)) == answer(expected)


def test_it_carries_the_overrides_that_the_page_was_started_with(my):
    text, copy = copied(my, [("power.pue", "1.3")], sets=["traffic.target_utilisation=0.4"])
    assert text.startswith("# my.yaml with another traffic.target_utilisation, power.pue\n")
    assert load_case(copy).loaded.scenario.traffic.target_utilisation.value == 0.4
    assert "# over which you write it off" in text


@pytest.mark.parametrize(
    "override",
    [
        "alternatives=[{name: 'no', usd_per_million: {input: 0.25, output: 2e-1}, source: '1e3'}]",
        "hardware={rent: {usd_per_hour: 2.5, billing: hourly}}",
    ],
)
def test_an_override_of_a_whole_part_is_written_too(my, override):
    sets = [override, "power=null"]
    _, copy = copied(my, [("traffic.target_utilisation", "0.5")], sets=sets)
    expected = load_case(my, sets=[*sets, "traffic.target_utilisation=0.5"])
    assert load_case(copy).loaded.sha256 == expected.loaded.sha256


def test_it_says_what_belongs_beside_it(my):
    trace = my.with_name("requests.csv")
    trace.write_bytes(TRACE.read_bytes())
    text, copy = copied(my, [("power.pue", "1.3")], sets=["traffic.shape.trace=requests.csv"])
    assert "It names files that lie beside my.yaml" in text
    sets = ["traffic.shape.trace=requests.csv", "power.pue=1.3"]
    assert load_case(copy).loaded.sha256 == load_case(my, sets=sets).loaded.sha256
