"""The rate between measured concurrencies, and nowhere else."""

import numpy as np
import pytest

from tco.cost.curve import rate_at

MEASURED = np.array([1.0, 8.0, 32.0])
RATES = np.array([200.0, 1300.0, 3700.0])


def test_a_measured_concurrency_has_its_own_rate():
    assert list(rate_at(MEASURED, MEASURED, RATES)) == list(RATES)


def test_between_two_the_rate_lies_on_their_line():
    assert rate_at(20.0, MEASURED, RATES) == pytest.approx(2500)


@pytest.mark.parametrize("concurrency", [0.99, 32.01, float("nan")])
def test_nothing_is_said_outside_what_was_measured(concurrency):
    with pytest.raises(ValueError, match="within the measured 1 to 32"):
        rate_at(concurrency, MEASURED, RATES)


def test_concurrencies_out_of_order_are_an_error():
    with pytest.raises(ValueError, match="must rise"):
        rate_at(2.0, MEASURED[::-1], RATES)
