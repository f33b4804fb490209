"""A comparison as CSV: every figure of the JSON, in full, and nothing that a spreadsheet runs."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.report.long_table import COLUMNS, comparison_csv, csv_text, unit_of_figure
from tco.report.render import document_json

# The last four are the wide forms of East Asian text.
FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


def rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def numbers(tree):
    if isinstance(tree, dict):
        return [number for value in tree.values() for number in numbers(value)]
    if isinstance(tree, list):
        return [number for value in tree for number in numbers(value)]
    return [float(tree)] if isinstance(tree, int | float) and not isinstance(tree, bool) else []


def test_every_number_of_the_json_is_there_in_full(comparison):
    tree = json.loads(document_json(comparison))
    del tree["findings"]
    table = rows(comparison_csv(comparison))
    texts = [row[name] for row in table for name in ("value", "at")]
    cells = {float(text) for text in texts if _is_number(text)}
    assert set(numbers(tree)) <= cells


def _is_number(text):
    try:
        float(text)
    except ValueError:
        return False
    return True


def test_a_row_has_its_unit_and_why_there_is_no_value(make_comparison, make_rival):
    none = make_rival(
        name="zero", saving=None, saving_reason="zero_price", npv_usd=-5.0, irr=None,
        irr_reason="no_sign_change",
    )  # fmt: skip
    table = rows(comparison_csv(make_comparison(alternatives=(none,))))
    found = {row["figure"]: row for row in table if row["section"] == "alternatives"}
    assert (
        found["saving"] | {"alternative": "zero", "value": "", "reason": "zero_price"}
        == (found["saving"])
    )
    assert (found["irr"]["value"], found["irr"]["reason"]) == ("", "no_sign_change")
    assert (found["npv_usd"]["value"], found["npv_usd"]["unit"]) == ("-5.0", "USD")


def test_the_utilisation_and_the_years_stand_in_a_column_of_their_own(comparison):
    table = rows(comparison_csv(comparison))
    at_half = [row for row in table if row["section"] == "utilisation" and row["at"] == "0.5"]
    assert [row["figure"] for row in at_half] == ["usd_per_million_output", "saving"]
    assert float(at_half[1]["value"]) == comparison.utilisation[49].saving[0]
    flows = [float(row["at"]) for row in table if row["section"] == "cash_flow"]
    assert flows == [0.0, 1.0, 2.0, 3.0]


def test_the_findings_end_the_table(comparison):
    last = rows(comparison_csv(comparison))[-1]
    assert (last["section"], last["figure"], last["value"]) == (
        "findings",
        "no_service_level",
        "warn",
    )
    assert "batch service" in last["reason"]


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\0"), max_size=40))
def test_no_text_is_a_formula_and_all_of_it_is_kept(text):
    (read,) = list(csv.reader(io.StringIO(csv_text((), [(text, "end")]), newline="")))[1:]
    assert read[0][:1] not in FORMULA_STARTS
    assert read == [f"'{text}" if text[:1] in FORMULA_STARTS else text, "end"]


@pytest.mark.parametrize("first", FORMULA_STARTS)
def test_every_start_of_a_formula_is_made_text(first):
    (read,) = list(csv.reader(io.StringIO(csv_text((), [(f"{first}1+1",)]), newline="")))[1:]
    assert read == [f"'{first}1+1"]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_is_kept_to_its_last_digit_and_stays_a_number(value):
    ((read,),) = list(csv.reader(io.StringIO(csv_text((), [(value,)]))))[1:]
    assert float(read) == value


def test_lines_end_as_rfc_4180_says(comparison):
    text = comparison_csv(comparison)
    assert text.startswith(",".join(COLUMNS) + "\r\n")
    assert text.count("\n") == text.count("\r\n")


@pytest.mark.parametrize(
    ("figure", "unit"),
    [
        ("usd_per_million_output", "USD/1e6 output tokens"),
        ("usd_per_million_output_price", "USD/1e6 tokens"),
        ("parts_usd_per_hour.capital", "USD/hour"),
        ("stress.payback_years", "years"),
        ("saving_interval.low", "share"),
        ("break_even_requests_per_month", "requests/month"),
        ("interval.low", "tokens/s"),
        ("name", ""),
    ],
)
def test_a_unit_is_read_from_the_figures_name(figure, unit):
    assert unit_of_figure(figure) == unit
