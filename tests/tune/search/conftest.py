"""The synthetic grids and the simulated engine are modules beside the tests."""

import sys
from pathlib import Path

import pytest

from tco.scenario_file import load_scenario
from tco.tune.search.objective import Objective
from tco.tune.search.plan import search_plan
from tco.tune.search.search import search
from tco.tune.search.space import load_space

sys.path.insert(0, str(Path(__file__).parent))

from simulated import SCENARIO, SPACE, Engine, score


@pytest.fixture
def engine(make_measurement, make_point):
    return Engine(make_measurement, make_point)


@pytest.fixture
def planned(tmp_path):
    (tmp_path / "s.yaml").write_text(SCENARIO, encoding="utf-8")

    def make(objective="usd_per_million_output", space=SPACE, **more):
        (tmp_path / "space.yaml").write_text(space, encoding="utf-8")
        return search_plan(
            load_scenario(tmp_path / "s.yaml", ()), (), load_space(str(tmp_path / "space.yaml")),
            **{
                "objective": Objective(objective), "latency": "ttft_p95_ms", "seed": 0,
                "repeats": 3, "folder": tmp_path / "t", "worker": "w", **more,
            },
        )  # fmt: skip

    return make


@pytest.fixture
def searched(engine, make_measurement):
    def run(plan, **more):
        return search(
            plan,
            **{
                "score": score, "progress": lambda _: None, "say": lambda _: None,
                "measure": engine, "host": lambda: make_measurement().host, **more,
            },
        )  # fmt: skip

    return run
