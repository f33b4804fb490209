"""The board answers as `tco.answer` does; where the draws take long, they come second."""

import dataclasses
import re

import pytest

from tco import answer, load_case
from tco.errors import InputError
from tco.finding import Finding
from tco.scenario_template import scenario_text
from tco.ui import board as board_module
from tco.ui.board import load_board
from tco.ui.page import answer_html


@pytest.fixture
def my(tmp_path):
    path = tmp_path / "my.yaml"
    path.write_text(scenario_text(), encoding="utf-8")
    return path


def test_the_answer_is_that_of_the_same_overrides(my):
    board = load_board(my, sets=["power.usd_per_kwh=0.2"])
    found = board.answer(board.changes([("power.pue", "1.2")]), whole=True)
    expected = load_case(my, sets=["power.usd_per_kwh=0.2", "power.pue=1.2"])
    assert found.comparison == answer(expected)


def test_slow_draws_follow_and_change_no_other_figure(my, monkeypatch):
    monkeypatch.setattr(board_module, "_AT_ONCE_S", 0.0)
    board = load_board(my)
    changes = board.changes([("traffic.target_utilisation", "0.5")])
    whole = board.answer(changes, whole=True)
    first = board.answer(changes)
    assert (first.is_whole, whole.is_whole) == (False, True)
    assert first.comparison.uncertainty is None
    assert whole.comparison.uncertainty is not None
    assert first.comparison.alternatives == whole.comparison.alternatives


def test_a_number_that_is_the_files_own_is_no_change(my):
    board = load_board(my)
    assert board.changes([("power.pue", "1.540"), ("operations.fte", "0")]).each == ()


def test_the_file_is_read_once(my):
    board = load_board(my)
    my.write_text("gone: wrong", encoding="utf-8")
    changes = board.changes([("power.pue", "1.2")])
    assert board.answer(changes).case.loaded.scenario.power.pue.value == 1.2


def test_numbers_that_do_not_fit_together_are_refused_in_a_sentence(my):
    board = load_board(my)
    with pytest.raises(InputError, match="must not be above load_w") as refused:
        board.answer(board.changes([("power.idle_w", "5000")]))
    assert refused.value.key == "power.idle_w"


def test_a_telephone_is_shown_no_figure_of_an_invalid_measurement(my):
    board = load_board(my)
    found = board.answer(board.changes([]), whole=True)
    bad = Finding(kind="not_steady", severity="invalid", path="p", message="m", advice="a")
    spoilt = found.comparison.model_copy(update={"findings": (bad,)})
    page = answer_html(board, dataclasses.replace(found, comparison=spoilt))
    (line,) = re.findall(r'id="verdict"[^>]*>([^<]*)<', page)
    assert line == "Invalid measurement: its figures must not be used"
    (headline,) = re.findall(r'id="headline"[^>]*>([^<]*)<', page)
    assert headline.startswith(f"{line}. ")
