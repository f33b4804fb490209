"""Quantiles of draws."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tco.explore.quantile import quantiles

numbers = st.floats(-1e12, 1e12)


@given(st.lists(numbers, min_size=1, max_size=60), st.lists(st.floats(0, 1), min_size=1))
def test_they_are_those_of_numpy(draws, shares):
    array = np.array(draws)
    expected = np.quantile(array, shares).tolist()
    assert quantiles(array, shares) == pytest.approx(expected, rel=1e-12, abs=1e-3)
    assert array.tolist() == draws


def test_they_bring_in_no_masked_arrays():
    code = (
        "import sys, numpy as np; from tco.explore.quantile import quantiles; "
        "quantiles(np.arange(9.0), (0.1, 0.9)); sys.exit('numpy.ma' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
