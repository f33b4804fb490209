"""tco: is my own hardware cheaper than the API, by how much, and how sure is that?

The library in the order of the pipeline: `load_scenario`, `bench`, `read_measurement`,
`load_tables`, `load_case` (the three together), `compare`, `answer` (that of a case, with how
sure it is), `with_uncertainty`, `render`; `load_what_if` with `sweep` for a grid of scenarios and
`solve`; `load_traffic` with `traffic_shape` for a file of requests. Each is imported when it is
first used, so that the command line starts fast.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tco.case import load_case as load_case
    from tco.cost.compare import compare as compare
    from tco.explore.answer import answer as answer
    from tco.explore.solve import solve as solve
    from tco.explore.sweep_table import sweep as sweep
    from tco.explore.uncertainty import with_uncertainty as with_uncertainty
    from tco.measure.run import bench as bench
    from tco.measurement_file import read_measurement as read_measurement
    from tco.prices import load_tables as load_tables
    from tco.report.render import render as render
    from tco.scenario_file import load_scenario as load_scenario
    from tco.traffic import load_traffic as load_traffic
    from tco.traffic.shape import traffic_shape as traffic_shape
    from tco.what_if import load_what_if as load_what_if

__version__ = "0.1.0"

_HOMES = {
    "answer": "tco.explore.answer",
    "bench": "tco.measure.run",
    "compare": "tco.cost.compare",
    "load_case": "tco.case",
    "load_scenario": "tco.scenario_file",
    "load_tables": "tco.prices",
    "load_traffic": "tco.traffic",
    "load_what_if": "tco.what_if",
    "read_measurement": "tco.measurement_file",
    "render": "tco.report.render",
    "solve": "tco.explore.solve",
    "sweep": "tco.explore.sweep_table",
    "traffic_shape": "tco.traffic.shape",
    "with_uncertainty": "tco.explore.uncertainty",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tco' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted([*_HOMES, "__version__"])
