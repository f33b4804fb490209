"""The comparison of a case, as `compare`, `report` and `run` ask for it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tco.case import Case
    from tco.comparison import Comparison
    from tco.measurement import Measurement
    from tco.scenario_file import LoadedScenario


def compared(case: Case) -> Comparison:
    """Return the case's comparison, with how sure it is.

    Raises:
        InputError: as `tco.answer`, with the file and line of the key at fault.
    """
    from tco.explore.answer import answer

    return answer(case)


def any_measurement(loaded: LoadedScenario) -> Measurement:
    """Return a stand-in: what it finds wrong with money must not wait for the bench."""
    from tco import __version__
    from tco.measurement import Measurement, measured_shape, rates_of

    shape = measured_shape(loaded.scenario.traffic.shape)
    return Measurement(
        tool_version=__version__,
        created_at=dt.datetime.now(dt.UTC),
        origin="published",
        shape=shape,
        published_rates=rates_of(1.0, shape),
    )
