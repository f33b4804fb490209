"""The answer to a case: its comparison, and how sure that is."""

from __future__ import annotations

from tco import __version__
from tco.case import Case, placed_errors
from tco.comparison import Comparison
from tco.cost.compare import compare
from tco.explore.ranges import has_ranges
from tco.explore.saving_map import with_saving_map


def answer(case: Case) -> Comparison:
    """Return own cost against every alternative, with how sure it is where anything is ranged.

    Raises:
        InputError: as `tco.compare`, with the file and line of the key at fault.
    """
    scenario, measurement = case.loaded.scenario, case.measurement
    comparison = answer_as_stated(case)
    if not is_ranged(case):
        return comparison
    from tco.explore.uncertainty import with_uncertainty

    with placed_errors(case.loaded):
        return with_uncertainty(comparison, scenario, measurement, case.tables, date=case.date)


def answer_as_stated(case: Case) -> Comparison:
    """Return the answer at the stated values alone: every figure but how sure it is.

    Raises:
        InputError: as `answer`.
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
        return with_saving_map(comparison, scenario, measurement, case.tables, date=case.date)


def is_ranged(case: Case) -> bool:
    """Say whether the answer has anything to say on how sure it is."""
    return has_ranges(case.loaded.scenario, case.measurement)
