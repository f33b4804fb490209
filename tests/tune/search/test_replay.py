"""A search replayed on grids: it nears their best in a quarter of their engine time."""

from pathlib import Path

import pytest
from synthetic import MODELS, synthetic_grid

from tco.tune.search.grid import read_grid
from tco.tune.search.replay import replay

MEASURED = sorted((Path(__file__).parents[2] / "data" / "tune").glob("grid_*.json"))


if MEASURED:  # without a measured grid there is no such test, rather than one that checks nothing

    @pytest.mark.parametrize("path", MEASURED, ids=lambda path: path.stem)
    @pytest.mark.parametrize("seed", [1, 2, 3])
    def test_a_measured_grid_is_searched_in_a_quarter_of_its_time(path, seed):
        found = replay(read_grid(path), seed=seed, most_share=0.25)
        assert found.share_of_best >= 0.98
        assert found.share_of_time <= 0.25


def test_most_synthetic_grids_are_searched_in_a_quarter_of_their_time():
    found = [
        replay(synthetic_grid(model, seed), seed=seed, most_share=0.25)
        for model in MODELS
        for seed in range(5)
    ]
    assert len(found) == 15
    assert all(each.share_of_time <= 0.25 for each in found)
    assert sum(each.share_of_best >= 0.98 for each in found) >= 13


def test_the_same_seed_makes_the_same_search():
    grid = synthetic_grid("peaked", 4)
    assert replay(grid, seed=7, most_share=0.2) == replay(grid, seed=7, most_share=0.2)
