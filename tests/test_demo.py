"""What `make demo` says beside make's own words."""

import runpy
from pathlib import Path

import pytest

DEMO = Path(__file__).resolve().parents[1] / "demo" / "demo.py"


@pytest.mark.parametrize("exit_code", [2, 3, 130])
def test_an_exit_code_that_tco_explained_gets_no_further_words(exit_code):
    assert runpy.run_path(str(DEMO))["hint_of"](exit_code) is None


def test_an_invalid_measurement_is_told_apart_from_a_broken_demo():
    said = runpy.run_path(str(DEMO))["hint_of"](4)
    assert "its report is written" in said
    assert "Run `make demo` again" in said
