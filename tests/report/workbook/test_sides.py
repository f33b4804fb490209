"""The workbook of several scenarios: its first sheet follows each one's own inputs."""

import dataclasses

import openpyxl
import pytest

from tco import load_case
from tco.explore.side_by_side import side_by_side
from tco.report.findings import findings
from tco.report.side_files import render_sides
from tco.scenario_file import scenario_text

SETS = (
    (),
    ("name='Second, at a lower load'", "traffic.target_utilisation=0.3", "power.pue=1.5"),
)
CHANGE = {"B_hardware_purchase_price_usd": 120_000}


@dataclasses.dataclass(frozen=True)
class Sides:
    found: object
    changed: object
    written: object
    same: object
    after: object


@pytest.fixture(scope="module")
def sides(tmp_path_factory, recalculated, type_into):
    folder = tmp_path_factory.mktemp("sides")
    path = folder / "s.yaml"
    path.write_text(scenario_text(), encoding="utf-8")

    def cases(*more):
        return [load_case(path, sets=(*sets, *more[at : at + 1])) for at, sets in enumerate(SETS)]

    def compared(some):
        return side_by_side(some, ["a.yaml", "b.yaml"], [None, None])

    first = cases()
    found = compared(first)
    said = [
        findings(side.comparison, case.measurement)
        for side, case in zip(found.sides, first, strict=True)
    ]
    based_on = [(case.loaded.scenario, case.measurement) for case in first]
    (book,) = render_sides(
        found, said, formats=("xlsx",), out_dir=folder / "out", based_on=based_on
    )
    after = folder / "changed.xlsx"
    type_into(book, CHANGE, after)
    price = "hardware.purchase.price_usd=120000"
    other = [load_case(path), load_case(path, sets=(*SETS[1], price))]
    again = [
        openpyxl.load_workbook(each, data_only=True) for each in recalculated([book, after], folder)
    ]
    return Sides(found, compared(other), openpyxl.load_workbook(book), *again)


def rows(book):
    return {row[0]: row[1:3] for row in book["Side by side"].iter_rows(values_only=True) if row[0]}


FIGURES = {
    "Utilisation": lambda it: it.self_host.utilisation,
    "Own cost": lambda it: it.self_host.usd_per_year,
    "Own cost of a million output tokens": lambda it: it.self_host.usd_per_million_output,
    "Bill there": lambda it: it.headline_alternative().usd_per_year,
    "Saving, of the bill": lambda it: it.headline_alternative().saving,
    "Break-even utilisation": lambda it: it.headline_alternative().break_even_utilisation,
    "Net present value": lambda it: it.headline_alternative().npv_usd,
}


@pytest.mark.parametrize("when", ["as written", "changed"])
@pytest.mark.parametrize("title", FIGURES)
def test_the_first_sheet_says_what_tco_says_of_each(sides, title, when):
    book, found = (
        (sides.same, sides.found) if when == "as written" else (sides.after, sides.changed)
    )
    expected = [FIGURES[title](side.comparison) for side in found.sides]
    assert rows(book)[title] == pytest.approx(expected, rel=1e-9)


def test_a_changed_input_moves_its_own_scenario_alone(sides):
    before, after = rows(sides.same)["Own cost"], rows(sides.after)["Own cost"]
    assert before[0] == after[0]
    assert before[1] < after[1]


def test_the_inputs_that_differ_are_shown_and_follow(sides):
    told = rows(sides.same)
    assert told["traffic.target_utilisation"] == (1, 0.3)
    assert told["power.pue"][1] == 1.5
    assert "hardware.purchase.price_usd" not in told


def test_every_figure_has_its_unit_and_the_list_of_sheets_its_letters(sides):
    units = {row[0]: row[3] for row in sides.same["Side by side"].iter_rows(values_only=True)}
    assert (units["Own cost"], units["Saving, of the bill"]) == ("USD a year", "share")
    listed = [cell.value for cell in sides.same["B Summary"]["A"]]
    assert "B Inputs" in listed
    assert "Utilisation" in listed
    assert "B Utilisation" in listed


