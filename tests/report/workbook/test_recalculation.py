"""Every formula, reckoned again by LibreOffice, gives tco's numbers; also after a change."""

import math

import openpyxl
import pytest

SELF_HOST = (
    "utilisation", "reachable_utilisation", "usd_per_hour", "usd_per_year", "requests_per_year",
    "usd_per_request", "usd_per_million_output", "usd_per_million_total",
)  # fmt: skip
RIVAL = (
    "usd_per_request", "usd_per_year", "saving", "saving_usd_per_year", "break_even_utilisation",
    "break_even_requests_per_month", "npv_usd", "irr", "payback_years",
    "discounted_payback_years", "levelised_saving",
)  # fmt: skip


def same(found, expected):
    if expected is None:
        return isinstance(found, str)
    return found == pytest.approx(expected, rel=1e-9, abs=1e-12)


def cells(book):
    return (cell for sheet in book for row in sheet.iter_rows() for cell in row)


def test_a_stored_value_is_what_the_formula_gives(books):
    for name, book in books.items():
        if name.endswith(", changed"):
            continue  # openpyxl stores no values
        again = book.values
        numbers = 0
        for cell in cells(book.stored):
            found, place = again[cell.parent.title][cell.coordinate].value, (name, cell)
            if isinstance(cell.value, float | int):
                numbers += 1
                assert found == pytest.approx(cell.value, rel=1e-9, abs=1e-9), place
            else:
                assert found == cell.value, place
        assert numbers > 500


def test_no_cell_is_an_error(books):
    for name, book in books.items():
        for cell in cells(book.values):
            assert cell.data_type != "e", (name, cell, cell.value)


def test_own_cost_is_the_comparisons(books, value_of):
    for name, book in books.items():
        values, own = book.values, book.comparison.self_host
        for cell in SELF_HOST:
            assert same(value_of(values, f"own_{cell}"), getattr(own, cell)), (name, cell)
        for line, usd_per_hour in own.parts_usd_per_hour.model_dump().items():
            assert same(value_of(values, f"own_{line}"), usd_per_hour), (name, line)


def test_footprint_is_the_comparisons(books, value_of):
    seen = 0
    for name, book in books.items():
        values, own = book.values, book.comparison.self_host
        for cell in ("energy_kwh_per_year", "kg_co2e_per_year", "g_co2e_per_million_total"):
            if getattr(own, cell) is not None:
                seen += 1
                assert same(value_of(values, f"own_{cell}"), getattr(own, cell)), (name, cell)
    assert seen > 10


def test_every_alternative_is_the_comparisons(books, value_of):
    for name, book in books.items():
        values = book.values
        for index, rival in enumerate(book.comparison.alternatives):
            for cell in RIVAL:
                found = value_of(values, f"api_{index}_{cell}")
                assert same(found, getattr(rival, cell)), (name, rival.name, cell, found)
            for cell in ("npv_usd", "levelised_saving"):
                found = value_of(values, f"api_{index}_stress_{cell}")
                assert same(found, getattr(rival.stress, cell)), (name, rival.name, cell)
            within = rival.break_even_within_capacity
            found = value_of(values, f"api_{index}_break_even_within_capacity")
            assert found == {True: "yes", False: "no", None: "none"}[within], (name, rival.name)


def test_net_flows_of_whole_years_are_the_comparisons(books):
    seen = 0
    for name, book in books.items():
        sheet = book.values["Cash flow"]
        rows = [row for row in sheet.iter_rows(values_only=True) if row[0] == "Net cash flow"]
        for rival, row in zip(book.comparison.alternatives, rows, strict=True):
            if all(math.isclose(time, round(time)) for time in rival.flow_times_years):
                shown = dict(zip(rival.flow_times_years, rival.net_flows_usd, strict=True))
                for time, usd in shown.items():
                    seen += 1
                    assert same(row[2 + round(time)], usd), (name, rival.name, time)
    assert seen > 50


