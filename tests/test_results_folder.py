from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.results_folder import results_folder


@pytest.mark.parametrize(
    ("name", "folder"),
    [("A name, with / parts", "a-name-with-parts"), ("Größe", "groe"), ("../..", "scenario")],
)
def test_the_folder_is_named_after_the_scenario(name, folder):
    assert results_folder(name) == Path("reports") / folder


@given(st.text(min_size=1))
def test_any_name_gives_one_folder_below_reports(name):
    parent, folder = results_folder(name).parts
    assert parent == "reports"
    assert set(folder) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert 0 < len(folder) <= 60
