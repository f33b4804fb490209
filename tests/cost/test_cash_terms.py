"""The terms of a cash flow, read from a scenario or from a sweep's arrays."""

import numpy as np
import pytest

from tco.cost.cash_terms import cash_terms_of
from tco.scenario import Scenario

TREE = {
    "schema": "tco.scenario/1",
    "name": "case",
    "traffic": {
        "shape": {"input_tokens": 500, "output_tokens": 500},
        "demand": {"requests_per_day": 1000},
    },
    "hardware": {"purchase": {"price_usd": 9000, "life_years": 4}},
}


def terms(overrides=None, **changes):
    return cash_terms_of(Scenario.model_validate(TREE | changes), overrides)


@pytest.mark.parametrize(
    ("changes", "years"),
    [
        ({}, 4),
        ({"finance": {"horizon_years": 7}}, 7),
        ({"hardware": {"rent": {"usd_per_hour": 2}}}, 3),
    ],
)
def test_the_horizon_is_as_stated_or_the_life_or_that_of_a_rental(changes, years):
    assert terms(**changes)[0].horizon_years == years


def test_a_book_value_that_nobody_states_is_the_residual():
    assert terms()[0].tax_book_value_share is None
    stated = {"tax_rate": 0.3, "tax_book_value_share": 0.0}
    assert terms(finance=stated)[0].tax_book_value_share == 0


def test_arrays_stand_in_the_place_of_numbers_and_say_that_they_were_taken():
    growing = TREE["traffic"] | {"by_year": [1, 2]}
    axes = {
        "finance.tax_rate": np.array([0.1, 0.2]),
        "traffic.by_year.1": np.array([1.5, 3.0]),
        "hardware.purchase.life_years": np.array([2.0, 5.0]),
        "engine.accelerators": np.array([1.0, 2.0]),
    }
    got, used = terms(axes, traffic=growing)
    assert list(got.tax_rate) == [0.1, 0.2]
    assert got.demand_by_year[0] == 1
    assert list(got.demand_by_year[1]) == [1.5, 3.0]
    assert list(got.horizon_years) == [2, 5]
    assert used == axes.keys() - {"engine.accelerators"}
