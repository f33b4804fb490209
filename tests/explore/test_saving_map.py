"""The map of the levelised saving: every cell is the comparison at that use and price change."""

import pytest

from tco import load_case
from tco.explore.answer import answer

BASE = """\
schema: tco.scenario/1
name: case
date: 2026-12-02
traffic: {shape: {input_tokens: 512, output_tokens: 512}, target_utilisation: 0.43}
measurement: {published: {output_tok_per_s: 11840, source: s, date: 2026-10-15}}
hardware: {purchase: {price_usd: 96996, life_years: 4}}
power: {idle_w: 210, load_w: 1192, pue: 1.54, usd_per_kwh: 0.1437}
finance: {api_price_change_per_year: -0.12, discount_rate: 0.08}
alternatives:
  - {name: dear, usd_per_million: {input: 0.2, output: 0.9}}
  - {name: api, usd_per_million: {input: 0.1, output: 0.5}, same_weights: true}
"""
DEMAND = "traffic: {shape: {input_tokens: 512, output_tokens: 512}, demand: {%s, spares: 1}}"


@pytest.fixture
def asked(tmp_path):
    def ask(text=BASE, *sets):
        path = tmp_path / "case.yaml"
        path.write_text(text, encoding="utf-8")
        return answer(load_case(path, sets=sets))

    return ask


def with_demand(average):
    lines = BASE.splitlines()
    return "\n".join([*lines[:3], DEMAND % average, *lines[4:]])


def test_the_cell_of_the_scenario_has_its_levelised_saving(asked):
    comparison = asked()
    found, rival = comparison.saving_map, comparison.headline_alternative()
    assert (found.alternative, found.along) == ("api", "utilisation")
    row = found.levelised_saving[found.api_price_changes_per_year.index(-0.12)]
    at = row[found.along_values.index(found.along_stated)]
    assert at == pytest.approx(rival.levelised_saving, rel=1e-12)
    assert found.along_stated == 0.43


def test_any_other_cell_is_the_comparison_at_its_values(asked):
    found = asked().saving_map
    for use, change in ((0.1, -0.5), (1.0, 0.1), (0.7, 0.0)):
        cell = found.levelised_saving[found.api_price_changes_per_year.index(change)][
            found.along_values.index(use)
        ]
        sets = (
            f"traffic.target_utilisation={use}",
            f"finance.api_price_change_per_year={change}",
        )
        there = asked(BASE, *sets).headline_alternative().levelised_saving
        assert cell == pytest.approx(there, rel=1e-12)


@pytest.mark.parametrize(
    "average",
    [
        "requests_per_day: 3000000",
        "average_requests_per_s: 40, peak_to_average: 3",
        "average_output_tok_per_s: 9000, peak_output_tok_per_s: 20000",
    ],
)
def test_of_a_demand_the_fleet_is_sized_anew_and_a_stated_peak_moves_along(asked, average):
    comparison = asked(with_demand(average))
    found = comparison.saving_map
    assert found.along == "requests_per_day"
    assert found.along_stated in found.along_values
    row = found.levelised_saving[found.api_price_changes_per_year.index(-0.12)]
    stated = row[found.along_values.index(found.along_stated)]
    assert stated == pytest.approx(comparison.headline_alternative().levelised_saving, rel=1e-9)
    doubled = {
        "requests_per_day: 3000000": ("requests_per_day=6000000",),
        "average_requests_per_s: 40, peak_to_average: 3": ("average_requests_per_s=80",),
        "average_output_tok_per_s: 9000, peak_output_tok_per_s: 20000": (
            "average_output_tok_per_s=18000",
            "peak_output_tok_per_s=40000",
        ),
    }[average]
    there = asked(with_demand(average), *(f"traffic.demand.{each}" for each in doubled))
    twice = row[found.along_values.index(2 * found.along_stated)]
    assert twice == pytest.approx(there.headline_alternative().levelised_saving, rel=1e-9)


def test_where_there_is_no_map_the_reason_is_said(asked):
    one_year = asked(BASE, "hardware.purchase.life_years=1")
    assert one_year.saving_map is None
    assert one_year.saving_map_reason == "within_first_year"
    alone = asked(BASE.partition("alternatives:")[0])
    assert (alone.saving_map, alone.saving_map_reason) == (None, "no_alternative")
