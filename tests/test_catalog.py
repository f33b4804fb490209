"""The hardware catalog: its rows, and what is refused in one."""

import pytest

from tco.catalog import catalog_row, read_catalog
from tco.errors import InputError
from tco.scenario_file import load_scenario
from tco.scenario_template import scenario_text

ROW = """\
schema: tco.hardware/1
rows:
  box:
    name: Box
    accelerator: X
    accelerators: 1
    date: 2026-01-01
    rent: {usd_per_hour: {value: 1, source: s}}
"""


@pytest.mark.parametrize("row_id", sorted(read_catalog()))
def test_every_figure_of_a_shipped_row_has_a_source(row_id):
    row = catalog_row(row_id)
    figures = [
        figure
        for section in (row.purchase, row.rent, row.power)
        if section is not None
        for _, figure in section
        if figure is not None
    ]
    assert figures
    assert all(figure.source for figure in figures)


def test_the_same_row_in_two_files_is_refused(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        (tmp_path / name).write_text(ROW, encoding="utf-8")
    with pytest.raises(InputError, match="the row `box` stands twice") as caught:
        read_catalog(tmp_path)
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "b.yaml"), 3)


def test_a_row_is_either_a_purchase_or_a_rental(tmp_path):
    (tmp_path / "a.yaml").write_text(ROW + "    purchase: {price_usd: 1}\n", encoding="utf-8")
    with pytest.raises(InputError, match="either `purchase` or `rent`"):
        read_catalog(tmp_path)


@pytest.mark.parametrize("nothing", ["hardware.purchase=null", "hardware.purchase.price_usd=null"])
def test_what_is_taken_out_with_null_comes_from_the_row(tmp_path, nothing):
    file = tmp_path / "s.yaml"
    file.write_text(scenario_text("cline-512x512x256", hardware="dgx-station-gb300"))
    sets = [nothing, "hardware.purchase.life_years=3"]
    stated = load_scenario(file, sets).scenario.hardware.purchase
    row = read_catalog()["dgx-station-gb300"].purchase
    assert (stated.price_usd.value, stated.accelerators.value) == (row.price_usd.value, 1)
