"""The comparison of a case, as `compare`, `report` and `run` ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tco.case import Case
    from tco.comparison import Comparison


def compared(case: Case) -> Comparison:
    """Return the case's comparison.

    Raises:
        InputError: as `tco.compare`, with the file and line of the key at fault.
    """
    from tco import __version__
    from tco.case import placed_errors
    from tco.cost.compare import compare

    with placed_errors(case.loaded):
        return compare(
            case.loaded.scenario,
            case.measurement,
            case.tables,
            scenario_sha256=case.loaded.sha256,
            measurement_sha256=case.measurement_sha256,
            date=case.date,
            tool_version=__version__,
        )
