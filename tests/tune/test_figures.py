"""What a configuration serves and costs, by its trial of median rate."""

import datetime as dt

import pytest

from tco.measurement_file import write_measurement
from tco.tune.figures import Priced, figures_of
from tco.tuning import TuneTrial


@pytest.fixture
def tried(tmp_path, make_measurement):
    """Return a maker of a measured trial of a rate."""

    def make(number, rate, **more):
        file = f"{number}.json"
        write_measurement(make_measurement(), tmp_path / file)
        return TuneTrial(
            number=number, step=1, role="candidate", scenario_sha256="a", took_s=1,
            started_at=dt.datetime(2026, 12, 2, tzinfo=dt.UTC),
            **({"output_tok_per_s": rate, "measurement": file} | more),
        )  # fmt: skip

    return make


def price(loaded, measurement, sha256):
    return Priced(float(loaded), sha256, measurement.capacity().requests_per_s)


@pytest.mark.parametrize(("rates", "median"), [((3, 1, 2), 2), ((4, 1, 3, 2), 2), ((5,), 5)])
def test_the_figures_are_of_the_trial_of_median_rate_the_lower_of_two(
    tried, tmp_path, make_measurement, rates, median
):
    found = figures_of(7, [tried(rate, rate) for rate in rates], tmp_path, price)
    capacity = make_measurement().capacity()
    assert found.measurement == f"{median}.json"
    assert found.output_tok_per_s == capacity.output_tok_per_s
    assert (found.usd_per_million_output, found.saving) == (7.0, capacity.requests_per_s)


def test_trials_that_failed_or_are_invalid_do_not_count(tried, tmp_path):
    bad = [tried(1, 1, invalid=("client_busy",)), tried(2, None, failure="no memory")]
    assert figures_of(7, bad, tmp_path, price) is None
    assert figures_of(7, [*bad, tried(3, 9)], tmp_path, price).measurement == "3.json"
