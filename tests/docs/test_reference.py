"""The generated pages say types, bounds and defaults as the schemas do."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))

from hooks.reference import json_page, scenario_page


def line(page, start):
    return next(each for each in page.splitlines() if each.startswith(start))


def test_a_key_has_its_bounds_and_what_stands_where_it_is_left_out():
    assert line(scenario_page(), "| `pue` |") == (
        "| `pue` | number at least 1 or [Quantity](#scenario-quantity) | `1.0` |  |"
    )


def test_a_key_that_must_be_there_is_marked():
    assert "required" in line(scenario_page(), "| `name` |")


def test_a_field_of_a_document_carries_the_words_of_its_model():
    assert line(json_page(), "| `energy_kwh_per_year` |").endswith("PUE included. |")
