"""Electricity by region: its rows, and how a scenario takes one."""

import pytest

from tco.electricity import read_regions
from tco.errors import InputError
from tco.scenario_file import load_scenario

TEXT = """\
schema: tco.scenario/1
name: t
{currency}traffic:
  shape: {{input_tokens: 5, output_tokens: 5}}
hardware:
  purchase: {{price_usd: 1000, life_years: 3}}
power: {power}
"""
ROW = "  {id}: {{name: n, date: 2026-01-01, price_per_kwh: {{value: 1, source: s}}}}\n"


@pytest.fixture
def load(tmp_path):
    def loader(power, currency=""):
        path = tmp_path / "s.yaml"
        path.write_text(TEXT.format(power=power, currency=currency), encoding="utf-8")
        return load_scenario(path).scenario.power

    return loader


@pytest.mark.parametrize("row_id", sorted(read_regions()))
def test_every_figure_of_a_shipped_region_has_a_source(row_id):
    row = read_regions()[row_id]
    assert row.price_per_kwh.source
    assert row.kg_co2e_per_kwh is None or row.kg_co2e_per_kwh.source


def test_a_region_fills_the_price_of_a_kwh_with_its_source_and_date(load):
    power = load("{load_w: 100, region: us-commercial}")
    assert power.usd_per_kwh.value == 0.1437
    assert "EIA" in power.usd_per_kwh.source
    assert "(seen 2026-" in power.usd_per_kwh.source
    assert power.kg_co2e_per_kwh is None


def test_what_the_scenario_states_wins_over_the_region(load):
    power = load("{load_w: 100, region: us-commercial, usd_per_kwh: 0.2, kg_co2e_per_kwh: 0.3}")
    assert (power.usd_per_kwh.value, power.kg_co2e_per_kwh.value) == (0.2, 0.3)


def test_a_region_in_euros_is_converted_at_the_scenarios_own_rate(load):
    euros = "currency: {code: EUR, usd_per_unit: 1.25, source: bank, date: 2026-12-01}\n"
    power = load("{load_w: 100, region: eu-non-household}", euros)
    assert power.usd_per_kwh.value == pytest.approx(0.1902 * 1.25)
    assert power.usd_per_kwh.source.startswith("0.1902 EUR at 1.25 USD; Eurostat")


def test_a_region_in_euros_without_a_rate_is_refused_at_its_line(load):
    with pytest.raises(InputError, match="is in EUR, and the scenario states no rate") as caught:
        load("{load_w: 100, region: eu-non-household}")
    assert (caught.value.key, caught.value.line) == ("power.region", 7)


def test_an_unknown_region_is_refused_with_the_nearest(load):
    with pytest.raises(InputError, match="no electricity row `us-comercial`") as caught:
        load("{load_w: 100, region: us-comercial}")
    assert "did you mean `us-commercial`?" in caught.value.remedy
    assert caught.value.line == 7


def test_the_same_region_in_two_files_is_refused(tmp_path):
    for name in ("a.yaml", "b.yaml"):
        text = "schema: tco.electricity/1\nrows:\n" + ROW.format(id="here")
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="the row `here` stands twice"):
        read_regions(tmp_path)