def test_the_table_of_utilisation_is_the_comparisons(books):
    for name, book in books.items():
        sheet = book.values["Utilisation"]
        rows = {row[0]: row for row in sheet.iter_rows(values_only=True)}
        several = len(book.comparison.alternatives)
        for each in book.comparison.utilisation:
            row = rows[each.utilisation]
            assert same(row[1], each.usd_per_million_output), name
            for found, expected in zip(row[2 + several :], each.saving, strict=False):
                assert same(found, expected), name


def test_the_table_of_utilisation_says_to_which_row_the_fleet_can_go(books):
    limited = 0
    for name, book in books.items():
        (row,) = [
            each
            for each in book.values["Utilisation"].iter_rows(values_only=True)
            if str(each[1]).startswith("is the highest at which the fleet")
        ]
        assert same(row[0], book.comparison.self_host.reachable_utilisation), name
        limited += row[0] < 1
        (rule,) = openpyxl.load_workbook(book.path)["Utilisation"].conditional_formatting
        (place,) = rule.sqref.ranges
        assert place.size["rows"] == len(book.comparison.utilisation)
    assert limited > 3


def test_what_was_changed_is_counted(books, value_of):
    for name, book in books.items():
        changed = value_of(book.values, "inputs_changed")
        assert (changed > 0) == name.endswith(", changed"), name


def test_the_first_sheet_says_that_inputs_were_changed(books):
    words = {
        name: " ".join(
            str(cell.value) for cell in cells(books[name].values) if cell.parent.title == "Summary"
        )
        for name in ("default", "default, changed")
    }
    assert "inputs are not as tco wrote them" not in words["default"]
    assert "13 inputs are not as tco wrote them" in words["default, changed"]


def test_what_tco_found_of_requests_says_when_its_inputs_change(books):
    def words(name):
        sheet = books[name].values["Prices"]
        return [
            cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, str)
        ]

    stale = "inputs changed: run tco again"
    assert stale not in words("spread lengths")
    # Power and a price move no request from tier to tier; the length would.
    assert stale not in words("spread lengths, changed")
    # A price by the hour follows the requests' length and cached share: its bill is tco's still.
    assert stale not in words("one server, changed")


def test_a_saving_at_an_end_is_what_tco_says_there(books):
    """The ends of the sheet Sensitivity, typed into the scenario one at a time."""
    from tco import answer

    checked = 0
    for name in ("default", "hourly rent with a profile", "peak in tokens"):
        book = books[name]
        index = book.comparison.alternatives.index(book.comparison.headline_alternative())
        for row in book.values["Sensitivity"].iter_rows(values_only=True):
            if isinstance(row[0], str) and "." in row[0] and isinstance(row[2], float | int):
                if ".tier." in row[0]:
                    continue  # the price of a table's row has no key
                for end, saving in zip(row[2:4], row[4:6], strict=True):
                    there = answer(book.case([f"{row[0]}={end!r}"])).alternatives[index]
                    assert same(saving, there.saving), (name, row[0], end)
                    checked += 1
    assert checked > 30


def test_words_that_a_spreadsheet_would_run_stay_words(books):
    """Also in LibreOffice: it reads every cell of ours that is no formula as text or number."""
    book = books["hostile words"]
    written = openpyxl.load_workbook(book.path)
    texts = [cell for cell in cells(written) if cell.data_type == "s"]
    acting = [cell for cell in texts if cell.value.startswith(("=", "+", "-", "@"))]
    assert len(acting) > 10
    for cell in acting:
        assert cell.quotePrefix, cell
        assert book.values[cell.parent.title][cell.coordinate].value == cell.value
    formulas = [cell.value for cell in cells(written) if cell.data_type == "f"]
    assert formulas
    assert not [text for text in formulas if "HYPERLINK" in text or "example.com" in text]


def test_no_word_is_longer_than_a_cell_holds(books):
    for cell in cells(books["hostile words"].values):
        assert len(str(cell.value)) < 32_767, cell