def test_every_sheet_has_its_scenarios_letter_and_no_cell_is_an_error(sides):
    first, *others = sides.written.sheetnames
    assert first == "Side by side"
    assert {each[:2] for each in others} == {"A ", "B "}
    assert [each[2:] for each in others if each[0] == "A"] == [
        each[2:] for each in others if each[0] == "B"
    ]
    assert max(map(len, others)) <= 31
    for book in (sides.same, sides.after):
        wrong = [
            c for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "e"
        ]
        assert wrong == []


def test_no_formula_of_a_scenario_takes_a_cell_of_another(sides):
    for sheet in sides.written.worksheets[1:]:
        mark, other = ("A", "B") if sheet.title[0] == "A" else ("B", "A")
        formulas = [c.value for row in sheet.iter_rows() for c in row if c.data_type == "f"]
        assert not [text for text in formulas if f"'{other} " in text or f"{other}_" in text], mark


def first_sheet(folder, *currencies):
    path = folder / "s.yaml"
    path.write_text(scenario_text(), encoding="utf-8")
    cases = [load_case(path, sets=(f"name=Case {at}", each)) for at, each in enumerate(currencies)]
    found = side_by_side(cases, ["a.yaml", "b.yaml"], [None, None])
    based_on = [(case.loaded.scenario, case.measurement) for case in cases]
    said = [
        findings(it.comparison, case.measurement)
        for it, case in zip(found.sides, cases, strict=True)
    ]
    (book,) = render_sides(found, said, formats=("xlsx",), out_dir=folder, based_on=based_on)
    return openpyxl.load_workbook(book, data_only=True)["Side by side"]


EURO = "currency={code: EUR, usd_per_unit: 1.25, source: a bank, date: 2026-11-01}"
EURO_DEARER = EURO.replace("1.25", "2")
FRANC = EURO.replace("EUR", "CHF")


def test_a_currency_that_all_share_stands_below_each_amount_at_each_ones_rate(tmp_path):
    sheet = first_sheet(tmp_path, EURO, EURO_DEARER)
    told = {row[0]: row[1:4] for row in sheet.iter_rows(values_only=True) if row[0]}
    usd, euro = told["Own cost"], told["Own cost, in EUR"]
    assert euro == (pytest.approx(usd[0] / 1.25), pytest.approx(usd[1] / 2), "EUR a year")
    assert told["Bill there, in EUR"][2] == "EUR a year"
    assert "Saving, of the bill, in EUR" not in told
    assert any("in EUR at the rate of each scenario" in str(title) for title in told)


@pytest.mark.parametrize("other", [FRANC, "currency=USD"])
def test_without_a_shared_currency_the_first_sheet_says_that_money_is_in_usd(tmp_path, other):
    titles = [cell.value for cell in first_sheet(tmp_path, EURO, other)["A"] if cell.value]
    assert not [title for title in titles if title.endswith((", in EUR", ", in CHF"))]
    assert [title for title in titles if title.startswith("Money is in USD: the scenarios share")]


def test_the_chart_of_many_names_them_by_their_letters(sides):
    (chart,) = sides.written["Side by side"]._charts
    told = sides.same["Side by side"]
    heads = chart.series[0].cat.strRef.f.split("!")[1].replace("$", "")
    assert [cell.value for (*row,) in told[heads] for cell in row] == ["A", "B"]


def test_words_in_place_of_a_figure_stand_where_it_would_and_stay_in_their_cell(sides):
    sheet = sides.written["Side by side"]
    (row,) = [cell.row for cell in sheet["A"] if cell.value == "Break-even utilisation"]
    look = sheet.cell(row, 2).alignment
    assert (look.horizontal, look.shrinkToFit) == ("right", True)
