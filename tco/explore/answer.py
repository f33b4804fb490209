"""The answer to a case: its comparison, and how sure that is."""

from __future__ import annotations

from tco import __version__
from tco.case import Case, placed_errors
from tco.comparison import Comparison
from tco.cost.compare import compare
from tco.explore.ranges import has_ranges


def answer(case: Case) -> Comparison:
    """Return own cost against every alternative, with how sure that is where anything is ranged.

    Raises:
        InputError: as `tco.compare`, with the file and line of the key at fault.
    """
    scenario, measurement = case.loaded.scenario, case.measurement
    with placed_errors(case.loaded):
        comparison = compare(
            scenario,
            measurement,
            case.tables,
            scenario_sha256=case.loaded.sha256,
            measurement_sha256=case.measurement_sha256,
            date=case.date,
            tool_version=__version__,
        )
        if not has_ranges(scenario, measurement):
            return comparison
        from tco.explore.uncertainty import with_uncertainty

        return with_uncertainty(comparison, scenario, measurement, case.tables, date=case.date)
