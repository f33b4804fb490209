"""The first sheet says only what still holds, and calls nothing what is not nothing."""

import dataclasses
import io
import json

import openpyxl
import pytest

from tco import load_case
from tco.finding import Finding

NEXT_TO_NOTHING = {
    "schema": "tco.scenario/1",
    "name": "next to nothing",
    "date": "2026-12-02",
    "traffic": {"shape": {"input_tokens": 1000, "output_tokens": 300}},
    "measurement": {"published": {"output_tok_per_s": 100, "source": "s", "date": "2026-10-15"}},
    "hardware": {"purchase": {"price_usd": 0.01, "life_years": 4}},
    "alternatives": [{"name": "a", "usd_per_million": {"input": 0.5, "output": 1.5}}],
}


def shown(sheet):
    return {row[0]: row[1] for row in sheet.iter_rows(values_only=True) if row[1] is not None}


def headline(sheet):
    words = [str(row[0]) for row in sheet.iter_rows(values_only=True)]
    said = (each for each in words if "own hardware saves" in each or "hat is billed" in each)
    return next(each for each in said if not each.startswith("As tco wrote it"))


def test_no_saving_stands_against_a_bill_that_was_found_for_other_requests(of_other_requests):
    sheets = [book["Summary"] for book in of_other_requests]
    written, more_output, more_cached, other_power = sheets
    for sheet in (written, other_power):
        assert headline(sheet).startswith("Method demonstration: own hardware saves ")
        assert isinstance(shown(sheet)["Net present value"], float)
    for sheet in (more_output, more_cached):
        said = "Method demonstration: what is billed there was found for the requests as"
        assert headline(sheet).startswith(said)
        for figure in ("Bill there", "Saving", "Break-even utilisation", "Net present value"):
            assert shown(sheet)[figure] == "inputs changed: run tco again"
        for figure in ("Own cost", "Cash at the start"):
            assert isinstance(shown(sheet)[figure], float | int)


STALE = "inputs changed: run tco again"


def test_every_sheet_withholds_what_rests_on_a_bill_of_other_requests(of_other_requests, value_of):
    resting = [
        f"api_0_{figure}"
        for figure in (
            *("usd_per_request", "saving", "usd_per_year", "saving_usd_per_year"),
            *("break_even_utilisation", "break_even_requests_per_month"),
            *("present_value_usd", "npv_usd", "levelised_saving", "irr", "payback_years"),
            *("stress_npv_usd", "stress_levelised_saving"),
        )
    ]
    written, more_output, more_cached, other_power = of_other_requests
    for book in (more_output, more_cached):
        assert {value_of(book, name) for name in resting} == {STALE}
        flows = {row[0]: row[2:] for row in book["Cash flow"].iter_rows(values_only=True)}
        for row in ("Bill there, before tax", "Net cash flow", "Summed up"):
            assert {each for each in flows[row] if each is not None} == {STALE}
        assert all(isinstance(each, float) for each in flows["Running cost, after tax"][1:2])
        table = [row for row in book["Utilisation"].iter_rows(values_only=True) if row[0] == 0.5]
        assert {each for each in table[0][2:] if each is not None} == {STALE}
        found = {row[0]: row for row in book["Sensitivity"].iter_rows(values_only=True)}
        assert STALE in found["hardware.purchase.price_usd"]
    for book in (written, other_power):
        assert isinstance(value_of(book, "api_0_npv_usd"), float)
        assert STALE not in {
            cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row
        }


def test_no_cell_of_a_workbook_with_a_stale_bill_is_an_error(of_other_requests):
    for book in of_other_requests:
        for sheet in book:
            for row in sheet.iter_rows():
                wrong = [cell.coordinate for cell in row if cell.data_type == "e"]
                assert not wrong, (sheet.title, wrong)


def test_the_answer_of_an_invalid_measurement_begins_with_that(tmp_path, workbook_bytes):
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(json.dumps(NEXT_TO_NOTHING), encoding="utf-8")
    case = load_case(scenario)
    bad = Finding(kind="not_steady", severity="invalid", path="p", message="m", advice="a")
    spoilt = case.measurement.model_copy(update={"findings": (bad,)})
    content = workbook_bytes(dataclasses.replace(case, measurement=spoilt))[1]
    sheet = openpyxl.load_workbook(io.BytesIO(content), data_only=True)["Summary"]
    said = "Invalid measurement: its figures must not be used. Method demonstration: own hardware"
    assert headline(sheet).startswith(said)


def test_a_cost_next_to_nothing_is_not_said_to_be_nothing(tmp_path, workbook_bytes):
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text(json.dumps(NEXT_TO_NOTHING), encoding="utf-8")
    content = workbook_bytes(load_case(scenario))[1]
    words = headline(openpyxl.load_workbook(io.BytesIO(content), data_only=True)["Summary"])
    assert "saves >99.9 % against a" in words
    assert "utilisation: less than $0.0001 instead of $3.1667 per million" in words


@pytest.mark.parametrize(("name", "usd_per_unit"), [("euros", 1.09), ("euros, changed", 1.25)])
def test_money_stands_in_the_second_currency_too(books, name, usd_per_unit):
    book = books[name]
    rival = book.comparison.headline_alternative()
    euros = {row[0]: row[4] for row in book.values["Summary"].iter_rows(values_only=True)}
    for figure, usd in (
        ("Own cost", book.comparison.self_host.usd_per_year),
        ("Bill there", rival.usd_per_year),
        ("Saving", rival.saving_usd_per_year),
        ("Net present value", rival.npv_usd),
    ):
        assert euros[figure] == pytest.approx(usd / usd_per_unit, rel=1e-9)
    there = {row[0]: row[1:] for row in book.values["Comparison"].iter_rows(values_only=True)}
    for at, each in enumerate(book.comparison.alternatives):
        saved = each.saving_usd_per_year / usd_per_unit
        assert there["Saving, EUR a year"][at] == pytest.approx(saved, rel=1e-9)
