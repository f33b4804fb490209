"""Meters as the report prints them."""

from tco.finding import Finding
from tco.report.power import power_table

CARDS = {
    "meter": "nvml", "covers": "accelerators", "accelerators": 4, "idle_w": 250.0,
    "load_w": 2100.5, "run_energy_j": 189000.0, "joules_per_output_token": 0.1538,
    "samples": 900, "source": "energy counter",
}  # fmt: skip
WALL = {
    "meter": "wall", "covers": "wall", "accelerators": None, "idle_w": None, "load_w": 3120.0,
}  # fmt: skip
NOT_COSTED = Finding(
    kind="power_of_accelerators_only", severity="info", path="p", message="m", advice="a"
)


def texts(table):
    return [[cell.text for cell in row.cells] for row in table.rows]


def test_a_meter_of_accelerators_says_so_and_whether_it_is_costed(
    make_comparison, make_measurement, make_point
):
    measured = make_measurement(points=(make_point(power=CARDS),))
    shown = texts(power_table(make_comparison(findings=(NOT_COSTED,)), measured))
    assert shown == [
        [
            "NVML (energy counter), at capacity", "accelerators only (4), not costed", "250",
            "2,100", "189,000", "0.1538", "900",
        ]
    ]  # fmt: skip
    costed = texts(power_table(make_comparison(), measured))
    assert costed[0][1] == "accelerators only (4)"


def test_every_meter_has_a_row_at_each_chosen_load(make_comparison, make_measurement, make_point):
    package = WALL | {"meter": "rapl", "covers": "package"}
    capacity = make_point(power=WALL, other_power=(package,))
    measured = make_measurement(points=(capacity, make_point(power=CARDS)), target_point=1)
    rows = texts(power_table(make_comparison(), measured))
    assert [row[:2] for row in rows] == [
        ["wall meter, at capacity", "whole server"],
        ["RAPL, at capacity", "processor packages only, not costed"],
        ["NVML (energy counter), at target", "accelerators only (4)"],
    ]
    assert rows[0][2:] == ["not reported", "3,120", "not reported", "not reported", "not reported"]


def test_without_a_meter_there_is_no_table(comparison, measurement):
    assert power_table(comparison, measurement) is None


def test_a_meter_beside_no_price_of_electricity_is_not_costed(
    make_comparison, make_measurement, make_point
):
    no_price = NOT_COSTED.model_copy(update={"kind": "power_not_costed"})
    measured = make_measurement(points=(make_point(power=WALL),))
    ((_, covers, *_),) = texts(power_table(make_comparison(findings=(no_price,)), measured))
    assert covers == "whole server, not costed"
