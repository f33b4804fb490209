"""Every formula, reckoned again by LibreOffice, gives tco's numbers; also after a change."""

import pytest

NAMES = (
    "default",
    "66-dearest-offer",
    "66-output-tokens",
    "66-two-years",
    "66-with-staff",
)
EVERY = (*NAMES, *(f"{name} changed" for name in NAMES))


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_value_is_what_the_formula_gives(name, books):
    stored, again = books[name].values(again=False), books[name].values()
    formulas = 0
    for sheet in stored:
        for cell in (each for row in sheet.iter_rows() for each in row):
            found = again[sheet.title][cell.coordinate].value
            if isinstance(cell.value, float | int):
                formulas += 1
                assert found == pytest.approx(cell.value, rel=1e-9), (sheet.title, cell.coordinate)
            else:
                assert found == cell.value, (sheet.title, cell.coordinate)
    assert formulas > 300


@pytest.mark.parametrize("name", EVERY)
def test_no_cell_is_an_error(name, books):
    for sheet in books[name].values():
        for row in sheet.iter_rows():
            for cell in row:
                assert cell.data_type != "e", (sheet.title, cell.coordinate, cell.value)


@pytest.mark.parametrize("name", EVERY)
def test_own_cost_is_the_comparisons(name, books, value_of):
    book, own = books[name].values(), books[name].comparison.self_host
    for cell in ("utilisation", "usd_per_hour", "usd_per_year", "requests_per_year",
                 "usd_per_request", "usd_per_million_output", "usd_per_million_total"):  # fmt: skip
        assert value_of(book, f"own_{cell}") == pytest.approx(getattr(own, cell), rel=1e-9), cell
    for line, usd_per_hour in own.parts_usd_per_hour.model_dump().items():
        assert value_of(book, f"own_{line}") == pytest.approx(usd_per_hour, rel=1e-9), line


@pytest.mark.parametrize("name", EVERY)
def test_every_alternative_is_the_comparisons(name, books, value_of):
    book = books[name].values()
    for index, rival in enumerate(books[name].comparison.alternatives):
        for cell in ("usd_per_request", "usd_per_year", "saving", "saving_usd_per_year",
                     "break_even_utilisation", "break_even_requests_per_month"):  # fmt: skip
            found, expected = value_of(book, f"api_{index}_{cell}"), getattr(rival, cell)
            if expected is None:
                assert isinstance(found, str), cell
            else:
                assert found == pytest.approx(expected, rel=1e-9), cell


@pytest.mark.parametrize("name", EVERY)
def test_the_table_of_utilisation_is_the_comparisons(name, books):
    sheet = books[name].values()["Utilisation"]
    rows = {
        row[0]: row for row in sheet.iter_rows(values_only=True) if isinstance(row[0], float | int)
    }
    several = len(books[name].comparison.alternatives)
    for each in books[name].comparison.utilisation:
        row = rows[each.utilisation]
        assert row[1] == pytest.approx(each.usd_per_million_output, rel=1e-9)
        savings = row[2 + several : 2 + 2 * several]
        assert savings == pytest.approx(each.saving, rel=1e-9, abs=1e-12)


def test_what_was_changed_is_counted(books, value_of):
    assert value_of(books["default"].values(), "inputs_changed") == 0
    assert value_of(books["default changed"].values(), "inputs_changed") == 13
