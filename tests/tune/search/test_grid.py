"""A grid of measured configurations: what its file must be, and its means."""

import datetime as dt
import json

import pytest

from tco.errors import InputError
from tco.tune.search.grid import Grid, read_grid


@pytest.fixture
def document():
    def configuration(seqs, *rates):
        runs = [{"output_tok_per_s": rate, "start_s": 10, "run_s": 20} for rate in rates]
        return {"settings": {"max-num-seqs": seqs, "env.OMP_NUM_THREADS": None}, "runs": runs}

    return {
        "schema": "tco.grid/1", "name": "g", "tool_version": "0",
        "created_at": dt.datetime(2026, 12, 2, tzinfo=dt.UTC), "engine": "vLLM", "machine": "m",
        "model": "a/b", "traffic": "512 in, 128 out", "window_s": 15,
        "own": {"max-num-seqs": 8, "env.OMP_NUM_THREADS": None},
        "configurations": [configuration(8, 100, 110), configuration(16, 190, 210)],
    }  # fmt: skip


def test_a_grid_knows_its_best_mean_and_all_its_engine_time(document, tmp_path):
    path = tmp_path / "grid_a.json"
    grid = Grid.model_validate(document)
    path.write_text(grid.model_dump_json(by_alias=True), encoding="utf-8")
    grid = read_grid(path)
    assert (grid.best_rate, grid.engine_s) == (200, 120)
    assert [each.rate for each in grid.configurations] == [105, 200]


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda d: d["configurations"].append(d["configurations"][0]), "stands twice"),
        (lambda d: d.update(own={"max-num-seqs": 8}), "same settings"),
        (lambda d: d["own"].update({"max-num-seqs": 9}), "one of the configurations"),
        (lambda d: d["configurations"][0]["runs"][0].update(failure="no"), "either"),
    ],
)
def test_a_grid_that_is_not_whole_is_refused(document, tmp_path, spoil, said):
    spoil(document)
    document["created_at"] = "2026-12-02T00:00:00Z"
    (tmp_path / "g.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read_grid(tmp_path / "g.json")
