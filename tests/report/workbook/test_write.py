"""The file as it is written: the same bytes, in time, and ready to be read and printed."""

import io

import openpyxl
import pytest


@pytest.fixture(scope="module")
def default(books):
    return books["default"]


def test_the_same_case_gives_the_same_bytes(default, workbook_bytes):
    assert workbook_bytes(default.case())[1] == default.path.read_bytes()


def test_it_bears_the_date_of_the_comparison_or_of_the_build(default, workbook_bytes, monkeypatch):
    def created(content):
        return openpyxl.load_workbook(io.BytesIO(content)).properties.created

    assert created(default.path.read_bytes()).date() == default.comparison.date
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert created(workbook_bytes(default.case())[1]).isoformat() == "1970-01-02T00:00:00"


def test_every_sheet_fits_the_width_of_a_page_and_has_a_print_area(default):
    for sheet in openpyxl.load_workbook(default.path):
        assert sheet.print_area, sheet.title
        assert sheet.page_setup.fitToHeight == 0
        assert sheet.sheet_properties.pageSetUpPr.fitToPage


def test_every_input_has_the_name_of_its_key_and_one_look(default):
    book = openpyxl.load_workbook(default.path)
    sheet, fills = book["Inputs"], set()
    (_, price), *_ = book.defined_names["hardware_purchase_price_usd"].destinations
    look = sheet[price].fill.fgColor.rgb
    for row in sheet.iter_rows():
        key, value = row[0].value, row[1]
        if isinstance(key, str) and key.replace(".", "_") in book.defined_names:
            fills.add(value.fill.fgColor.rgb)
    assert fills == {look}


def test_cells_refuse_what_makes_no_sense(default):
    sheet = openpyxl.load_workbook(default.path)["Inputs"]
    (at,) = [row[1].coordinate for row in sheet.iter_rows() if row[0].value == "power.pue"]
    (rule,) = [each for each in sheet.data_validations.dataValidation if at in each.sqref]
    assert float(rule.formula1) == 1


def test_there_is_a_chart_on_each_sheet_that_has_one(default):
    charts = {sheet.title: len(sheet._charts) for sheet in openpyxl.load_workbook(default.path)}
    for title in ("Summary", "Cost", "Utilisation", "Cash flow", "Sensitivity"):
        assert charts[title] == 1, title


def test_no_page_ends_within_an_alternatives_years(books):
    sheet = openpyxl.load_workbook(books["one server"].path)["Cash flow"]
    begins = [cell.row for cell in sheet["A"] if str(cell.value).startswith("Against ")]
    assert len(begins) == len(books["one server"].comparison.alternatives)
    # A break stands after its row; the section begins with an empty one.
    breaks = [each.id + 2 for each in sheet.row_breaks.brk]
    assert breaks == begins[1::2]
